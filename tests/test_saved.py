"""Searches in files: they go on as if nothing had happened, and damaged files are refused."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from searches import ROOTS, TREES
from sylve import (
    Flat,
    Grave,
    MultiScaleRave,
    Position,
    Rave,
    Search,
    Searcher,
    Ucb,
    Uct,
)
from sylve.errors import DamagedFile
from sylve.policies import mast
from sylve.rules import discounted
from sylve.search.running.search_file import CHECKSUM, MAGIC, VERSION
from test_check_game import Nim

ENGINES = ("rust", "python")
BREAKTHROUGH = Position.start("breakthrough(columns=5, rows=5)")


def same(one: Searcher, other: Searcher) -> bool:
    """Whether two searches know the same, to the last counter."""
    return one.report() == other.report() and one._runner.save() == other._runner.save()


@pytest.mark.parametrize("how", [*TREES, *ROOTS], ids=str)
def test_a_loaded_search_goes_on_as_the_saved_one_would(how: Search, tmp_path: Path) -> None:
    """Saved by either engine, loaded by either: the same bytes, and the same search afterwards."""
    how = dataclasses.replace(how, seed=3)
    files, whole = {}, {}
    for engine in ENGINES:
        searcher = Searcher(BREAKTHROUGH, how, engine=engine)
        searcher.run(168)
        files[engine] = tmp_path / engine
        searcher.save(files[engine])
        searcher.run(72)
        whole[engine] = searcher
    bodies = [split(path.read_bytes())[1] for path in files.values()]
    assert bodies[0] == bodies[1]
    for engine in ENGINES:
        for other in ENGINES:
            loaded = Searcher.load(files[engine], engine=other)
            assert loaded.report().playouts == 168
            loaded.run(72)
            assert same(loaded, whole["rust"])
            assert same(loaded, whole["python"])
            if isinstance(how, Uct):
                assert loaded.digest() == whole["python"].digest()


@pytest.mark.parametrize("game", ["tic_tac_toe", "connect_four", "hex(size=4)", "go(size=5)",
                                  "othello(size=6)", "breakthrough"])  # fmt: skip
def test_every_game(game: str, tmp_path: Path) -> None:
    for how in (Uct(seed=2), Rave(seed=2), Grave(seed=2, reference=20)):
        searcher = Searcher(Position.start(game), how)
        searcher.run(3000)
        searcher.save(tmp_path / "search")
        loaded = Searcher.load(tmp_path / "search")
        assert same(loaded, searcher)
        assert loaded.digest() == searcher.digest()
        searcher.run(500)
        loaded.run(500)
        assert loaded.digest() == searcher.digest()


@pytest.mark.parametrize("transpositions", [True, False])
def test_after_moves(transpositions: bool, tmp_path: Path) -> None:
    """Of Go the whole game counts: history forbids moves."""
    for game in ("go(size=3)", "connect_four(columns=5, rows=5)"):
        searchers = [
            Searcher(Position.start(game), Uct(transpositions=transpositions), engine=engine)
            for engine in ENGINES
        ]
        for ply in range(6):
            for index, searcher in enumerate(searchers):
                best = searcher.run(300).best
                searcher.advance(best)
                searcher.save(tmp_path / "search")
                # From one engine to the other and back, move by move.
                engine = ENGINES[(index + ply) % 2]
                searchers[index] = Searcher.load(tmp_path / "search", engine=engine)
                assert searchers[index].position == searcher.position
                assert searchers[index].digest() == searcher.digest()
            assert same(*searchers)


@pytest.mark.parametrize("parallel", ["root", "batch", "tree"])
def test_with_threads(parallel: Any, tmp_path: Path) -> None:
    searches: list[Search] = [Uct(), Rave(), Grave(reference=5)]
    if parallel == "batch":
        searches = [Uct(batch=8), MultiScaleRave(batch=4)]
    if parallel == "root":
        searches += [Ucb(rule=discounted()), Flat(), MultiScaleRave(playout=mast())]
    for how in searches:
        for engine in ENGINES if parallel != "tree" else ("rust",):
            ways: dict[str, Any] = {"threads": 2, "parallel": parallel, "engine": engine}
            searcher = Searcher(BREAKTHROUGH, how, **ways)
            searcher.run(160)
            searcher.save(tmp_path / "search")
            for other in ENGINES if parallel != "tree" else ("rust",):
                loaded = Searcher.load(tmp_path / "search", engine=other)
                assert (loaded.threads, loaded.parallel) == (2, parallel)
                assert same(loaded, searcher)
                loaded.run(80)
                if parallel != "tree":
                    assert loaded.report() == Searcher(BREAKTHROUGH, how, **ways).run(240)
                if not isinstance(how, Flat):
                    assert sum(entry.visits for entry in loaded.report().moves) == 240


def test_proofs_come_back(tmp_path: Path) -> None:
    position = Position.parse("tic_tac_toe", "xx./oo./x.. o")
    for engine in ENGINES:
        searcher = Searcher(position, Uct(seed=1), engine=engine)
        assert searcher.run(5000).stopped == "proven"
        searcher.save(tmp_path / "search")
        loaded = Searcher.load(tmp_path / "search", engine=engine)
        assert loaded.report() == searcher.report()
        assert loaded.run(100).stopped == "proven"
        assert loaded.report().playouts == searcher.report().playouts


def test_at_the_bound_of_the_memory(tmp_path: Path) -> None:
    position = Position.start("breakthrough")
    for how in (Uct(seed=1), Grave(seed=1, reference=20)):
        searcher = Searcher(position, how, memory="256KiB")
        assert not searcher.run(500).full
        searcher.save(tmp_path / "search")
        whole = searcher.run(25_000)
        assert whole.full
        loaded = Searcher.load(tmp_path / "search")
        assert loaded.memory == 256 * 1024
        assert loaded.run(25_000) == whole
        assert loaded.digest() == searcher.digest()
        loaded.save(tmp_path / "full")
        again = Searcher.load(tmp_path / "full")
        assert again.report().full
        assert again.run(1000) == searcher.run(1000)
        with pytest.raises(ValueError, match="memory is counted by the compiled engine"):
            Searcher.load(tmp_path / "search", engine="python")


class Named(Nim):
    """Nim whose positions have a text, and hashes that are the same in every process."""

    def write(self, state: Any) -> str:
        return " ".join(map(str, state))

    def read(self, text: str) -> Any:
        return type(self.start())(map(int, text.split()))


def test_a_users_game(tmp_path: Path) -> None:
    for engine in ENGINES:
        for threads in (1, 2):
            position = Position.start(Nim())
            searcher = Searcher(position, Uct(solver=False), engine=engine, threads=threads)
            searcher.run(300)
            searcher.save(tmp_path / "search")
            with pytest.raises(ValueError, match="a game of your own: give its rules"):
                Searcher.load(tmp_path / "search")
            for other in ENGINES:
                loaded = Searcher.load(tmp_path / "search", game=position.game, engine=other)
                assert loaded.report() == searcher.report()
                assert loaded.digest() == searcher.digest()


def test_it_is_the_same_in_another_process(tmp_path: Path) -> None:
    searcher = Searcher(BREAKTHROUGH, Grave(seed=9))
    searcher.run(2000)
    searcher.save(tmp_path / "search")
    code = (
        "import sys; from sylve import Searcher; s = Searcher.load(sys.argv[1]);"
        "s.run(1000); print(s.digest())"
    )
    for level in ("portable", ""):
        environment = {**os.environ, "SYLVE_CPU": level} if level else dict(os.environ)
        command = [sys.executable, "-c", code, str(tmp_path / "search")]
        told = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        whole = Searcher(BREAKTHROUGH, Grave(seed=9))
        whole.run(3000)
        assert told.stdout.strip() == whole.digest()


# What is refused.


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small file with everything in it: AMAF, proofs, tables."""
    path = tmp_path_factory.mktemp("saved") / "search"
    searcher = Searcher(Position.start("connect_four(columns=4, rows=4)"), Grave(reference=4))
    searcher.run(60)
    searcher.save(path)
    return path


def test_every_byte_counts(saved: Path, tmp_path: Path) -> None:
    """Whichever byte is changed or missing, the file is refused."""
    whole = saved.read_bytes()
    path = tmp_path / "damaged"
    for at in range(len(whole)):
        damaged = bytearray(whole)
        damaged[at] ^= 1 << at % 8
        path.write_bytes(damaged)
        with pytest.raises(DamagedFile):
            Searcher.load(path)
    for end in {*range(0, len(whole), 7), len(whole) - 1}:
        path.write_bytes(whole[:end])
        with pytest.raises(DamagedFile):
            Searcher.load(path)
    for tail in (b"\0", b"more", whole):
        path.write_bytes(whole + tail)
        with pytest.raises(DamagedFile):
            Searcher.load(path)


def test_other_files(saved: Path, tmp_path: Path) -> None:
    path = tmp_path / "other"
    for content in (b"", b"\x89", b"hello", b"\x89PNG\r\n\x1a\n" + bytes(100), MAGIC[:-1] + b"\r"):
        path.write_bytes(content)
        with pytest.raises(DamagedFile, match="is no saved search"):
            Searcher.load(path)
    later = MAGIC + (VERSION + 1).to_bytes(4, "little") + saved.read_bytes()[12:]
    path.write_bytes(later)
    with pytest.raises(DamagedFile, match="is of version 2 of the format; this is 1"):
        Searcher.load(path)
    with pytest.raises(FileNotFoundError):
        Searcher.load(tmp_path / "missing")


def signed(content: bytes) -> bytes:
    """With the checksum that it should have: what somebody wrote on purpose."""
    return content + hashlib.sha256(content).digest()


def split(whole: bytes) -> tuple[dict[str, Any], bytes]:
    length = int.from_bytes(whole[12:16], "little")
    return json.loads(whole[16 : 16 + length]), whole[24 + length : -CHECKSUM]


def joined(header: Any, body: bytes) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    start = MAGIC + VERSION.to_bytes(4, "little") + len(text).to_bytes(4, "little")
    return signed(start + text + len(body).to_bytes(8, "little") + body)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_false_body_never_breaks_anything(engine: Any, saved: Path, tmp_path: Path) -> None:
    """With a good checksum: it is refused, or it is a search that can be run."""
    header, body = split(saved.read_bytes())
    path, chance = tmp_path / "false", random.Random(1)
    refused = good = 0
    for at in range(0, len(body), 17):
        for value in {body[at] ^ 1, body[at] ^ 0x80, chance.randrange(256), 0, 0xFF} - {body[at]}:
            changed = bytearray(body)
            changed[at] = value
            path.write_bytes(joined(header, bytes(changed)))
            try:
                searcher = Searcher.load(path, engine=engine)
            except DamagedFile:
                refused += 1
                continue
            good += 1
            before = searcher.report().playouts
            report = searcher.run(3)
            assert report.stopped == "proven" or report.playouts == before + 3
            searcher.tree().to_dict()
    assert refused > good > 0
    for end in range(0, len(body), 5):
        path.write_bytes(joined(header, body[:end]))
        with pytest.raises(DamagedFile):
            Searcher.load(path, engine=engine)
    path.write_bytes(joined(header, body + b"\0"))
    with pytest.raises(DamagedFile, match="goes on after its end"):
        Searcher.load(path, engine=engine)


def test_both_engines_refuse_the_same(saved: Path, tmp_path: Path) -> None:
    header, body = split(saved.read_bytes())
    path, chance = tmp_path / "false", random.Random(2)
    for _ in range(300):
        changed = bytearray(body)
        for _ in range(chance.randrange(1, 4)):
            changed[chance.randrange(len(body))] = chance.randrange(256)
        path.write_bytes(joined(header, bytes(changed)))
        results: list[Any] = []
        for engine in ENGINES:
            try:
                results.append(Searcher.load(path, engine=engine).digest())
            except DamagedFile:
                results.append(None)
        assert results[0] == results[1]


@pytest.mark.parametrize(
    "changes",
    [
        {"game": "chess"},
        {"game": 5},
        {"game": None},
        {"game": "go(size=4000)"},
        {"game": "breakthrough"},
        {"origin": "nonsense"},
        {"played": [99]},
        {"played": "1"},
        {"played": [1.5]},
        {"moves": []},
        {"search": "alpha_beta"},
        {"search": "uct"},
        {"search": "grave(reference=4, playouts=-1)"},
        {"threads": 0},
        {"threads": 2},
        {"threads": True},
        {"parallel": "rot"},
        {"memory": 1},
        {"seconds": float("nan")},
        {"seconds": -1.0},
        {"stopped": None},
        {"more": 1},
    ],
    ids=str,
)
def test_false_headers(changes: dict[str, Any], saved: Path, tmp_path: Path) -> None:
    header, body = split(saved.read_bytes())
    path = tmp_path / "false"
    path.write_bytes(joined(header | changes, body))
    with pytest.raises(ValueError, match="."):
        Searcher.load(path)


def test_headers_that_are_no_json(saved: Path, tmp_path: Path) -> None:
    _, body = split(saved.read_bytes())
    path = tmp_path / "false"
    for text in (b"", b"{", b"[]", b"\xff\xfe", b"[" * 100_000, b'{"game": 1}'):
        path.write_bytes(joined(text, body))
        with pytest.raises(DamagedFile, match="header"):
            Searcher.load(path)
    # Lengths beyond the end of the file are refused before anything is made of them.
    huge = MAGIC + VERSION.to_bytes(4, "little") + b"\xff\xff\xff\xff" + bytes(50)
    path.write_bytes(signed(huge))
    with pytest.raises(DamagedFile, match="ends too soon"):
        Searcher.load(path)


def test_a_file_is_the_old_one_or_the_new_one(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "search"
    path.write_bytes(saved.read_bytes())
    searcher = Searcher.load(path)
    searcher.run(5)

    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fail)
        with pytest.raises(OSError, match="the disk is full"):
            searcher.save(path)
    assert path.read_bytes() == saved.read_bytes()
    assert [file.name for file in tmp_path.iterdir()] == ["search"]
    searcher.save(str(path))
    assert Searcher.load(path).report() == searcher.report()
    assert [file.name for file in tmp_path.iterdir()] == ["search"]


def test_what_cannot_be_saved(tmp_path: Path) -> None:
    searcher = Searcher(BREAKTHROUGH, Uct())
    with searcher.ponder(), pytest.raises(RuntimeError, match="is running"):
        searcher.save(tmp_path / "search")
    with pytest.raises(FileNotFoundError):
        searcher.save(tmp_path / "no" / "such" / "folder")
    assert list(tmp_path.iterdir()) == []


def test_a_search_that_asks_a_solver_is_not_saved(tmp_path: Path) -> None:
    searcher = Searcher(Position.start("connect_four"), Uct(100, solver_nodes=10))
    searcher.run()
    with pytest.raises(ValueError, match="solver_nodes cannot be saved"):
        searcher.save(tmp_path / "a.tree")
    assert not list(tmp_path.iterdir())
