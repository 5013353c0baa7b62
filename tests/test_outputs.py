"""Every command with an output, on every place where a file cannot or must not be written."""

import json
import os
import resource
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from places import FULL, NULL, Fifo, call, device, listing, obeying, path_options
from sylve.arena.config import make_config
from sylve.arena.store import Store
from sylve.cli import app
from sylve.files import write_whole
from sylve.records import read_record, save_record

MATCH = ("random", "random", "--game", "tic_tac_toe", "--games", "2", "--workers", "1", "--store")
PAGE = {"name": "regret", "title": "", "origin": ["", ""], "claims": [], "method": [],
        "caption": "", "tables": [], "notes": [], "command": ""}  # fmt: skip

Recipe = Callable[[Path, Path], tuple[object, ...]]
"""From a folder with inputs and the place of the output to the arguments of `sylve`."""

OUTPUTS: dict[tuple[str, str], tuple[str, Recipe]] = {
    ("show", "svg"): (".svg", lambda _, out: ("show", "tic_tac_toe", "--svg", out)),
    ("analyze", "svg"): (
        ".svg",
        lambda _, out: ("analyze", "tic_tac_toe", "--playouts", "9", "--svg", out),
    ),
    ("analyze", "save"): (
        ".sylve",
        lambda _, out: ("analyze", "tic_tac_toe", "--playouts", "9", "--save", out),
    ),
    ("convert", "output"): (
        ".sgf",
        lambda inputs, out: ("convert", inputs / "game.json", "--to", "sgf", "--output", out),
    ),
    ("play", "record"): (
        ".json",
        lambda _, out: ("play", "tic_tac_toe", "--watch", "random", "random", "--record", out),
    ),
    ("table build", "out"): (
        ".table",
        lambda _, out: ("table", "build", "breakthrough(columns=2, rows=4)", "--out", out),
    ),
    ("tournament export", "target"): (
        ".csv",
        lambda inputs, out: ("tournament", "export", inputs / "cup.sqlite", out),
    ),
    ("tournament report", "target"): (
        ".html",
        lambda inputs, out: ("tournament", "report", inputs / "cup.sqlite", out),
    ),
    ("tournament backup", "target"): (
        ".sqlite",
        lambda inputs, out: ("tournament", "backup", inputs / "cup.sqlite", out),
    ),
    ("match", "store"): (".sqlite", lambda _, out: ("match", *MATCH, out)),
    ("sprt", "store"): (".sqlite", lambda _, out: ("sprt", *MATCH, out)),
    ("lab run", "out"): ("", lambda _, out: ("lab", "run", "regret", "--quick", "--out", out)),
    ("train othello", "out"): ("", lambda _, out: ("train", "othello", "--small", "--out", out)),
    ("lab report", "out"): ("report.html", lambda _, out: ("lab", "report", "--out", out.parent)),
}
STREAMS = {"show", "analyze", "convert", "table build", "tournament export", "tournament report",
           "lab report"}  # fmt: skip
"""What goes through a device or a pipe; a store and a folder do not."""
FOLDERS = {"lab run", "train othello"}
"""What makes a folder of many files."""
INPUTS = {
    ("analyze", "load"),
    ("convert", "source"),
    ("play", "again"),
    ("table info", "file"),
    ("tsp", "file"),
    ("table probe", "file"),
    *((f"tournament {name}", "file") for name in
      ("run", "status", "verify", "backup", "export", "report")),
}  # fmt: skip


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    save_record(read_record("b2 a1", "tic_tac_toe"), folder / "game.json")
    players: list = [(None, "random"), (None, "random")]
    Store.create(folder / "cup.sqlite", make_config("tic_tac_toe", players, 2)).close()
    return folder


@pytest.fixture
def outputs(tmp_path: Path) -> Path:
    """A folder for outputs, with results of the lab beside them."""
    folder = tmp_path / "outputs"
    (folder / "regret").mkdir(parents=True)
    (folder / "regret" / "data.json").write_text(json.dumps({"experiment": "regret", "page": PAGE}))
    (folder / "regret" / "figure.svg").touch()
    return folder


def place_of(key: tuple[str, str], folder: Path) -> Path:
    suffix = OUTPUTS[key][0]
    return folder / (suffix if key == ("lab report", "out") else f"out{suffix}")


def arguments(key: tuple[str, str], inputs: Path, place: Path) -> tuple[object, ...]:
    return OUTPUTS[key][1](inputs, place)


def test_every_path_of_every_command_is_known() -> None:
    """A new command with an output must be put into the table above."""
    assert set(path_options(app)) == OUTPUTS.keys() | INPUTS


def folder_at(place: Path) -> None:
    place.mkdir()
    (place / "precious").touch()


def link_at(place: Path) -> None:
    precious = place.with_name("precious")
    precious.write_text("precious")
    place.symlink_to(precious)


def dangling_link_at(place: Path) -> None:
    place.symlink_to(place.with_name("elsewhere"))


def socket_at(place: Path) -> None:
    os.mknod(place, stat.S_IFSOCK | 0o666)


REFUSED = {
    "link": (link_at, "symbolic link|exists|Not a directory|File exists"),
    "dangling link": (dangling_link_at, "symbolic link|exists|no such file|File exists"),
    "folder": (folder_at, "folder|exists"),
    "socket": (socket_at, "neither|exists|Not a directory|no such"),
}


@pytest.mark.parametrize("kind", REFUSED)
@pytest.mark.parametrize("key", OUTPUTS, ids=" ".join)
def test_what_is_no_file_is_refused(
    key: tuple[str, str], kind: str, inputs: Path, outputs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if key[0] in FOLDERS and kind == "folder":
        return  # a folder is what it wants
    place = place_of(key, outputs)
    prepare, message = REFUSED[kind]
    prepare(place)
    known = listing(outputs)
    code = call(*arguments(key, inputs, place))
    said = capsys.readouterr().err
    assert code in (1, 2), said
    assert said.startswith("sylve: ")
    assert len(said.splitlines()) == 1
    assert any(word in said for word in message.split("|")), said
    assert listing(outputs) == known
    if kind == "link":
        assert (outputs / "precious").read_text() == "precious"


@pytest.mark.parametrize("key", OUTPUTS, ids=" ".join)
def test_a_device_stays_one(
    key: tuple[str, str], inputs: Path, outputs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for minor in (NULL, FULL):
        place = device(place_of(key, outputs), minor)
        own = place.parent == outputs
        known = listing(outputs)
        code = call(*arguments(key, inputs, place)) if own or key != ("lab report", "out") else 1
        said = capsys.readouterr().err
        assert stat.S_ISCHR(place.lstat().st_mode)
        assert listing(outputs) == known
        if own and key[0] in STREAMS:
            assert code == (0 if minor == NULL else 1), said
            assert minor == NULL or f"{place}': No space left on device" in said
        elif own:
            assert code in (1, 2), said
            assert said.startswith("sylve: ")
        if own:
            place.unlink()


@pytest.mark.parametrize("key", OUTPUTS, ids=" ".join)
def test_a_pipe_stays_one(
    key: tuple[str, str], inputs: Path, outputs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = place_of(key, outputs)
    fifo = Fifo(place)
    known = listing(outputs)
    code = call(*arguments(key, inputs, place))
    said, content = capsys.readouterr().err, fifo.end()
    assert listing(outputs) == known
    assert code == 0 if key[0] in STREAMS else code in (1, 2), said
    assert bool(content) == (key[0] in STREAMS)


@pytest.mark.parametrize("key", OUTPUTS, ids=" ".join)
def test_a_read_only_place(
    key: tuple[str, str], inputs: Path, outputs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = place_of(key, outputs)
    outputs.chmod(0o555)
    known = listing(outputs)
    with obeying():
        code = call(*arguments(key, inputs, place))
    outputs.chmod(0o755)
    said = capsys.readouterr().err
    assert code == 1, said
    assert "nothing can be written in this folder" in said or "Permission denied" in said
    assert listing(outputs) == known


@pytest.mark.parametrize("key", OUTPUTS, ids=" ".join)
def test_a_missing_folder(
    key: tuple[str, str], inputs: Path, outputs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if key[0] in ("match", "sprt", *FOLDERS):
        return  # they make it
    code = call(*arguments(key, inputs, place_of(key, outputs / "none")))
    said = capsys.readouterr().err
    assert code == 2, said
    assert f"no such file or folder: '{outputs / 'none'}/" in said or "no results in" in said
    assert not (outputs / "none").exists()


@pytest.mark.parametrize("key", OUTPUTS, ids=" ".join)
def test_a_full_disk(
    key: tuple[str, str], inputs: Path, outputs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A bound of the system on the length of files stands for the disk."""
    if key[0] in FOLDERS:
        return  # their workers would need the same bound, and the first cell a minute
    place = place_of(key, outputs)
    known = listing(outputs)
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20, limit[1]))
    try:
        code = call(*arguments(key, inputs, place))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        signal.signal(signal.SIGXFSZ, handler)
    said = capsys.readouterr().err
    assert code == 1, said
    assert said.startswith("sylve: ")
    left = listing(outputs).keys() - known.keys()
    if key[0] in ("match", "sprt"):  # an empty store and its lock are no harm
        left -= {"out.sqlite", "out.sqlite.lock", "out.sqlite-wal", "out.sqlite-shm"}
    assert left == set()


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet", ".sgf"])
def test_every_form_of_an_export(
    suffix: str, inputs: Path, outputs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    link_at(outputs / f"out{suffix}")
    assert call("tournament", "export", inputs / "cup.sqlite", outputs / f"out{suffix}") == 1
    assert "symbolic link" in capsys.readouterr().err
    assert (outputs / "precious").read_text() == "precious"


def test_the_store_of_a_tournament_file(outputs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cup = outputs / "cup.toml"
    cup.write_text('game = "tic_tac_toe"\ngames = 2\nplayers = ["random", "random"]\n')
    link_at(outputs / "cup.sqlite")
    known = listing(outputs)
    assert call("tournament", "run", cup) == 1
    assert "symbolic link" in capsys.readouterr().err
    assert listing(outputs) == known
    assert (outputs / "precious").read_text() == "precious"


def test_standard_output_of_the_command() -> None:
    sylve = Path(sys.executable).with_name("sylve")
    command = [sylve, "show", "tic_tac_toe", "--svg", "/dev/stdout"]
    found = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert found.returncode == 0, found.stderr
    assert found.stdout.startswith("<svg")
    assert "9 moves" in found.stdout


def test_a_pipe_that_nobody_reads_any_more(
    outputs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = outputs / "out.svg"
    os.mkfifo(place)

    def read_a_little() -> None:
        with place.open("rb", buffering=0) as pipe:
            pipe.read(1)

    reader = threading.Thread(target=read_a_little, daemon=True)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("sylve.cli.show.write_whole", lambda path, _: write_whole(path, endless()))
        reader.start()
        assert call("show", "tic_tac_toe", "--svg", place) == 1
    reader.join()
    assert f"sylve: '{place}': nobody reads it any more" in capsys.readouterr().err
    assert stat.S_ISFIFO(place.lstat().st_mode)


def endless() -> Iterator[bytes]:
    while True:
        yield b"x" * 10_000
