"""The documentation site: it builds without a warning, leads nowhere wrong and fetches nothing."""

from __future__ import annotations

import fcntl
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "docs/site"))
NAMES = import_module("names").public_names()
FETCHED = {"src", "srcset", "data", "poster", "action"}
"""Attributes whose address a browser asks for by itself, or sends to."""


class Page(HTMLParser):
    """The anchors of a page, its links, and what a browser fetches to show it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: set[str] = set()
        self.fetched: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name == "id" and value:
                self.anchors.add(value)
            elif name == "href" and value:
                (self.links if tag == "a" else self.fetched).add(value)
            elif name in FETCHED and value:
                self.fetched.add(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `make docs` builds it; once, also where several processes run the tests."""
    ours = tmp_path_factory.getbasetemp()
    shared = ours.parent if "PYTEST_XDIST_WORKER" in os.environ else ours
    folder, told = shared / "site", shared / "site.json"
    with (shared / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not told.exists():
            command = [sys.executable, ROOT / "docs/site/build.py", folder]
            built = subprocess.run(command, capture_output=True, text=True)
            told.write_text(json.dumps([built.returncode, built.stdout, built.stderr]))
    assert json.loads(told.read_text()) == [0, "", ""]
    return folder / "html"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in site.rglob("*.html")}


def test_every_link_leads_somewhere(site: Path, pages: dict[Path, Page]) -> None:
    checked = 0
    for path, page in pages.items():
        for link in page.links | page.fetched:
            address = urlsplit(link)
            if address.scheme in ("http", "https"):
                continue
            assert address.scheme in ("", "data"), f"{path.name}: {link}"
            target = (path.parent / unquote(address.path)).resolve() if address.path else path
            if address.scheme == "" and path.name != "search.html":
                assert target.is_file(), f"{path.relative_to(site)}: {link}"
                known = pages[target].anchors if target in pages else {address.fragment}
                assert not address.fragment or unquote(address.fragment) in known, link
                checked += 1
    assert checked > 1000


def test_nothing_is_fetched_from_elsewhere(site: Path, pages: dict[Path, Page]) -> None:
    for page in pages.values():
        assert not [one for one in page.fetched if re.match(r"(https?:)?//", one)]
    for style in site.rglob("*.css"):
        assert not re.findall(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", style.read_text())
    for picture in site.rglob("*.svg"):
        assert 'href="http' not in picture.read_text(encoding="utf-8")


def test_the_first_page_lists_every_page(site: Path, pages: dict[Path, Page]) -> None:
    listed = pages[site / "index.html"].links
    below = [*(ROOT / "docs").glob("*.md"), *(ROOT / "docs/games").glob("*.md")]
    assert len(below) > 20
    for page in below:
        assert str(page.relative_to(ROOT).with_suffix(".html")) in listed


def test_every_public_name_has_an_entry(site: Path, pages: dict[Path, Page]) -> None:
    for module, names in NAMES.items():
        entries = pages[site / "api" / f"{module}.html"].anchors
        assert {f"{module}.{name}" for name in names} <= entries


def test_there_is_a_search_box(site: Path, pages: dict[Path, Page]) -> None:
    assert "search.html" in pages[site / "index.html"].fetched
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    assert index.startswith("Search.setIndex(")
    for word in ("docs/searches", "api/sylve.rules", "ucb1"):
        assert f'"{word}"' in index
