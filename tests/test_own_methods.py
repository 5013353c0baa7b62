"""Optional methods of a game: both engines ask the same ones and refuse the same answers."""

import re

import pytest

from sylve import (
    AlphaBeta,
    Flat,
    FlatAmaf,
    Grave,
    MultiScaleRave,
    Outcome,
    Player,
    Position,
    Rave,
    SequentialHalving,
    Ucb,
    Uct,
    check_game,
    evaluate,
    search,
)
from sylve.evaluations import Evaluation
from sylve.policies import decisive, mast, weighted
from sylve.search.reference.searches import Search

ENGINES = ("rust", "python")


class Nim:
    """Take one to three matches; who takes the last one wins. The state: (matches, turn)."""

    def start(self):
        return (9, Player.FIRST)

    def turn(self, state):
        return state[1]

    def outcome(self, state):
        return Outcome(state[1].other) if state[0] == 0 else None

    def moves(self, state):
        return [taken for taken in (1, 2, 3) if taken <= state[0]]

    def play(self, state, move):
        return (state[0] - move, state[1].other, *state[2:])


class Remembering(Nim):
    """The state holds all the numbers of matches that there were."""

    def start(self):
        return (9, Player.FIRST, ())

    def play(self, state, move):
        return (state[0] - move, state[1].other, (*state[2], state[0]))


class Forgetful(Remembering):
    def forget(self, state):
        return (state[0], state[1], ())


class Far(Nim):
    """Moves above 4095, and no `codes`."""

    def moves(self, state):
        return [5000 + move for move in super().moves(state)]

    def play(self, state, move):
        return super().play(state, move - 5000)


class FarWithCodes(Far):
    def codes(self):
        return 10_010


class LargestHash(Nim):
    def hash(self, state):
        return (1 << 64) - 1 - 2 * state[0] - state[1]


class Kinds(Nim):
    def kinds(self):
        return 2

    def kind(self, code):
        return code // 2 % 2


class OwnPlayout(Nim):
    """Its codes count only where they are wanted."""

    def playout(self, state, rng, played=None):
        while self.outcome(state) is None:
            move = self.moves(state)[0]
            if played is not None:
                played.append(10**6)
            state = self.play(state, move)
        return self.outcome(state)


CODELESS = [Flat(40), Ucb(40), SequentialHalving(40), Uct(100), Uct(100, playout=decisive())]
CODED = [FlatAmaf(40), Rave(100), Grave(100, reference=5), Uct(100, playout=mast())]
CODED += [Flat(40, playout=weighted("2:5")), MultiScaleRave(100, by="kind")]
ALIKE = [
    *((Forgetful, how) for how in [*CODELESS, *CODED]),
    *((Far, how) for how in CODELESS),
    *((FarWithCodes, how) for how in [*CODELESS, *CODED]),
    *((LargestHash, how) for how in (Uct(100), Rave(100))),
    *((Kinds, how) for how in [*CODELESS, *CODED]),
    *((OwnPlayout, how) for how in CODELESS),
]


@pytest.mark.parametrize(("game", "how"), ALIKE, ids=str)
def test_engines_agree(game: type, how: Search) -> None:
    start = Position.start(game())
    reports = [search(start, how, engine=engine) for engine in ENGINES]
    assert reports[0] == reports[1]


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_forgotten_makes_no_nodes(engine: str) -> None:
    how = Uct(300, solver=False)
    plain, forgetful, remembering = (
        search(game(), how, engine=engine).nodes for game in (Nim, Forgetful, Remembering)
    )
    assert plain == forgetful < remembering


def with_methods(**methods) -> type:
    return type("Broken", (Nim,), {name: staticmethod(one) for name, one in methods.items()})


REFUSED = [
    ("belong together", with_methods(kind=lambda code: 0), [*CODELESS, *CODED]),
    ("belong together", with_methods(kinds=lambda: 2), [*CODELESS, *CODED]),
    (
        r"kind\(\) must be from 0 to 1, not 2",
        with_methods(kinds=lambda: 2, kind=lambda code: 2),
        [MultiScaleRave(100, by="kind")],
    ),
    ("AMAF code 10002 of move 5001 is not below 8192: give the game codes", Far, CODED),
    (r"hash\(\) must be an integer of 64 bits, not 18446744073709551616",
        with_methods(hash=lambda state: 1 << 64), [Uct(100), Rave(100)]),
    (r"hash\(\) must be an integer of 64 bits, not 0.5",
        with_methods(hash=lambda state: 0.5), [Uct(100), Rave(100)]),
    (r"codes\(\) must be a whole number from 1 to 65536, not 0",
        with_methods(codes=lambda: 0), [*CODELESS, *CODED]),
    (r"codes\(\) must be a whole number from 1 to 65536, not 70000",
        with_methods(codes=lambda: 70_000), [*CODELESS, *CODED]),
    (r"kinds\(\) must be a whole number of at least 1, not 0.5",
        with_methods(kinds=lambda: 0.5, kind=lambda code: 0), [*CODELESS, *CODED]),
    (r"playout\(\) must append AMAF codes from 0 to 8191, not 1000000",
        OwnPlayout, [FlatAmaf(40), Rave(100), Grave(100)]),
]  # fmt: skip


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("problem", "game", "how"),
    [(problem, game, how) for problem, game, searches in REFUSED for how in searches],
    ids=str,
)
def test_engines_refuse_alike(problem: str, game: type, how: Search, engine: str) -> None:
    with pytest.raises(ValueError, match=problem):
        search(game(), how, engine=engine)


class Judged(Nim):
    """With an evaluation: heaps of a multiple of four are lost."""

    def evaluate(self, state):
        return -700 if state[0] % 4 == 0 else 300


def test_a_plain_game_has_an_evaluation() -> None:
    start = Position.start(Judged())
    assert evaluate(start) == Evaluation("own", 300, {"own": 300})
    with pytest.raises(ValueError, match="unknown evaluation 'other' of Judged"):
        evaluate(start, "other")
    by_method, by_function = (
        search(start, AlphaBeta(3, evaluation=given))
        for given in (None, lambda position: Judged().evaluate(position.state))
    )
    assert by_method.best == by_function.best == 1
    assert [m.score for m in by_method.moves] == [m.score for m in by_function.moves]
    assert check_game(Judged())


@pytest.mark.parametrize("answer", [900_001, 0.5, True, None])
def test_a_wrong_evaluation_is_refused(answer: object) -> None:
    game = type("Misjudged", (Nim,), {"evaluate": lambda self, state: answer})()
    told = f"evaluate() must be a whole number from -900000 to 900000, not {answer}"
    for ask in (evaluate, lambda game: search(game, AlphaBeta(2))):
        with pytest.raises(ValueError, match=re.escape(told)):
            ask(game)
    assert told in str(check_game(game))


def test_symmetries_need_transform() -> None:
    game = type("Turned", (Nim,), {"symmetries": ("as it is", "mirrored")})()
    with pytest.raises(ValueError, match="has no method 'transform': its positions cannot be"):
        Position.start(game).symmetries()


def test_alpha_beta_forgets_too() -> None:
    how = AlphaBeta(6, evaluation=lambda position: 0)
    assert search(Forgetful(), how).nodes == search(Nim(), how).nodes
