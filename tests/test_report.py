"""Reports: the explanation on constructed cases, the table, the HTML, the JSON."""

import dataclasses
import json
import subprocess
import sys
import types
import xml.etree.ElementTree as ElementTree
from collections.abc import Hashable, Sequence

import pytest
from rich.console import Console

from helpers import random_game
from sylve import (
    AmafUct,
    Flat,
    FlatAmaf,
    MoveReport,
    Outcome,
    Player,
    Position,
    Rave,
    Report,
    Search,
    SequentialHalving,
    Ucb,
    Uct,
    compare_estimates,
    parse_search,
    search,
)
from sylve.search.reference.bandits import SequentialHalvingRoot
from sylve.search.reference.tally import Tally
from sylve.search.reports.explain import effective_samples, halvings
from sylve.search.reports.show import heat, report_html, report_svg, report_table
from sylve.search.text import SEARCHES

START = Position.start("tic_tac_toe")
BREAKTHROUGH = Position.start("breakthrough(columns=5, rows=5)")


def entry(move: int, rank: int, wins: int, visits: int, **others: object) -> MoveReport:
    """A move with so many wins in so many visits, the rest lost."""
    tally = Tally(visits, wins, 0)
    known = MoveReport(
        move=move, name=START.name(move), visits=visits, wins=wins, draws=0,
        mean=tally.mean() if visits else None, stderr=tally.stderr(), amaf_visits=None,
        amaf_mean=None, beta=None, score=None, exploration=None, rank=rank,
    )  # fmt: skip
    return dataclasses.replace(known, **others)  # type: ignore[arg-type]


def made(how: Search, *moves: MoveReport) -> Report:
    return Report(
        position=START, search=how, playouts=how.playouts, nodes=1, best=moves[0].move,
        line=(moves[0].move,), moves=moves, stopped="playouts", engine="rust", seconds=0.5,
        bytes=None,
    )  # fmt: skip


# Differences from 0.07 to 0 with a standard error of sqrt(2 * 0.25 / 1000) = 0.0224.
@pytest.mark.parametrize(
    ("wins", "told"),
    [
        (570, "0.070 or 3.1 standard errors: clear."),
        (550, "0.050 or 2.2 standard errors: likely."),
        (520, "0.020 or 0.9 standard errors: not settled."),
        (500, "0.000 or 0.0 standard errors: not settled."),
    ],
)
def test_how_sure(wins: int, told: str) -> None:
    text = made(Uct(2001), entry(0, 1, wins, 1000), entry(4, 2, 500, 1000)).explain()
    assert told in text
    assert text.count(". ") <= 2, "two or three sentences"


def test_the_runner_up_with_the_higher_mean() -> None:
    text = made(Uct(2000), entry(0, 1, 500, 1500), entry(4, 2, 250, 500)).explain()
    assert text.startswith("a1 was chosen for the most visits, 1,500 of 2,000, against 500")
    assert "The mean of the runner-up is higher, 0.500 ± 0.022 against 0.333 ± 0.012" in text
    assert text.count("not settled") == 1


def test_equal_visits() -> None:
    by_mean = made(Uct(100), entry(4, 1, 40, 50), entry(0, 2, 30, 50)).explain()
    assert (
        "b2 and a1 have the most visits, 50 of 100 each: b2 was chosen because its mean" in by_mean
    )
    first = made(Uct(100), entry(0, 1, 30, 50), entry(4, 2, 30, 50)).explain()
    assert "a1 was chosen because it comes first." in first


@pytest.mark.parametrize(("visits", "times"), [(0, "0 times"), (1, "once"), (9, "9 times")])
def test_too_few_playouts(visits: int, times: str) -> None:
    text = made(Uct(100), entry(0, 1, 30, 50), entry(4, 2, 0, visits)).explain()
    assert f"This is not settled: b2 was tried {times}, too few to compare means." in text


def test_results_all_alike_are_not_believed_blindly() -> None:
    text = made(Uct(30), entry(0, 1, 10, 10), entry(4, 2, 0, 10)).explain()
    # 1 / 12 for each: a difference of 1 is 8.5 standard errors, not infinitely many.
    assert "1.000 ± 0.083 and 0.000 ± 0.083" in text
    assert "8.5 standard errors: clear" in text


def test_flat() -> None:
    text = made(Flat(100), entry(0, 1, 40, 50), entry(4, 2, 20, 50)).explain()
    assert text.startswith("a1 was chosen for the highest mean, 0.800, against 0.400 for the")
    assert text.endswith(
        "flat never looks at replies: it looks for the best move against uniform playouts."
    )
    equal = made(Flat(100), entry(0, 1, 40, 50), entry(4, 2, 40, 50)).explain()
    assert "a1 and b2 have the same mean, 0.800: a1 was chosen because it comes first." in equal
    nothing = search(START, Flat(5, remainder="drop")).explain()
    assert nothing.startswith("a1 was chosen by the mean, but there were no playouts of either.")


def test_flat_with_weights_is_less_sure() -> None:
    moves = entry(0, 1, 600, 1000), entry(4, 2, 400, 1000)
    assert "9.1 standard errors: clear" in made(Flat(2000, gamma=1.0), *moves).explain()
    assert "1.3 standard errors: not settled" in made(Flat(2000, gamma=0.9), *moves).explain()


@pytest.mark.parametrize(("gamma", "samples"), [(0.5, 1), (0.5, 3), (0.9, 10), (0.99, 1000)])
def test_effective_samples(gamma: float, samples: int) -> None:
    weights = [gamma**age for age in range(samples)]
    expected = sum(weights) ** 2 / sum(weight * weight for weight in weights)
    assert effective_samples(gamma, samples) == pytest.approx(expected)


def test_flat_amaf() -> None:
    best = entry(0, 1, 5, 5, amaf_visits=101, amaf_mean=0.8)
    second = entry(4, 2, 50, 90, amaf_visits=101, amaf_mean=0.5)
    text = made(FlatAmaf(200), best, second).explain()
    assert text.startswith("a1 was chosen for the highest AMAF mean, 0.800, against 0.500")
    # sqrt(0.8 * 0.2 / 100) = 0.04 and sqrt(0.25 / 100) = 0.05: 0.3 / sqrt(0.0041) = 4.7
    assert "0.800 ± 0.040 and 0.500 ± 0.050 (AMAF mean ± standard error)" in text
    assert "4.7 standard errors: clear." in text
    assert "never looks at replies" in text
    assert text.endswith("the bias of AMAF is not part of these errors.")
    unseen = made(FlatAmaf(200), best, entry(4, 2, 0, 0, amaf_visits=0)).explain()
    assert "0.500 for the runner-up b2. This is not settled: b2 was seen 0 times" in unseen


def test_sequential_halving() -> None:
    how = SequentialHalving(1000)
    text = search(BREAKTHROUGH, how).explain()
    assert "was chosen because it survived all 4 rounds of halving; the runner-up" in text
    assert "sequential_halving never looks at replies" in text
    few = search(BREAKTHROUGH, SequentialHalving(8)).explain()
    assert "but all 4 rounds need more than 8 playouts" in few
    two = made(SequentialHalving(100), entry(0, 1, 40, 50), entry(4, 2, 30, 50)).explain()
    assert "survived the one round of halving" in two


@pytest.mark.parametrize("moves", [2, 3, 5, 9])
def test_halvings_are_those_of_the_search(moves: int) -> None:
    line = ["a1", "b1", "c1", "a2", "c2", "b2", "a3"]  # no row of three on the way
    position = START.play_line(line[: 9 - moves])
    for playouts in range(1, 60):
        run = SequentialHalvingRoot(position, SequentialHalving(playouts))
        run.run(playouts)
        run.values()
        rounds, complete = halvings(len(position.moves), playouts)
        assert complete == (len(run.left) == 1)
        assert rounds == run.rounds


def test_what_the_errors_leave_out() -> None:
    moves = entry(0, 1, 40, 50), entry(4, 2, 30, 50)
    assert "ucb never looks at replies" in made(Ucb(100), *moves).explain()
    for how in (Uct(100), Rave(100)):
        text = made(how, *moves).explain()
        assert text.endswith("so the real uncertainty is larger.")
        assert "replies:" not in text
    assert "amaf_uct never outgrows the bias" in made(AmafUct(100), *moves).explain()
    assert "bias" not in made(AmafUct(100, alpha=0), *moves).explain()
    assert "against mast playouts" in made(parse_search("ucb(playout=mast)"), *moves).explain()


def test_only_move() -> None:
    position = START.play_line("a1 b1 c1 a2 c2 b2 a3 c3")
    report = search(position, Uct(100))
    assert report.explain() == "b3 is the only legal move: nothing was searched."
    assert "b3" in html(report)
    assert "b3" in printed(report)


# The table.


def printed(report: Report, top: int | None = None) -> str:
    console = Console(width=150)
    with console.capture() as capture:
        console.print(report_table(report, top))
    return capture.get()


def headings(report: Report) -> list[str]:
    return list(report_table(report).head)


@pytest.mark.parametrize(
    ("how", "columns"),
    [
        ("flat", []),
        ("flat_amaf", ["AMAF visits", "AMAF mean"]),
        ("ucb", ["score", "exploration"]),
        ("sequential_halving", []),
        ("uct", ["score", "exploration"]),
        ("amaf_uct", ["AMAF visits", "AMAF mean", "beta", "score", "exploration"]),
        ("rave", ["AMAF visits", "AMAF mean", "beta", "score"]),
        ("rave(c=0.1)", ["AMAF visits", "AMAF mean", "beta", "score", "exploration"]),
        ("multi_scale_rave", ["AMAF visits", "AMAF mean", "beta", "score"]),
        ("grave", ["AMAF visits", "AMAF mean", "beta", "score"]),
    ],
)
def test_columns_that_do_not_apply_are_left_out(how: str, columns: list[str]) -> None:
    report = search(START, parse_search(how))
    assert headings(report) == ["rank", "move", "visits", "mean ± error", *columns]


def test_table() -> None:
    report = search(START, Uct(1500, seed=3))
    lines = printed(report).splitlines()
    assert "uct(playouts=1500, seed=3) on tic_tac_toe" in lines[0]
    rows = [line.split() for line in lines if line.strip()[:1].isdigit()][: len(report.moves)]
    assert [row[1] for row in rows] == [move.name for move in report.ranked]
    assert rows[0][1] == report.best_name
    for word in (
        "1,500 playouts",
        " nodes",
        "playouts/s",
        "bytes",
        "seed 3",
        "engine rust",
        "line",
    ):
        assert word in " ".join(" ".join(lines).split()), word
    short = printed(report, top=2)
    assert report.ranked[1].name in short
    assert f"\n     3   {report.ranked[2].name}" not in short


def test_names_are_no_markup() -> None:
    report = search(Position.start(Brackets()), Flat(20), engine="python")
    assert "[red]<b>&0" in printed(report)


# The picture and the page.


def html(report: Report) -> str:
    text = report_html(report)
    ElementTree.fromstring(text.replace("&nbsp;", " "))  # well-formed
    assert "<script" not in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    return text


@pytest.mark.parametrize("how", SEARCHES)
def test_html(how: str) -> None:
    report = search(BREAKTHROUGH, parse_search(f"{how}(300)"))
    text = html(report)
    assert report._repr_html_() == text
    assert "<svg" in text
    assert report.explain() in text
    assert all(move.name in text for move in report.moves)
    shares = heat(report)[1]
    assert all(0 <= share <= 1 for share in shares.values())
    assert report_svg(report).startswith("<svg")


def test_html_is_escaped() -> None:
    text = html(search(Position.start(Brackets()), Uct(50)))
    assert "<b>" not in text
    assert "[red]&lt;b&gt;&amp;0" in text


class Brackets:
    """Each player chooses 0 or 1; the first wins if they differ. Its names are traps."""

    def start(self) -> Hashable:
        return ()

    def turn(self, state: tuple[int, ...]) -> Player:
        return Player(len(state) % 2)

    def outcome(self, state: tuple[int, ...]) -> Outcome | None:
        return Outcome(Player(int(state[0] == state[1]))) if len(state) == 2 else None

    def moves(self, state: tuple[int, ...]) -> Sequence[int]:
        return (0, 1) if len(state) < 2 else ()

    def play(self, state: tuple[int, ...], move: int) -> Hashable:
        return (*state, move)

    def write_move(self, state: tuple[int, ...], move: int) -> str:
        return f"[red]<b>&{move}"


# The numbers.


@pytest.mark.parametrize("position", [START, BREAKTHROUGH], ids=["tic_tac_toe", "breakthrough"])
@pytest.mark.parametrize("how", SEARCHES)
def test_to_dict(how: str, position: Position) -> None:
    report = search(position, parse_search(f"{how}(200, seed=5)"))
    content = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    other = search(position, parse_search(f"{how}(200, seed=5)"), engine="python").to_dict()
    for key in ("engine", "seconds", "bytes"):
        del content[key], other[key]
    assert content == other
    assert content.keys() >= {
        "schema", "game", "position", "search", "seed", "playouts", "nodes", "best", "line",
        "moves",
    }  # fmt: skip
    assert content["best"] == content["line"][0]
    assert sorted(move["rank"] for move in content["moves"]) == list(
        range(1, len(position.moves) + 1)
    )
    assert parse_search(content["search"]) == report.search
    assert set(content["moves"][0]) == {
        "move", "name", "visits", "wins", "draws", "mean", "stderr", "amaf_visits", "amaf_wins",
        "amaf_draws", "amaf_mean", "beta", "score", "exploration", "rank", "proven",
        "parts", "amaf_parts", "implicit", "prior",
    }  # fmt: skip


def test_a_line_that_the_history_of_the_game_forbids_has_names() -> None:
    """Superko in Go: a search looks at boards, not at how the game came there."""
    for index in range(100):
        for position in random_game("go(size=2)", seed=1, index=index):
            for move in position.moves:
                after = position.play(move)
                fresh = Position.parse(str(position.game), after.text)
                for reply in set(fresh.moves) - set(after.moves):
                    report = dataclasses.replace(
                        made(Uct(10), entry(0, 1, 5, 10)), position=position, line=(move, reply)
                    )
                    assert report.line_names == (position.name(move), fresh.name(reply))
                    return
    raise AssertionError("no such position was met")


def test_to_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    """pandas is optional: a stand-in sees what it would get."""
    report = search(START, Uct(100))

    class Frame:
        def __init__(self, rows: list[dict[str, object]]) -> None:
            self.rows = rows

        def set_index(self, name: str) -> list[object]:
            return [row[name] for row in self.rows]

    monkeypatch.setitem(sys.modules, "pandas", types.SimpleNamespace(DataFrame=Frame))
    assert report.to_frame() == [move.name for move in report.ranked]
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        report.to_frame()


def test_importing_sylve_loads_nothing_heavy() -> None:
    heavy = ("rich", "pandas", "numpy", "typer")
    code = f"import sylve, sys; print([name for name in {heavy} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout.strip() == "[]", result.stderr


def test_print_shows_the_table_without_colours() -> None:
    position = Position.start("tic_tac_toe").play_line("a1b1")
    for shown in (search(position, Rave(200)), compare_estimates(position, 50)):
        text = str(shown)
        assert "\x1b" not in text
        assert all(name in text for name in position.names)
        assert all(len(line) <= 100 for line in text.splitlines())
