"""Learned evaluations: patterns in both languages, files of weights, and how they are trained."""

import hashlib
import re
import struct
import subprocess
import sys
import time
import tracemalloc
import zlib
from pathlib import Path

import numpy as np
import pytest

from helpers import random_game
from sylve import AlphaBeta, Position, Rng, evaluate, search
from sylve.engine import compiled_half
from sylve.evaluations import othello_learned
from sylve.evaluations.patterns import Patterns, families_of
from sylve.evaluations.weights_file import HEADER, InvalidWeights, read_weights, write_weights
from sylve.games.board import STONES
from sylve.train.fit import indices, least_squares, predict
from sylve.train.plan import LARGE, PLANS, SMALL, Plan
from sylve.train.positions import Positions, positions_of, split, without

TINY = (("corner", "a1 b1 a2 b2"), ("edge", "a1 b1 c1 d1"), ("constant", ""))

SHAPES = {
    "large": (8, LARGE, 12, 4, 13),
    "small": (6, SMALL, 8, 4, 7),
    "tiny": (4, TINY, 0, 64, 1),
    "one stage a disc": (6, TINY, 4, 1, 32),
}


def drawn(shape: str, seed: int = 1) -> Patterns:
    """Patterns with weights drawn at random: nothing is hidden by zeros."""
    size, patterns, first, width, stages = SHAPES[shape]
    families = families_of(size, patterns)
    count = sum(family.count for family in families)
    numbers = np.random.Generator(np.random.PCG64(seed))
    weights = numbers.integers(-(1 << 15), 1 << 15, (stages, count)).astype(np.int16)
    return Patterns(size, first, width, 1, families, weights, {})


def positions(size: int, games: int) -> list[Position]:
    return [p for index in range(games) for p in random_game(f"othello(size={size})", 41, index)]


def words(position: Position) -> tuple[int, int]:
    """The cells of the side to move and of the other, as sets of bits."""
    board, turn = position.state.board, position.turn
    return tuple(
        sum(1 << cell for cell, disc in enumerate(board) if disc == STONES[player])
        for player in (turn, turn.other)
    )  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("name", "places", "weights"),
    [
        ("edge", 4, (3**10 + 3**5) // 2),
        ("block", 8, 3**10),
        ("corner", 4, (3**9 + 3**6) // 2),
        ("line2", 4, (3**8 + 3**4) // 2),
        ("line4", 4, (3**8 + 3**4) // 2),
        ("diagonal8", 2, (3**8 + 3**4) // 2),
        ("diagonal5", 4, (3**5 + 3**3) // 2),
        ("diagonal4", 4, (3**4 + 3**2) // 2),
        ("constant", 1, 1),
    ],
)
def test_places_and_weights(name: str, places: int, weights: int) -> None:
    (family,) = (one for one in families_of(8, LARGE) if one.name == name)
    assert len(family.instances) == places
    assert family.count == weights


def test_the_reference_design_has_46_places() -> None:
    families = families_of(8, LARGE)
    assert sum(len(family.instances) for family in families if family.cells) == 46


@pytest.mark.parametrize("shape", SHAPES)
def test_the_engines_agree_and_images_evaluate_alike(shape: str) -> None:
    patterns = drawn(shape)
    compiled = compiled_half("a test").Patterns(*patterns.for_engine())
    for position in positions(patterns.size, 3):
        found = patterns.evaluate(position.state.board, STONES[position.turn])
        score, terms = compiled.evaluate(*words(position))
        assert (score, dict(terms)) == found
        if abs(score) < 1000 * patterns.size**2:
            assert score == sum(found[1].values())
        for image in position.symmetries()[1:]:
            assert patterns.evaluate(image.state.board, STONES[image.turn]) == found


def test_every_disc_of_every_pattern_counts() -> None:
    """One disc more anywhere, and the number of each pattern that holds it is another."""
    patterns = drawn("large")
    for cell in range(64):
        board = "." * cell + "x" + "." * (63 - cell)
        for stone in STONES:
            _, terms = patterns.evaluate(board, stone)
            _, empty = patterns.evaluate("." * 64, stone)
            for family in patterns.families:
                held = any(cell in cells for cells in family.instances)
                assert (terms[family.name] != empty[family.name]) == held, (cell, family.name)


@pytest.mark.parametrize(
    ("size", "patterns", "message"),
    [
        (8, (("a", "a1 a9"),), "pattern 'a': 'a9' is no cell of a board of size 8"),
        (6, (("a", "g1"),), "'g1' is no cell of a board of size 6"),
        (8, (("a", "a1 a1"),), "at most 10 cells, each once"),
        (8, (("a", " ".join(f"{c}{r}" for c in "abcd" for r in "123")),), "at most 10 cells"),
        (8, (), "at most 48 instances"),
        (8, tuple((f"p{i}", f"a{i} b1") for i in range(1, 9)), "at most 48 instances"),
        (8, (("a", "a1"), ("a", "b1")), "two patterns have the same name"),
    ],
)
def test_wrong_patterns_are_refused(size: int, patterns: tuple, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        families_of(size, patterns)


def test_a_file_comes_back(tmp_path: Path) -> None:
    for shape in SHAPES:
        patterns = drawn(shape)
        write_weights(tmp_path / "a.weights", patterns)
        found = read_weights(tmp_path / "a.weights")
        assert (found.weights == patterns.weights).all()
        assert found.for_engine() == patterns.for_engine()


def with_json(data: bytes, old: bytes, new: bytes) -> bytes:
    """A file with another text in its JSON, and the checksum that fits."""
    magic, version, zero, length, _ = HEADER.unpack(data[: HEADER.size])
    text = data[HEADER.size : HEADER.size + length].replace(old, new)
    packed = data[HEADER.size + length :]
    digest = hashlib.sha256(text + zlib.decompress(packed)).digest()
    return HEADER.pack(magic, version, zero, len(text), digest) + text + packed


DAMAGE = {
    "another file": (lambda data: b"GIF89a" + data, "no weights: it does not begin with"),
    "empty": (lambda data: data[:0], "no weights: it does not begin with"),
    "header cut": (lambda data: data[:20], "cut off within its header"),
    "version": (lambda data: data[:8] + struct.pack("<H", 2) + data[10:], "version 2; this"),
    "cut in JSON": (lambda data: data[:80], "damaged"),
    "cut in weights": (lambda data: data[:-3], "checksum of its weights is wrong"),
    "one bit": (lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:], "checksum"),
    "more": (lambda data: data + b"more", "checksum of its weights is wrong"),
    "digest": (lambda data: data[:20] + bytes([data[20] ^ 1]) + data[21:], "checksum"),
    "JSON": (lambda data: with_json(data, b"{", b"["), "damaged"),
    "key": (lambda data: with_json(data, b'"unit"', b'"units"'), "expected size, first"),
    "unit": (lambda data: with_json(data, b'"unit": 1', b'"unit": 0'), "unit must be from 1 to"),
    "stages": (lambda data: with_json(data, b'"stages": 1', b'"stages": 2'), "checksum"),
    "cell": (lambda data: with_json(data, b"a1 b1 c1", b"a1 b9 c1"), "'b9' is no cell"),
    "pattern": (lambda data: with_json(data, b'""', b"[]"), "patterns must be texts"),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_a_damaged_file_is_refused(what: str, tmp_path: Path) -> None:
    path = tmp_path / "a.weights"
    write_weights(path, drawn("tiny"))
    change, message = DAMAGE[what]
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(InvalidWeights, match="a.weights: .*" + message):
        read_weights(path)


def test_a_file_that_unpacks_to_more_than_it_says_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "a.weights"
    write_weights(path, drawn("tiny"))
    data = path.read_bytes()
    length = HEADER.unpack(data[: HEADER.size])[3]
    path.write_bytes(data[: HEADER.size + length] + zlib.compress(bytes(1 << 26)))
    tracemalloc.start()
    try:
        with pytest.raises(InvalidWeights, match="checksum"):
            read_weights(path)
        assert tracemalloc.get_traced_memory()[1] < 1 << 24
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("engine", ["python", "rust"])
def test_boards_without_weights_say_so(engine: str) -> None:
    message = r"othello\(size=6\) has no evaluation 'learned': only size 8 has weights"
    start = Position.start("othello(size=6)")
    with pytest.raises(ValueError, match=message):
        evaluate(start, "learned", engine=engine)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=message):
        search(start, AlphaBeta(2, evaluation="learned"), engine=engine)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("path.unlink()", "the weights of 'learned' are missing: .*install sylve again"),
        ("path.write_bytes(path.read_bytes()[:-1])", "othello.weights: damaged: the checksum"),
    ],
)
def test_the_file_of_the_package_is_missing_or_damaged(
    change: str, message: str, tmp_path: Path
) -> None:
    """In another process, with a copy of the file: the weights are read once."""
    copy = tmp_path / "othello.weights"
    copy.write_bytes(othello_learned.WEIGHTS.read_bytes())
    script = f"""
from pathlib import Path
from sylve import AlphaBeta, Position, search
from sylve.evaluations import othello_learned
path = othello_learned.WEIGHTS = Path({str(copy)!r})
{change}
search(Position.start("othello"), AlphaBeta(2))  # the others need no weights
search(Position.start("othello"), AlphaBeta(2, evaluation="learned"))
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ran.returncode == 1
    assert len(ran.stderr.splitlines()) > 1
    assert re.search("InvalidWeights: .*" + message, ran.stderr.splitlines()[-1])


def test_the_engine_refuses_to_guess_weights() -> None:
    script = "from sylve import _core; _core.Position('othello').evaluate('learned')"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert 'ValueError: the weights of "learned" are not loaded' in ran.stderr


# The trainer.


def some_games(count: int, size: int = 6) -> list[list[object]]:
    """Random games: their moves, and how they ended."""
    core = compiled_half("a test")
    games = []
    for index in range(count):
        moves, result = core.othello_game(size, index, 6, [("weights", 1)] * 2, 4)
        games.append([6, moves.hex(), result])
    return games


def test_a_game_is_played_by_the_rules() -> None:
    core = compiled_half("a test")
    for seed in range(20):
        moves, result = core.othello_game(6, seed, 5, [("positional", 2), ("weights", 1)], 8)
        position = Position.start("othello(size=6)")
        rng = Rng.stream(seed, 0)
        boards = [words(position)]
        for ply, move in enumerate(moves):
            if ply < 5:
                assert move == position.moves[rng.below(len(position.moves))]
            position = position.play(move)
            boards.append(words(position))
        value = position.game.final_value(position.state)  # type: ignore[attr-defined]
        assert result == value * (1 if position.turn == 0 else -1)
        found = np.frombuffer(core.othello_boards(6, moves), "<u8").reshape(-1, 2)
        assert found.tolist() == [list(board) for board in boards]
    with pytest.raises(ValueError, match="illegal move"):
        core.othello_boards(6, bytes([0]))


def test_positions_carry_the_result_for_the_side_to_move() -> None:
    games = some_games(3)
    found = positions_of(games, 6)
    place = 0
    for random, moves, result in games:
        position = Position.start("othello(size=6)")
        for ply, move in enumerate(bytes.fromhex(str(moves))):
            if ply >= int(str(random)):
                assert (int(found.own[place]), int(found.other[place])) == words(position)
                assert found.result[place] == (result if position.turn == 0 else -int(str(result)))
                assert found.discs[place] == 36 - position.text.count(".")
                place += 1
            position = position.play(move)
    assert place == len(found)


def test_what_is_held_out_was_never_learnt_from() -> None:
    games = some_games(300)
    learnt, held = split([*games, *games[:50]], 5)
    once = {str(game[1]) for game in games}
    assert len(learnt) + len(held) == len(once)
    assert 0.1 < len(held) / len(once) < 0.3
    known = positions_of(learnt, 6)
    raw = positions_of(held, 6)
    fresh = without(raw, known, 6)
    assert 0 < len(fresh) < len(raw)

    def images(positions: Positions) -> set[frozenset[tuple[int, int]]]:
        every = set()
        for own, other in zip(positions.own.tolist(), positions.other.tolist(), strict=True):
            cells = "".join(
                "xo."[0 if own >> c & 1 else 1 if other >> c & 1 else 2] for c in range(36)
            )
            rows = "/".join(cells[at : at + 6] for at in range(0, 36, 6))
            position = Position.parse("othello(size=6)", f"{rows} x")
            every.add(frozenset(words(image) for image in position.symmetries()))
        return every

    assert len(images(fresh)) == len(fresh)
    assert not images(fresh) & images(known)


def test_the_fit_is_that_of_linear_algebra() -> None:
    plan = Plan(size=6, patterns=TINY, first=4, opening=(4, 10), exact=4)
    here = positions_of(some_games(60), 6)
    rows = indices(plan, here)
    count = sum(family.count for family in plan.families)
    matrix = np.zeros((len(here), count))
    for row in rows:
        matrix[np.arange(len(here)), row] += 1
    results = here.result.astype(float)
    wanted = np.linalg.solve(matrix.T @ matrix + 3 * np.eye(count), matrix.T @ results)
    found = least_squares(rows, results, count, 3.0, 400)
    assert np.abs(found - wanted).max() < 1e-6


def test_predictions_are_those_of_the_evaluation() -> None:
    patterns = drawn("small")
    plan = PLANS["small"]
    here = positions_of(some_games(3), 6)
    weights = (patterns.weights // 1000).astype(np.int16)
    patterns = Patterns(6, plan.first, plan.width, 25, patterns.families, weights, {})
    compiled = compiled_half("a test").Patterns(*patterns.for_engine())
    scores = [
        compiled.evaluate(own, other)[0] / 1000
        for own, other in zip(here.own.tolist(), here.other.tolist(), strict=True)
    ]
    assert predict(plan, patterns, here).tolist() == scores


@pytest.mark.long
def test_the_same_plan_gives_the_same_file(tmp_path: Path) -> None:
    """With any number of workers, after a run that was killed, and with a damaged chunk."""
    command = [sys.executable, "-m", "sylve", "train", "othello", "--small", "--games", "1000"]

    def train(name: str, *more: str) -> tuple[bytes, str]:
        out = tmp_path / name / "othello"
        subprocess.run([*command, "--out", str(out.parent), *more], check=True, capture_output=True)
        return (out / "othello.weights").read_bytes(), (out / "page.md").read_text()

    wanted = train("one", "--workers", "1")
    assert train("two", "--workers", "2") == wanted
    killed = subprocess.Popen(
        [*command, "--out", str(tmp_path / "killed"), "--workers", "2"], stderr=subprocess.DEVNULL
    )
    games = tmp_path / "killed" / "othello" / "games"
    while not (games.is_dir() and any(games.glob("*.json"))):
        assert killed.poll() is None
        time.sleep(0.05)
    killed.kill()
    killed.wait()
    assert not (games.parent / "othello.weights").exists()
    next(iter(games.glob("*.json"))).write_text("[[6,")
    assert train("killed") == wanted
    assert train("killed") == wanted  # nothing is left to do
