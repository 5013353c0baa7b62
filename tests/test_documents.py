"""Every example in the README, the docs and the docstrings runs; every public name has one."""

import doctest
import importlib
import pkgutil
import sys
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
sys.path.insert(0, str(ROOT / "docs/site"))
NAMES = importlib.import_module("names").public_names()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # an example may write a file
    # A fence closes the expected output: doctest would take it as part of it.
    text = page.read_text(encoding="utf-8").replace("```", "\n")
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    results = doctest.DocTestRunner().run(test)
    assert results.failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_module(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize(
    ("module", "name"), [(module, name) for module in NAMES for name in NAMES[module]]
)
def test_every_public_name_has_an_example(module: str, name: str) -> None:
    """In the docstring of a class or function; of a value, in that of its module."""
    value = getattr(sys.modules[module], name)
    home = value.__module__ if callable(value) else module
    found = doctest.DocTestFinder().find(sys.modules[home])
    place = f"{home}.{value.__qualname__}" if callable(value) else home
    (test,) = [test for test in found if test.name == place]
    assert test.examples
    assert callable(value) or name in test.docstring.partition(">>>")[2]


def test_every_public_name_is_found() -> None:
    assert set(NAMES["sylve"]) == set(sylve.__all__)
    assert {"sylve.rules", "sylve.bandit", "sylve.tables", "sylve.tsp", "sylve.lab"} < NAMES.keys()


def test_links_lead_somewhere() -> None:
    import re

    for page in [*PAGES, *ROOT.glob("*.md")]:
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


HAND_WRITTEN = [
    page
    for page in sorted(ROOT.rglob("*.md"))
    if not {"results", ".venv", "target", "site"} & set(page.relative_to(ROOT).parts)
    and "docs/lab/" not in page.as_posix()
    and not any(part.startswith(".") for part in page.relative_to(ROOT).parts)
]


@pytest.mark.parametrize("page", HAND_WRITTEN, ids=lambda page: str(page.relative_to(ROOT)))
def test_prose_is_wrapped_at_100_columns(page: Path) -> None:
    """Code, tables, headings and pictures may be wider."""
    inside_code = False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith("```"):
            inside_code = not inside_code
        elif not inside_code and not line.lstrip().startswith(("|", "#", "![", ">>>", "...")):
            assert len(line) <= 100, f"line {number} has {len(line)} characters"
