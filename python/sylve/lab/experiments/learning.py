"""Learning by self-play: a value for each state and move, and values that states share by AMAF."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from sylve.game import AnyGame, FullGame, Player
from sylve.lab.data import values, where
from sylve.lab.experiment import Cell, Claim, Experiment, Rows, Size, Table, Verdict
from sylve.lab.ground_truth import Puzzle, puzzle
from sylve.lab.statistics import Interval, compare, judge, mean_interval, saving, shown
from sylve.rng import Rng, hash_words
from sylve.search.reference.arithmetic import uniform
from sylve.search.reference.schedules import bias
from sylve.search.reference.tally import Tally

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAME, PLIES = "breakthrough(columns=5, rows=5)", (6, 10)
TABULAR, AMAF, RAVE, ALL = "tabular", "AMAF", "tabular + AMAF", "tabular + all states"
LEARNERS = (TABULAR, AMAF, RAVE, ALL)
SHARING = LEARNERS[1:]
EPSILON = 0.1
"""The share of moves that are drawn at random, to explore."""
POSITIONS = 10
"""Positions of a block: games start from these."""
LOOKS = (10, 30, 100, 300, 1000, 3000)
LEVELS = (0.4, 0.5, 0.6, 0.7, 0.8)


class Learner:
    """Values learnt from whole games: half points of the side that moves, as means."""

    def __init__(self, kind: str, game: AnyGame) -> None:
        self.kind, self.game = kind, FullGame(game)
        self.own: defaultdict[tuple[int, int], Tally] = defaultdict(Tally)
        """By state and code: what followed on this move, here."""
        self.shared: defaultdict[tuple[int, int], Tally] = defaultdict(Tally)
        """The same, wherever in the rest of the game the move was made; or in any game."""
        self.schedule = bias(0.1)

    def place(self, state: int) -> int:
        """The states that share a value: each has its own, or all have one."""
        return 0 if self.kind == ALL else state

    def value(self, state: int, code: int) -> float:
        """What a move is worth to the side that makes it; 1/2 if nothing is known."""
        own = self.own.get((state, code))
        if self.kind == TABULAR:
            return own.mean() if own else 0.5
        shared = self.shared.get((self.place(state), code))
        if self.kind == AMAF or own is None:
            return shared.mean() if shared else 0.5
        assert shared is not None  # a move counts as its own AMAF
        beta = self.schedule.beta(0, own, shared)
        return (1 - beta) * own.mean() + beta * shared.mean()

    def best(self, state: Any, rng: Rng) -> int:
        """The move of the largest value; one of them at random where several are equal."""
        key = self.game.hash(state)
        found = {move: self.value(key, self.game.code(state, move))
                 for move in self.game.moves(state)}  # fmt: skip
        most = max(found.values())
        equal = [move for move, value in found.items() if value == most]
        return equal[rng.below(len(equal))]

    def play(self, state: Any, rng: Rng) -> None:
        """One game against itself, and what it teaches."""
        game, history = self.game, []
        while (outcome := game.outcome(state)) is None:
            if uniform(rng) < EPSILON:
                moves = game.moves(state)
                move = moves[rng.below(len(moves))]
            else:
                move = self.best(state, rng)
            history.append((game.turn(state), game.hash(state), game.code(state, move)))
            state = game.play(state, move)
        points = {player: outcome.points(player) for player in Player}
        self.learn(history, points)

    def learn(self, history: list[tuple[Player, int, int]], points: dict[Player, int]) -> None:
        """Count the result: for each move, and for each state all that its player did later."""
        later: dict[Player, set[int]] = {player: set() for player in Player}
        for player, state, code in reversed(history):
            self.own[state, code].add(points[player])
            later[player].add(code)
            if self.kind in (AMAF, RAVE):
                for after in later[player]:  # each code once, as in the course's updateAMAF
                    self.shared[state, after].add(points[player])
        if self.kind == ALL:
            for player, codes in later.items():
                for code in codes:
                    self.shared[0, code].add(points[player])


def cells(size: Size) -> list[Cell]:
    """A learner on a block of positions; all learners see the same blocks."""
    quick = size == "quick"
    return [
        {"learner": learner, "block": block,
         "looks": [n for n in LOOKS if n <= (300 if quick else 3000)]}
        for block in range(5 if quick else 30)
        for learner in LEARNERS
    ]  # fmt: skip


def run_cell(cell: Cell, seed: int) -> list[dict[str, Any]]:
    """Play games from the positions of a block in turn; at each look, judge all its choices."""
    block, rng = cell["block"], Rng.stream(hash_words((seed, cell["block"])), 1)
    first = 2 * POSITIONS * block
    learnt = [puzzle(GAME, PLIES, seed, first + n) for n in range(POSITIONS)]
    fresh = [puzzle(GAME, PLIES, seed, first + POSITIONS + n) for n in range(POSITIONS)]
    learner = Learner(cell["learner"], learnt[0].position.game)
    rows, games = [], 0
    for look in cell["looks"]:
        for number in range(games, look):
            learner.play(learnt[number % POSITIONS].position.state, rng)
        games = look
        rows.append({"learner": cell["learner"], "block": block, "games": look,
                     "right": share_right(learner, learnt, rng),
                     "fresh": share_right(learner, fresh, rng),
                     "chance": chance(learnt), "fresh_chance": chance(fresh),
                     "values": len(learner.own) + len(learner.shared)})  # fmt: skip
    return rows


def share_right(learner: Learner, puzzles: list[Puzzle], rng: Rng) -> float:
    """The share of the puzzles where the move of the largest value wins."""
    right = sum(learner.best(position.state, rng) in winning for position, winning in puzzles)
    return right / len(puzzles)


def chance(puzzles: list[Puzzle]) -> float:
    """The same of a random move."""
    return sum(len(winning) / len(position.moves) for position, winning in puzzles) / len(puzzles)


def shares(rows: Rows, learner: str, games: int, name: str = "right") -> list[float]:
    """A share, block by block."""
    return [row[name] for row in where(rows, learner=learner, games=games)]


def saved(rows: Rows, learner: str, level: float) -> Interval | None:
    """How many times fewer games a learner needs than the table; None if neither gets there."""
    looks = values(rows, "games")
    table, other = (
        [[row["right"] for row in where(rows, learner=name, block=block)]
         for block in values(rows, "block")]
        for name in (TABULAR, learner)
    )  # fmt: skip
    return saving(looks, table, other, level)


def beyond(rows: Rows, learner: str) -> Interval:
    """What a learner knows of fresh positions beyond a random move, at the last look."""
    last = max(values(rows, "games"))
    chosen = where(rows, learner=learner, games=last)
    return mean_interval([row["fresh"] - row["fresh_chance"] for row in chosen])


def verdicts(rows: Rows) -> list[Verdict]:
    """Fewer games? And does it carry over to states that were never met?"""
    told, sides = [], []
    for learner in SHARING:
        for level in LEVELS:
            factor = saved(rows, learner, level)
            if factor is not None:
                sides.append(compare(factor, 1.0))
                told.append(f"{learner} for {level:.0%} right: x{factor}")
    first = Verdict(
        judge(sides), f"How many times fewer games than by the table alone: {'; '.join(told)}."
    )
    found = {learner: beyond(rows, learner) for learner in LEARNERS}
    second = Verdict(
        judge([compare(found[learner], 0.0) for learner in SHARING]),
        "Share of right moves in positions that no game started from, beyond that of a random "
        f"move: {'; '.join(f'{learner}: {gain}' for learner, gain in found.items())}.",
    )
    return [first, second]


def tables(rows: Rows) -> list[Table]:
    """Shares of right moves, in positions that were played and in fresh ones."""
    looks = values(rows, "games")
    head = ["learner", *(f"{n:,}" for n in looks)]

    def lines(name: str) -> list[list[str]]:
        return [
            [learner, *(mean_interval(shares(rows, learner, n, name)).short for n in looks)]
            for learner in LEARNERS
        ]

    by_chance = [sum(row[name] for row in rows) / len(rows) for name in ("chance", "fresh_chance")]
    return [
        Table(f"Share of right moves by games; a random move: {shown(by_chance[0])}",
              head, lines("right")),
        Table("The same in positions that no game started from; a random move: "
              f"{shown(by_chance[1])}", head, lines("fresh")),
        Table("Values that are kept, by games", head, lines("values")),
    ]  # fmt: skip


def figure(rows: Rows) -> Figure:
    """Share of right moves by games: in positions that were played, and in fresh ones."""
    from sylve.lab.style import line, panels

    looks = values(rows, "games")
    drawing, axes = panels(1, 2, width=9.2, height=3.8)
    for axis, name, by_chance, title in (
        (axes[0], "right", "chance", "positions that games started from"),
        (axes[1], "fresh", "fresh_chance", "positions that none started from"),
    ):
        for index, learner in enumerate(LEARNERS):
            found = [mean_interval(shares(rows, learner, n, name)) for n in looks]
            line(axis, index, looks, [f.value for f in found], learner,
                 low=[max(0.0, f.low) for f in found],
                 high=[min(1.0, f.high) for f in found])  # fmt: skip
        level = sum(row[by_chance] for row in rows) / len(rows)
        axis.axhline(level, color="#555555", linewidth=0.8, linestyle="--")
        axis.set(xscale="log", ylim=(0, 1), xlabel="games", ylabel="share of right moves",
                 title=title)  # fmt: skip
    axes[0].legend(loc="lower right")
    return drawing


EXPERIMENT = Experiment(
    name="learning",
    claims=(
        Claim(
            "AMAF can speed up reinforcement learning by sharing information between similar "
            "states.",
            "document 000, Apprentissage par renforcement",
        ),
        Claim(
            "What is shared also serves in states that were never met.",
            "our own comparison",
        ),
    ),
    method="""A learner plays Breakthrough 5x5 against itself. It keeps a value for each state and
    move, the mean result of the games in which the side to move made that move there; it plays the
    move of the largest value, and one move in ten at random. Nothing is simulated: what is known
    comes from the games that were played, and from nothing else.

    `tabular` keeps just that. `AMAF` judges a move in a state by all games that went through the
    state and in which the same player made the move there or later: a later state teaches the
    earlier ones. `tabular + AMAF` mixes both as RAVE does, with the schedule `bias(0.1)`. `tabular
    + all states` shares most: the AMAF value of a move is one for all states.

    Games start in turn from the ten positions of a block, drawn as in `truth`: after 6 to 10 random
    plies, won by the side to move with at most a third of its moves, which a solver knows. After
    10, 30, 100, ... games the choices in these ten positions are judged; and in ten others that no
    game started from. All learners get the same blocks.

    Claim 1 compares the games that are needed for 40 to 80 % right moves, read off the curve
    (logarithmic between looks), with those of `tabular`: it holds where the ratio is surely above 1
    for each way of sharing and each level that was reached; it is infinite where `tabular` does not
    reach the level at all. Claim 2 holds if each way of sharing is
    surely better than a random move in the other positions at the last look. Intervals are over
    blocks; those of ratios are bootstrapped.""",
    cells=cells,
    run_cell=run_cell,
    verdicts=verdicts,
    tables=tables,
    figure=figure,
    caption="Share of right moves by games of self-play, with 95 % intervals over blocks. Dashed: "
    "a random move.",
    notes=(
        "`similar` is what AMAF makes of it: states of the same game, or all states. A network "
        "that learns which states are alike is something else, and is not tried here.",
        "One schedule and one rate of exploration: others may rank the learners otherwise.",
    ),
)
