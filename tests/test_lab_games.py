"""`sylve lab run NAME --game GAME`: other games than those of the experiment."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from commands import call
from own_module import forget
from own_module import module as module
from sylve.lab import NAMES, Experiment, Interrupted, load, run
from sylve.lab.experiment import ANY_GAME
from sylve.lab.runner import CellFails
from sylve.workers.local import LocalPool

HEX = "hex(size=3)"


def short(name: str) -> Experiment:
    """As few of the quick cells as the verdicts need."""
    experiment = load(name)
    cells = experiment.cells("quick")
    if name == "information":
        few = [cells[0] | {"simulations": number, "runs": 3} for number in (20, 40, 80)]
    else:
        few = cells if name == "beta" else cells[:1]
    return dataclasses.replace(experiment, cells=lambda _: few)


@pytest.mark.parametrize("name", ANY_GAME)
def test_the_cells_are_of_the_game_that_was_given(name: str) -> None:
    cells = load(name).cells_of("quick", HEX)
    assert {cell["game"] for cell in cells} == {HEX}
    other = load(name).cells("quick")
    assert [cell for cell in other if cell["game"] == other[0]["game"]] == [
        cell | {"game": other[0]["game"]} for cell in cells
    ]
    result = run(short(name), game="hex(3)")
    assert {row["game"] for row in result.rows} == {HEX}
    assert (result.game, len(result.verdicts)) == (HEX, len(load(name).claims))


@pytest.mark.parametrize("name", sorted(NAMES.keys() - set(ANY_GAME)))
def test_experiments_with_games_of_their_own_say_so(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} has games of its own: .* information, bias, "):
        load(name).cells_of("quick", HEX)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["kuhn", "--game", HEX], "kuhn has games of its own"),
        (["bias", "--game", "hexx"], "unknown game 'hexx'"),
        (["bias", "--game", "no_such_module:Dots"], "cannot import module"),
    ],
    ids=" ".join,
)
def test_what_is_refused_writes_nothing(
    arguments: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    printed = call("lab", "run", *arguments)
    assert (printed.code, printed.out) == (2, "")
    assert told in printed.err
    assert list(tmp_path.iterdir()) == []


def test_a_game_of_ones_own_in_workers(module: str, tmp_path: Path) -> None:
    experiment = short("information")
    text = f"{module}:Dots(rows=1)"

    def rows_of(game: str) -> list[object]:
        pool = LocalPool(1)
        try:
            return list(run(experiment, game=game, out=tmp_path, executor=pool).rows)
        finally:
            pool.close(now=True)

    found = rows_of(f"./{module}.py:Dots(2, 1)")
    assert found == list(run(experiment, game=text).rows)
    folder = tmp_path / "information"
    assert f"sylve lab run information --game '{text}' --seed 1" in (folder / "page.md").read_text()
    for cell in (folder / "cells").iterdir():
        assert list(json.loads(cell.read_text())["cell"]["sources"]) == [module]
    # Another source is another game: what was found of the old one does not count for it.
    forget(module)
    with Path(f"{module}.py").open("a") as file:
        file.write("\n# changed\n")
    assert run(experiment, game=text, out=tmp_path).resumed == 0
    assert run(experiment, game=text, out=tmp_path).resumed == 3
    assert len(list((folder / "cells").iterdir())) == 6


def test_a_worker_with_another_source_ends_the_run(module: str) -> None:
    experiment = short("information")
    text = f"{module}:Dots(rows=1)"
    run(experiment, game=text)  # the source as it is now is what counts
    with Path(f"{module}.py").open("a") as file:
        file.write("\n# changed\n")
    pool = LocalPool(1)
    try:
        with pytest.raises((CellFails, Interrupted), match="has another source than where the run"):
            run(experiment, game=text, executor=pool)
    finally:
        pool.close(now=True)
