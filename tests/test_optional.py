"""Without the packages that are optional: what is missing is told first, the rest is done."""

from __future__ import annotations

import ast
import html.parser
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from sylve.lab import run
from sylve.optional import PACKAGES, MissingPackage, missing, require
from test_lab import toy

ROOT = Path(__file__).parents[1]
SCRIPT = Path(__file__).with_name("without_package.py")


def without(package: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), package, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=280)


def lab(folder: Path, *more: str, package: str = "matplotlib") -> subprocess.CompletedProcess[str]:
    return without(
        package, "lab", "run", "regret", "--quick", "--out", folder, "--workers", 1, *more
    )


def test_a_lab_run_needs_no_matplotlib(tmp_path: Path) -> None:
    """Data, verdicts and page are all there; that the figure is not is known before the cells."""
    ran = lab(tmp_path)
    assert ran.returncode == 0, ran.stderr
    said = ran.stderr.splitlines()
    assert said[0] == (
        "sylve: no figure will be drawn, all else is written: the figure needs matplotlib: "
        "pip install 'sylve[lab]'"
    )
    assert said[1] == "sylve: regret: 72 cells"
    folder = tmp_path / "regret"
    told = f"{folder}: page.md, data.csv, data.json"  # wrapped at 80 columns
    assert " ".join(ran.stdout.split()).endswith(told)
    plain = {name: (folder / name).read_text() for name in ("page.md", "data.csv", "data.json")}
    assert "figure.svg" not in plain["page.md"]
    assert plain["page.md"].count("The figure is left out: matplotlib was not there.") == 1
    # The report too.
    ran = without("matplotlib", "lab", "report", "--out", tmp_path, "--json")
    assert json.loads(ran.stdout)["experiments"] == ["regret"]
    text = (tmp_path / "report.html").read_text()
    assert "The figure is left out" in text
    assert "<img" not in text
    tags = Tags()
    tags.feed(text)
    assert tags.open == []
    # The same with a figure, from the cells that are there: nothing else differs.
    drawn = lab(tmp_path, "--json", package="nothing")
    assert drawn.stderr == "sylve: regret: 72 of 72 cells already done\n"
    content = json.loads(drawn.stdout)
    files = ["page.md", "figure.svg", "figure.png", "data.csv", "data.json"]
    assert (content["files"], content["resumed"]) == (files, 72)
    for name in ("data.csv", "data.json"):
        assert (folder / name).read_text() == plain[name]
    page = (folder / "page.md").read_text()
    figure = re.search(r"!\[(.*)\]\(figure\.svg\)\n\n\1\n", page)
    assert figure is not None
    left_out = next(line for line in plain["page.md"].splitlines() if "is left out" in line)
    assert page.replace(figure[0], f"{left_out}\n") == plain["page.md"]


def test_an_old_figure_does_not_stay_beside_new_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(toy(), size="quick", out=tmp_path)
    files = {path.name for path in (tmp_path / "regret").iterdir()}
    for module in ("runner", "output"):
        monkeypatch.setattr(f"sylve.lab.{module}.missing", lambda *_: "gone")
    with pytest.warns(UserWarning, match="no figure will be drawn, all else is written: gone"):
        run(toy(), size="quick", out=tmp_path)
    left = {path.name for path in (tmp_path / "regret").iterdir()}
    assert files - left == {"figure.svg", "figure.png"}


class Tags(html.parser.HTMLParser):
    """Every tag that is opened is closed, in order."""

    ALONE = ("meta", "img", "br")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in self.ALONE:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


# Package, a command that cannot do without it, and its message.
NEEDED = {
    "distributed": (
        ["match", "random", "random", "--game", "hex", "--executor", "dask", "--no-store"],
        "the executor dask needs distributed: pip install 'sylve[dask]'",
    ),
    "distributed ": (
        ["lab", "run", "regret", "--executor", "dask", "--out", "{out}"],
        "the executor dask needs distributed: pip install 'sylve[dask]'",
    ),
    "pyarrow": (
        ["tournament", "export", "{store}", "{out}/games.parquet"],
        "Parquet needs pyarrow: pip install 'sylve[parquet]'",
    ),
    "pyspiel": (
        ["show", "open_spiel:chess"],
        "a game open_spiel:... needs pyspiel: pip install 'sylve[open_spiel]'",
    ),
    "pandas": (["frame"], "to_frame() needs pandas: pip install pandas"),
    "pettingzoo": (
        ["env"],
        "an environment of PettingZoo needs pettingzoo: pip install 'sylve[pettingzoo]'",
    ),
    "gymnasium": (
        ["make"],
        "an environment of Gymnasium needs gymnasium: pip install 'sylve[gymnasium]'",
    ),
    "numba": (
        ["analyze", f"{ROOT}/examples/own/domineering.py:Domineering", "--how", "uct(5)"],
        "a compiled game needs numba: pip install 'sylve[numba]'; until then it runs in plain"
        " Python",
    ),
}
CALLS = {"pandas", "pettingzoo", "gymnasium", "numba"}  # from Python; the others are commands


@pytest.mark.parametrize("case", NEEDED)
def test_what_is_missing_is_told(case: str, tmp_path: Path) -> None:
    command, message = NEEDED[case]
    store = tmp_path / "games.sqlite"
    if "{store}" in command:
        made = without("nothing", "match", "random", "random", "--games", 2, "--workers", 1,
                       "--game", "tic_tac_toe", "--store", store)  # fmt: skip
        assert made.returncode == 0, made.stderr
    before = set(tmp_path.iterdir())
    words = [word.format(out=tmp_path, store=store) for word in command]
    ran = without(case.strip(), *words)
    assert message in ran.stderr
    if case not in CALLS:
        assert (ran.returncode, ran.stdout, len(ran.stderr.splitlines())) == (2, "", 1)
    assert set(tmp_path.iterdir()) == before


def test_every_optional_package_is_in_the_table() -> None:
    """Each extra has its row, and only figures and machine code import theirs by themselves."""
    assert {name.strip() for name in NEEDED} | {"matplotlib"} == set(PACKAGES)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for extra, (requirement,) in project["optional-dependencies"].items():
        package = requirement.partition(">")[0].replace("open_spiel", "pyspiel")
        assert PACKAGES[package] == f"pip install 'sylve[{extra}]'"
    brought = {requirement.partition(">")[0] for requirement in project["dependencies"]}
    known = {"sylve", "sylve_command", *brought, *sys.stdlib_module_names}
    for path in (ROOT / "python" / "sylve").rglob("*.py"):
        allowed = {"lab": {"matplotlib"}, "train": {"matplotlib"}, "native": {"numba", "llvmlite"}}
        own = [allowed[part] for part in path.parts if part in allowed]
        assert set(imports(path)) <= known.union(*own), path


def imports(path: Path) -> Iterator[str]:
    """The packages that a file imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield str(node.module).partition(".")[0]


def test_a_package_that_does_not_load(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> None:
        raise ImportError("numpy is too new")

    monkeypatch.setattr("sylve.optional.import_module", broken)
    with pytest.raises(MissingPackage, match=r"the figure needs matplotlib \(it does not load: nu"):
        require("matplotlib", "the figure")
    assert missing("pandas", "it").endswith("pip install pandas")
    assert issubclass(MissingPackage, ValueError)
    assert issubclass(MissingPackage, ImportError)
