"""The lab: cells, stores, workers, kills, files; with experiments that take no time."""

import csv
import hashlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from sylve.lab import NAMES, Claim, Experiment, Interrupted, Table, Verdict, load, run
from sylve.lab.experiment import Row
from sylve.lab.output import csv_of
from sylve.lab.report import html_report, read_results
from sylve.lab.runner import CellFails
from sylve.lab.store import identity
from sylve.workers.local import LocalPool

ROOT = Path(__file__).parents[1]
SYLVE = Path(sys.executable).with_name("sylve")
TINY = [
    {"problem": problem, "search": text, "runs": 2, "looks": [30, 100]}
    for problem in ("2 arms, gap 0.3", "2 arms, gap 0.1")
    for text in ("flat", "ucb(rule=thompson)")
]


def toy(**changes: Any) -> Experiment:
    """Squares; under a name of the list, so that it has a title."""

    def figure(rows: Any) -> Any:
        from sylve.lab.style import line, panels

        drawing, (axis,) = panels()
        line(axis, 0, [row["x"] for row in rows], [row["y"] for row in rows], "squares")
        return drawing

    fields: dict[str, Any] = {
        "name": "regret",
        "claims": [Claim("y is x squared", "a book")],
        "method": "Multiply.\n\nThen look.",
        "cells": lambda size: [{"x": x} for x in range(3 if size == "quick" else 5)],
        "run_cell": lambda cell, seed: [{"x": cell["x"], "y": cell["x"] ** 2 / seed}],
        "verdicts": lambda rows: [Verdict("holds", f"{len(rows)} of them.")],
        "tables": lambda rows: [Table("All", ["x", "y"], [[r["x"], r["y"]] for r in rows])],
        "figure": figure,
        "caption": "Squares | and more.",
    }
    return Experiment(**{**fields, **changes})


def test_every_experiment_loads_and_is_complete() -> None:
    for name in NAMES:
        experiment = load(name)
        assert experiment.name == name
        for size in ("quick", "full"):
            cells = experiment.cells(size)  # type: ignore[arg-type]
            keys = [identity(experiment, cell, 1) for cell in cells]
            assert len(set(keys)) == len(keys) > 0, "a cell stands twice"
            assert json.loads(json.dumps(cells)) == cells
        assert all(claim.source for claim in experiment.claims)


def test_unknown_names_get_a_suggestion() -> None:
    with pytest.raises(ValueError, match="unknown experiment 'regrets': did you mean 'regret'"):
        load("regrets")


def test_files(tmp_path: Path) -> None:
    result = run(toy(), size="quick", seed=3, out=tmp_path)
    folder = tmp_path / "regret"
    names = {"data.csv", "data.json", "figure.svg", "figure.png", "page.md", "cells"}
    assert {path.name for path in folder.iterdir()} == names
    assert (folder / "data.csv").read_text() == "x,y\n0,0.0\n1,0.33333333\n2,1.3333333\n"
    content = json.loads((folder / "data.json").read_text())
    assert content["rows"] == result.rows
    assert (content["configuration"], content["seed"], content["cells"]) == ("quick", 3, 3)
    page = (folder / "page.md").read_text()
    assert '1. "y is x squared" (a book)\n\n   **Holds.** 3 of them.' in page
    assert "the quick configuration" in page
    assert "sylve lab run regret --quick --seed 3" in page
    assert hashlib.sha256((folder / "data.csv").read_bytes()).hexdigest() in page
    assert "<svg" in (folder / "figure.svg").read_text()
    assert (folder / "figure.png").read_bytes().startswith(b"\x89PNG")


def test_the_same_bytes_twice(tmp_path: Path) -> None:
    for name in "ab":
        run(toy(), size="quick", out=tmp_path / name)
    for name in ("data.csv", "data.json", "figure.svg", "figure.png", "page.md"):
        one, two = (tmp_path / side / "regret" / name for side in "ab")
        assert one.read_bytes() == two.read_bytes(), name
    assert "20" + "26" not in (tmp_path / "a/regret/figure.svg").read_text()  # no date


def test_a_missing_column_is_empty_and_text_is_quoted() -> None:
    rows: list[Row] = [{"a": 1, "b": None}, {"a": 0.5, "c": 'x, "y"'}, {"a": True, "c": ""}]
    text = csv_of(rows).decode()
    assert text == 'a,b,c\n1,,\n0.5,,"x, ""y"""\ntrue,,\n'
    assert list(csv.DictReader(io.StringIO(text)))[1]["c"] == 'x, "y"'


def test_finished_cells_are_not_run_again(tmp_path: Path) -> None:
    ran: list[int] = []

    def count(cell: dict[str, Any], seed: int) -> list[dict[str, Any]]:
        ran.append(cell["x"])
        if len(ran) == 3:
            raise KeyboardInterrupt
        return [{"x": cell["x"], "y": 0.0}]

    with pytest.raises(Interrupted, match="2 of 5 cells are done"):
        run(toy(run_cell=count), out=tmp_path)
    assert not (tmp_path / "regret" / "page.md").exists()
    result = run(toy(run_cell=count), out=tmp_path)
    assert ran == [0, 1, 2, 2, 3, 4]
    assert result.resumed == 2
    run(toy(run_cell=count), out=tmp_path)
    assert len(ran) == 6
    run(toy(run_cell=count), seed=2, out=tmp_path)  # another seed, other cells
    assert len(ran) == 11
    run(toy(run_cell=count, version=2), out=tmp_path)  # another version too
    assert len(ran) == 16


def test_a_damaged_cell_is_run_again(tmp_path: Path) -> None:
    run(toy(), out=tmp_path)
    wanted = (tmp_path / "regret" / "data.csv").read_bytes()
    for number, path in enumerate(sorted((tmp_path / "regret" / "cells").iterdir())):
        path.write_bytes(path.read_bytes()[: [0, 10, 30, 0, 5][number]])
    assert run(toy(), out=tmp_path).resumed == 0
    assert (tmp_path / "regret" / "data.csv").read_bytes() == wanted


TOURS = [
    {"cities": 6, "instance": number, "seeds": 1, "playouts": [10, 20], "restarts": 2}
    for number in range(3)
]
FILES = ("data.csv", "data.json", "figure.svg", "page.md")


def files_by(executor: Any, out: Path) -> list[bytes]:
    try:
        run("tsp", cells=TOURS, out=out, executor=executor)
    finally:
        if executor is not None:
            executor.close(now=False)
    return [(out / "tsp" / name).read_bytes() for name in FILES]


def test_one_and_two_workers_give_the_same_bytes(tmp_path: Path) -> None:
    here = files_by(None, tmp_path / "0")
    assert files_by(LocalPool(1), tmp_path / "1") == here
    assert files_by(LocalPool(2), tmp_path / "2") == here


@pytest.mark.long
def test_a_cluster_gives_the_same_bytes(tmp_path: Path) -> None:
    from sylve.workers.cluster import DaskPool

    here = files_by(None, tmp_path / "0")
    assert files_by(DaskPool(None, 2), tmp_path / "1") == here


def test_a_failing_cell_says_which(tmp_path: Path) -> None:
    executor = LocalPool(1)
    cells = [TINY[0], {"problem": "no such game", "position": 0}]
    with pytest.raises(CellFails, match="no such game"):
        run("regret", cells=cells, out=tmp_path, executor=executor)
    executor.close(now=True)
    assert len(list((tmp_path / "regret" / "cells").iterdir())) == 1


def test_a_cell_whose_worker_dies_is_run_again(tmp_path: Path) -> None:
    """What is lost is the worker, not the cell."""
    pool, wanted = LocalPool(1), run("tsp", cells=TOURS).rows

    def kill(done: int, _: int) -> None:
        if done == 1:
            os.kill(pool.pids[0], signal.SIGKILL)

    result = run("tsp", cells=TOURS, executor=pool, progress=kill)
    pool.close(now=True)
    assert result.rows == wanted


def test_rows_must_be_plain(tmp_path: Path) -> None:
    bad = toy(run_cell=lambda cell, seed: [{"x": cell["x"], "y": float("nan")}])
    with pytest.raises(ValueError, match="Out of range float"):
        run(bad, out=tmp_path)


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    command = [SYLVE, "lab", "run", "regret", "--quick", "--out", str(tmp_path), "--workers", "2"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    cells = tmp_path / "regret" / "cells"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and len(list(cells.glob("*.json"))) < 2:
        time.sleep(0.05)
    process.kill()
    process.wait()
    kept = {path.name: path.read_bytes() for path in cells.glob("[!.]*.json")}
    assert len(kept) >= 2
    # The same experiment goes on from them: what is kept is not written again.
    experiment = load("regret")
    chosen = [
        cell for cell in experiment.cells("quick")
        if f"{identity(experiment, cell, 1)}.json" in kept
    ]  # fmt: skip
    assert len(chosen) == len(kept)
    store_before = {name: (cells / name).stat().st_mtime_ns for name in kept}
    again = run(
        toy(
            run_cell=lambda cell, seed: pytest.fail("run again"),
            verdicts=lambda rows: [Verdict("holds", "-")],
            tables=lambda rows: [],
            figure=lambda rows: toy().figure([{"x": 0, "y": 0}]),
        ),
        cells=chosen,
        out=tmp_path,
    )
    assert again.resumed == len(kept)
    assert store_before == {name: (cells / name).stat().st_mtime_ns for name in kept}


def test_ctrl_c_leaves_with_130_and_everything_saved(tmp_path: Path) -> None:
    command = [SYLVE, "lab", "run", "regret", "--quick", "--out", str(tmp_path), "--workers", "1"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    cells = tmp_path / "regret" / "cells"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not list(cells.glob("*.json")):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    found = re.search(r"(\d+) of 72 cells are done; resume with:\n  sylve lab run regret", errors)
    assert found is not None, errors
    assert len(list(cells.glob("[!.]*.json"))) == int(found[1]) >= 1


def call(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [SYLVE, "lab", *arguments], capture_output=True, text=True, timeout=120,
        env={**os.environ, "COLUMNS": "200"},
    )  # fmt: skip


def test_command_line(tmp_path: Path) -> None:
    listed = call("list")
    assert [line.split()[0] for line in listed.stdout.splitlines()[2:]] == list(NAMES)
    names = [entry["name"] for entry in json.loads(call("list", "--json").stdout)["experiments"]]
    assert names == list(NAMES)
    wrong = call("run", "truht", "--out", str(tmp_path))
    assert wrong.returncode == 2
    assert "did you mean 'truth'" in wrong.stderr
    assert "Traceback" not in wrong.stderr
    empty = call("report", "--out", str(tmp_path))
    assert empty.returncode == 2
    assert "no results in" in empty.stderr
    assert call("run", "regret", "--executor", "nowhere", "--out", str(tmp_path)).returncode == 2


def test_report_is_one_file(tmp_path: Path) -> None:
    run(toy(claims=[Claim("a < b & `c`", "a <book>")]), size="quick", out=tmp_path)
    text = html_report(read_results(tmp_path))
    assert "a &lt; b &amp; <code>c</code>" in text
    assert "a &lt;book&gt;" in text
    assert text.count("data:image/svg+xml;base64,") == 1
    assert not re.search(r"<script|(?:src|href)=\"(?!data:|#)", text)
    done = call("report", "--out", str(tmp_path), "--json")
    assert json.loads(done.stdout)["experiments"] == ["regret"]
    assert (tmp_path / "report.html").read_text() == text


RESULTS = sorted((ROOT / "docs" / "lab").glob("*/page.md"))


@pytest.mark.parametrize("page", RESULTS, ids=lambda page: page.parent.name)
def test_committed_results_are_what_their_data_says(page: Path) -> None:
    """The page holds the hash of its data, and its verdicts are computed from them again."""
    data = (page.parent / "data.csv").read_bytes()
    text = page.read_text(encoding="utf-8")
    assert hashlib.sha256(data).hexdigest() in text
    assert (page.parent / "figure.svg").is_file()
    rows = [
        {name: plain(value) for name, value in row.items() if value != ""}
        for row in csv.DictReader(io.StringIO(data.decode()))
    ]
    name, summary = page.parent.name, (page.parent.parent / "README.md").read_text(encoding="utf-8")
    experiment = load(name)
    for claim, verdict in zip(experiment.claims, experiment.verdicts(rows), strict=True):
        assert f"**{verdict.answer.capitalize()}.** {verdict.reason}" in text
        assert f"| [{name}]({name}/page.md) | {claim.text} | {verdict.answer} |\n" in summary


def plain(value: str) -> Any:
    try:
        return json.loads(value)
    except ValueError:
        return value
