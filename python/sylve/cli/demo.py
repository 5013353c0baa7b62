"""`sylve demo`: one position, every search, and who was right. What `make run` shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from sylve.cli.analyze import content_of, read_search, run_all
from sylve.cli.output import (
    EngineOption,
    Json,
    heading,
    paint_board,
    print_json,
    print_prose,
    print_table,
    print_text,
)
from sylve.cli.progress import SolveLine
from sylve.game import Outcome
from sylve.position import Position
from sylve.rng import Rng
from sylve.screen import Table, plural
from sylve.search.reference.alpha_beta import AlphaBeta
from sylve.search.reference.searches import RootSearch
from sylve.search.reports.alpha_beta_report import AlphaBetaReport
from sylve.search.reports.report import Report
from sylve.search.text import SEARCHES
from sylve.solve import Solution, Solver

GAME = "connect_four"
MOVES = "4265661565571261241644442"  # one move wins, and random games do not show which
WIDEST = 90  # columns, also in a pipe: this is read, not processed
IDEAS = {
    "flat": "equal shares of playouts",
    "flat_amaf": "a move counts wherever it is played",
    "ucb": "more playouts for better moves",
    "sequential_halving": "the worse half drops out, again and again",
    "uct": "a tree: replies are learnt too",
    "amaf_uct": "a tree with AMAF",
    "rave": "a tree, AMAF at first",
    "multi_scale_rave": "a tree, several AMAFs",
    "grave": "a tree, AMAF from above",
    "alpha_beta": "minimax without playouts",
}


def demo(
    playouts: Annotated[
        int, typer.Option("--playouts", metavar="N", help="Playouts per search.")
    ] = 2_000,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Seed of every search.")] = 0,
    engine: EngineOption = "auto",
    json: Json = False,
) -> None:
    """Tell a story: one position, every search, the exact values, and who was right."""
    position = Position.start(GAME).play_line(MOVES)
    searches = [read_search(name, playouts, seed) for name in SEARCHES]
    reports = run_all(position, [*searches, AlphaBeta(6)], engine)
    with SolveLine() as line:
        solver = Solver(position.game, engine=engine)
        solution = solver.solve(position, progress=line)
        replies = {report.best: solver.solve(position.play(report.best)).best for report in reports}
    story = Story(position, random_game(position, seed), reports, solution, replies, seed)
    if json:
        print_json(story.content())
        return
    story.tell()


def random_game(position: Position, seed: int) -> list[Position]:
    """The positions of a playout, this one excluded."""
    rng, game = Rng.stream(seed, 0), list[Position]()
    while position.outcome is None:
        position = position.play(position.moves[rng.below(len(position.moves))])
        game.append(position)
    return game


@dataclass(frozen=True)
class Story:
    """All that the demo tells. Everything in it was computed a moment ago."""

    position: Position
    playout: list[Position]
    reports: list[Report]
    solution: Solution
    replies: dict[int, int | None]
    """The best answer to each move that was chosen."""
    seed: int

    def is_right(self, report: Report) -> bool:
        """Whether the search chose a move of the highest exact value."""
        return self.solution.per_move[report.best] == self.solution.value

    def split(self) -> tuple[list[Report], list[Report]]:
        """The searches that were right, and the others."""
        right = [report for report in self.reports if self.is_right(report)]
        return right, [report for report in self.reports if not self.is_right(report)]

    def content(self) -> dict[str, Any]:
        """For JSON: as `analyze --all`, with the playout, the exact values and the verdict."""
        name, end = self.position.name, self.playout[-1].outcome
        assert end is not None
        return {
            **content_of(self.position, self.reports, explain=False),
            "seed": self.seed,
            "playout": {
                "moves": list(moves_of(self.position, self.playout)),
                "winner": None if end.winner is None else "xo"[end.winner],
            },
            "exact": {name(move): value for move, value in self.solution.per_move.items()},
            "right": [report.search.name() for report in self.split()[0]],
        }

    def tell(self) -> None:
        """On stdout."""
        self.tell_position()
        self.tell_playout()
        self.tell_searches()
        self.tell_solution()
        self.tell_who_was_right()

    def tell_position(self) -> None:
        """The board, and what the question is."""
        side, other = "xo"[self.position.turn], "xo"[self.position.turn.other]
        heading("1. The position")
        say(
            f"Connect Four: drop a piece into a column; four in a row win. It is {side}'s turn."
            f" Which column beats {other}?\n"
        )
        paint_board(self.position)

    def tell_playout(self) -> None:
        """One random game, to its end."""
        heading("2. A playout")
        moves, end = " ".join(moves_of(self.position, self.playout)), self.playout[-1].outcome
        say(
            "Monte Carlo search knows no strategy. It plays random moves to the end of the game and"
            f" counts who wins. One such playout, with seed {self.seed}: {moves}. {ending(end)}\n"
        )
        paint_board(self.playout[-1], turn=False)
        say("\nOne playout says little; the searches below play thousands.")

    def tell_searches(self) -> None:
        """A row for each search."""
        heading("3. What each search thinks")
        rows = [
            (name, report.best_name, estimate(report), IDEAS.get(name, ""))
            for report in self.reports
            for name in [report.search.name()]
        ]
        head = ["search", "chooses", "estimate", "idea"]
        print_table(Table(head, rows, align=["left", "right", "right", "prose"]))
        side = "xo"[self.position.turn]
        playouts = plural(max(report.playouts for report in self.reports), "playout")
        engine = self.reports[0].engine
        say(
            f"Up to {playouts} each, seed {self.seed}, engine {engine}. Estimate: how often {side}"
            " won after its move; won or lost: the search proved it; alpha_beta: its evaluation."
        )

    def tell_solution(self) -> None:
        """The exact value of every move."""
        heading("4. What the exact solver proves")
        rows = [
            (self.position.name(move), result(value)) for move, value in self.known_values().items()
        ]
        best = list(self.known_values().values()).index(self.solution.value or 0)
        print_table(Table(["column", "with best play"], rows, align=["left"] * 2, strong=best))
        say(f"No playouts and no doubt: it looked at {plural(self.solution.nodes, 'position')}.")

    def known_values(self) -> dict[int, int]:
        """The exact value of each move: positive ones win."""
        known = self.solution.per_move.items()
        return {move: value for move, value in known if value is not None}

    def tell_who_was_right(self) -> None:
        """Both groups, and what the second one overlooked."""
        heading("5. Who was right")
        right, wrong = self.split()
        if right:
            say(f"Right: {names(right)}.", "green")
        if not wrong:
            say("Every search found a best move. Try another --seed, or fewer --playouts.")
        for move in dict.fromkeys(report.best for report in wrong):
            chose = [report for report in wrong if report.best == move]
            say(f"Wrong: {names(chose)}. {self.refutation(move)}", "red")
        if wrong and all(isinstance(report.search, RootSearch) for report in wrong):
            say(
                "\nThose that were wrong keep no tree. They expect random replies, and never learn"
                " which reply is the best one."
            )
        print_text("\nNext:")
        for command in (
            "sylve analyze connect_four --how grave",
            "sylve solve connect_four --moves 44444",
            "sylve lab list",
        ):
            print_text(f"  {command}")

    def refutation(self, move: int) -> str:
        """What the solver answers to a move."""
        reply, after = self.replies[move], self.position.play(move)
        value = self.known_values()[move]
        told = f"Column {self.position.name(move)} {result(value)}"
        if reply is None:
            return f"{told}."
        return f"{told}, because {'xo'[after.turn]} replies in column {after.name(reply)}."


def say(text: str, style: str = "") -> None:
    """Sentences on stdout; short lines, wherever they go."""
    print_prose(text, most=WIDEST, style=style)


def moves_of(position: Position, game: Iterable[Position]) -> Iterable[str]:
    """The names of the moves that lead through a game."""
    for after in game:
        yield position.name(after.played[-1])
        position = after


def names(reports: list[Report]) -> str:
    """The names of the searches."""
    return ", ".join(report.search.name() for report in reports)


def ending(outcome: Outcome | None) -> str:
    """The end of a game in a sentence."""
    assert outcome is not None
    return "It is a draw." if outcome.winner is None else f"{'xo'[outcome.winner]} wins."


def result(value: int) -> str:
    """An exact value in a word."""
    return "wins" if value > 0 else "loses" if value < 0 else "draws"


def estimate(report: Report) -> str:
    """What a search thinks of the move that it chose."""
    best = report.ranked[0]
    if best.proven is not None:
        return {"win": "won", "loss": "lost"}.get(best.proven, best.proven)
    if isinstance(report, AlphaBetaReport):
        return f"{(report.score or 0) / 1000:+.1f}"
    return "" if best.mean is None else f"{best.mean:.0%}"
