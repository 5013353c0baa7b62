"""On a machine without the compiled half: what needs it is left out, and the last line says so.

A test that asks for the compiled engine cannot run there; all the others can. Nothing of this is
loaded where the compiled half is installed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from types import ModuleType
from typing import Any

import pytest

import sylve
from sylve.engine import compiled_half
from sylve.optional import MissingPackage

NEEDED = "needs the compiled engine"
REASON = "needs the compiled half"


class Absent(ModuleType):
    """What tests import as `sylve._core`: whoever uses it is left out."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return compiled_half("this test")


sylve._core = Absent("sylve._core")  # the engine itself does not look here


def asks_for_it(error: BaseException | None) -> bool:
    """Whether the compiled half was missing, also behind another error."""
    while error is not None:
        if isinstance(error, MissingPackage) and NEEDED in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False


class LeftOut:
    """The hooks of pytest."""

    def __init__(self) -> None:
        self.files: Counter[str] = Counter()

    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Leave out the half of a test for both engines that is for the compiled one."""
        out = [item for item in items if "rust" in values(item)]
        config.hook.pytest_deselected(items=out)
        items[:] = [item for item in items if item not in out]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if call.excinfo is not None and report.failed and asks_for_it(call.excinfo.value):
            report.outcome = "skipped"
            report.longrepr = (str(item.path), 0, REASON)
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        report = yield
        if report.failed and NEEDED in str(report.longrepr):
            report.outcome = "skipped"
            report.longrepr = (str(collector.path), 0, REASON)
        return report

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        skipped = [
            one for one in terminalreporter.stats.get("skipped", ()) if REASON in one.longrepr
        ]
        deselected = len(terminalreporter.stats.get("deselected", ()))
        terminalreporter.write_line(
            f"left out, since they need the compiled half: {len(skipped)} tests;"
            f" {deselected} for that engine, or long"
        )


def values(item: pytest.Item) -> list[object]:
    """The arguments of a test that is run for each of several."""
    call = getattr(item, "callspec", None)
    found = [] if call is None else list(call.params.values())
    return [*found, *(part for one in found if isinstance(one, tuple | list) for part in one)]
