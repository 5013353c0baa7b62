"""ARCHITECTURE.md is true: every part is listed, and uses only what stands before it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from module_graph import ROOT, Graph, RustCrate, cycle, python_graph

PAGE = (ROOT / "ARCHITECTURE.md").read_text()
CRATES = ("crates/sylve-core/src", "crates/sylve-py/src")
CONTENTS = {"__init__.py", "mod.rs", "lib.rs", "tests.rs", "py.typed"}
"""Tables of contents, and what is for tests: no parts of their own."""


def read_tables(page: str) -> dict[str, list[str]]:
    """The folders that have a table, each with its parts in the order of the rows."""
    tables: dict[str, list[str]] = {}
    for section in re.split(r"(?m)^### ", page)[1:]:
        heading = re.match(r".*?`([\w/-]+)/`", section)
        if heading:
            tables[heading[1]] = re.findall(r"(?m)^\| `([\w./-]+?)/?` \|", section)
    return tables


TABLES = read_tables(PAGE)
tables = pytest.mark.parametrize("folder", TABLES)


def graphs() -> dict[str, Graph]:
    rust = {source: RustCrate(ROOT / source).graph() for source in CRATES}
    return rust | {"python": python_graph(ROOT / "python")}


GRAPHS = graphs()


SOURCES = ("crates", "python", "tests", "docs", "benchmarks", "examples", "fuzz")
BUILT = {"__pycache__", "target", "corpus", "artifacts", "_core.abi3.so"}


def sources() -> list[Path]:
    """The files of the project, without what was built; relative to its root."""
    found = [path for folder in SOURCES for path in (ROOT / folder).rglob("*") if path.is_file()]
    found += [*ROOT.glob("*.md"), *ROOT.glob("*.toml")]
    named = [path.relative_to(ROOT) for path in sorted(found)]
    return [path for path in named if BUILT.isdisjoint(path.parts)]


def upward(folder: str, parts: list[str], graph: Graph) -> list[str]:
    """The uses of a part by one that stands above it in the table of a folder."""
    order = {part: place for place, part in enumerate(parts)}
    depth = len(Path(folder).parts)

    def part(file: Path) -> str | None:
        contents = len(file.parts) == depth + 1 and file.name in CONTENTS
        return None if contents or not file.is_relative_to(folder) else file.parts[depth]

    return [
        f"{file} uses {used}"
        for file in sorted(graph)
        for used in sorted(graph[file])
        if (user := part(file)) and (needed := part(used)) and user != needed
        if order.get(user, -1) < order.get(needed, -1)
    ]


def test_the_tables_are_read() -> None:
    assert {"python/sylve", "python/sylve/search", *CRATES} <= TABLES.keys()
    assert all(len(parts) > 3 for parts in TABLES.values())


@tables
def test_every_part_is_listed_once(folder: str) -> None:
    depth = len(Path(folder).parts)
    parts = {path.parts[depth] for path in sources() if path.is_relative_to(folder)}
    assert sorted(TABLES[folder]) == sorted(parts - CONTENTS)


@tables
def test_nobody_uses_what_stands_below(folder: str) -> None:
    for graph in GRAPHS.values():
        assert upward(folder, TABLES[folder], graph) == []


@pytest.mark.parametrize("source", GRAPHS)
def test_no_cycle(source: str) -> None:
    assert [str(file) for file in cycle(GRAPHS[source])] == []


def test_the_graphs_are_not_empty() -> None:
    """A reader of imports that finds none would find no cycle either."""
    known = {
        "crates/sylve-core/src": ("search/tree.rs", "game.rs"),
        "crates/sylve-py/src": ("searcher.rs", "leaving.rs"),
        "python": ("sylve/position.py", "sylve/game.py"),
    }
    for source, (user, used) in known.items():
        assert Path(source, used) in GRAPHS[source][Path(source, user)]
        assert sum(map(len, GRAPHS[source].values())) > len(GRAPHS[source])


def test_a_lazy_import_counts(tmp_path: Path) -> None:
    graph = {Path("a/low.py"): {Path("a/high.py")}, Path("a/high.py"): {Path("a/low.py")}}
    assert cycle(graph) == [Path("a/high.py"), Path("a/low.py"), Path("a/high.py")]
    assert upward("a", ["low.py", "high.py"], graph) == ["a/low.py uses a/high.py"]


PATHS = re.compile(
    r"(?<![\w/.])((?:crates|python|tests|docs|benchmarks|examples|fuzz)/[\w./-]+"
    r"\.(?:rs|py|pyi|md|toml|txt|patch|perft|sh|json))\b"
)


def test_every_path_that_is_named_exists() -> None:
    """In comments and documents. NAME stands for a name that a reader chooses."""
    texts = {".rs", ".py", ".md", ".toml"}
    dead = [
        f"{file}: {path}"
        for file in sources()
        if file.suffix in texts and not file.is_relative_to("tests/data")
        for path in PATHS.findall((ROOT / file).read_text())
        if "NAME" not in path and not (ROOT / path).exists()
    ]
    assert dead == []
