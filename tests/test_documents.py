"""Every example in the README and the docs runs, and prints what the page says."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import sylve

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
MODULES = [
    module.name
    for module in pkgutil.walk_packages(sylve.__path__, "sylve.")
    if module.name != "sylve._core"
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # an example may write a file
    # A fence closes the expected output: doctest would take it as part of it.
    text = page.read_text(encoding="utf-8").replace("```", "\n")
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    results = doctest.DocTestRunner().run(test)
    assert results.failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_module(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_links_lead_somewhere() -> None:
    import re

    for page in [*PAGES, *ROOT.glob("*.md")]:
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
