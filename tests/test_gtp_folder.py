"""`printsgf` and `loadsgf`: whatever name is sent, nothing is touched but records of the folder."""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from gtp_session import Response, split
from sylve import Position, Uct
from sylve.games import load_game
from sylve.gtp.engine import Engine
from sylve.gtp.folder import LARGEST_RECORD, Folder
from sylve.gtp.protocol import Command, Refusal
from sylve.gtp.session import serve
from sylve.records import Record, load_record

RECORD = "(;GM[1]SZ[5];B[cc])"
SECRET = "root:x:0:0\n"
Shape = tuple[int, int, int, bytes]


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A folder deep in a tree, with all that should not be in it."""
    outside, folder = tmp_path / "outside", tmp_path / "a" / "b" / "c" / "folder"
    (outside / "deep").mkdir(parents=True)
    (folder / "sub").mkdir(parents=True)
    for name in ("passwd", "passwd.sgf", "deep/passwd.sgf"):
        (outside / name).write_text(SECRET)
    (outside / "record.sgf").write_text(RECORD)
    (tmp_path / "a/b/c/passwd.sgf").write_text(SECRET)
    (tmp_path / "a/b/record.sgf").write_text(RECORD)
    (folder / "good.sgf").write_text(RECORD)
    (folder / "sub/good.sgf").write_text(RECORD)
    (folder / "notes.sgf").write_text("To do: nothing.\n")
    (folder / "half.sgf").write_text("(;GM[1]SZ[5];B[cc")
    (folder / "empty.sgf").write_text("")
    (folder / "moves.sgf").write_text("# game: connect_four\n4 4\n")
    (folder / "script.sh").write_text("true\n")
    (folder / "large.sgf").write_bytes(b" " * (LARGEST_RECORD + 1) + RECORD.encode())
    (folder / "folder.sgf").mkdir()
    (folder / "link.sgf").symlink_to(outside / "record.sgf")
    (folder / "relative.sgf").symlink_to("../../record.sgf")
    (folder / "own.sgf").symlink_to("good.sgf")
    (folder / "dangling.sgf").symlink_to(outside / "new.sgf")
    (folder / "loop.sgf").symlink_to("loop.sgf")
    (folder / "linked").symlink_to(outside)
    (folder / "sub/up").symlink_to("../..")
    os.link(outside / "record.sgf", folder / "hard.sgf")
    os.mkfifo(folder / "pipe.sgf")
    if os.geteuid() == 0:
        os.mknod(folder / "device.sgf", stat.S_IFCHR | 0o666, os.makedev(1, 3))
        (folder / "theirs.sgf").write_text(RECORD)
        os.chown(folder / "theirs.sgf", 12345, 12345)
    return tmp_path


def shapes(top: Path) -> dict[str, Shape]:
    """Everything below a folder: what it is, which one it is, and what is in it."""
    found = {}
    for path in sorted(top.rglob("*")):
        info = path.lstat()
        content = path.read_bytes() if stat.S_ISREG(info.st_mode) else b""
        content = os.fsencode(path.readlink()) if path.is_symlink() else content
        size = 0 if path.is_dir() else info.st_size
        found[str(path.relative_to(top))] = (info.st_mode, info.st_ino, size, content)
    return found


def hostile_names(top: Path) -> list[str]:
    """Names that must not be written. Those with a sign from another alphabet may be new files."""
    folder, outside = top / "a/b/c/folder", top / "outside"
    targets = ["passwd", "passwd.sgf", "record.sgf", "new.sgf", "deep/passwd.sgf", "deep/new.sgf"]
    ways = [
        str(outside), f"/{outside}", f"{outside}/deep/..", "linked", "./linked", "sub/../linked",
        "../../../../outside", "sub/../../../../../outside", "./../../../../outside",
        "sub/up/../../../outside", "sub/up/folder/linked", "linked/deep/..", "linked/.",
        "..//../../../outside", "~", "~root", "$HOME", "..\\..\\..\\..\\outside", "file://outside",
        "%2e%2e/%2e%2e", "\uff0e\uff0e/outside", "\u2025/\u2025", "..\u2215..", "..\x00/outside",
        "\u202e..", "../a/../../../../outside", "sub/./../../../../../outside", "no/../linked",
        f"/proc/self/cwd/../../../../..{outside}", f"/proc/self/root{outside}", "...", " ..", ".. ",
    ]  # fmt: skip
    names = [f"{way}/{target}" for way, target in product(ways, targets)]
    inside = [
        "notes.sgf", "half.sgf", "empty.sgf", "moves.sgf", "large.sgf", "folder.sgf", "link.sgf",
        "relative.sgf", "own.sgf", "dangling.sgf", "loop.sgf", "pipe.sgf", "script.sh", "linked",
        "sub", ".", "..", "", "sub/up/record.sgf", "sub/up/passwd.sgf", "sub/up/new.sgf", ".sgf",
        "device.sgf", "theirs.sgf", "no/such/folder/file.sgf", "good.sgf/new.sgf", "../passwd.sgf",
        "../new.sgf", "../../record.sgf", "../../new.sgf", "good.sgf\x00.txt", "new.sgf\n", "new",
        "new.sgf.txt", "new.txt", "new.sg\uff46", "new\uff0esgf", "new.sgf\u200b", "new.sgf ",
    ]  # fmt: skip
    shown = [
        name
        for name in inside
        if name not in ("device.sgf", "theirs.sgf") or (folder / name).exists()
    ]
    names += [
        f"{before}{name}{after}"
        for before, name, after in product(("", "./", "sub/../", f"{folder}/"), shown, ("", "/"))
    ]
    names += [f"{'x' * length}.sgf" for length in (252, 300, 1000, 5000, 100_000)]
    names += ["sub/" * count + "new.sgf" for count in (2, 500, 10_000)]
    names += ["../" * count + "outside/new.sgf" for count in (4, 50, 1000)]
    return list(dict.fromkeys(names))


def talk(folder: Path, lines: list[str]) -> list[Response]:
    """A session in this folder."""
    output = io.BytesIO()
    engine = Engine(load_game("go"), Uct(10), folder=Folder(folder))
    text = "\n".join(line.replace("\n", "") for line in lines)
    serve(engine, io.BytesIO(text.encode(errors="replace")).read, output)
    return split(output.getvalue().decode())


def checked(top: Path, before: dict[str, Shape]) -> Iterator[str]:
    """The names of the records that are new; nothing else may have changed."""
    after = shapes(top)
    assert not set(before) - set(after)
    for name, shape in after.items():
        if before.get(name) != shape:
            assert name.startswith("a/b/c/folder/"), f"{name} is outside"
            assert name not in before, f"{name} was replaced"
            assert load_record(top / name).names == ("C3",)
            yield name


@pytest.mark.timeout(120)
def test_hostile_names_write_nothing_outside_and_over_nothing(top: Path) -> None:
    folder, names = top / "a/b/c/folder", hostile_names(top)
    before = shapes(top)
    assert len(names) >= 500
    answers = talk(folder, ["boardsize 5", "play b C3", *(f"printsgf {name}" for name in names)])
    written = set(checked(top, before))
    good = [answer for answer in answers[2:] if answer.mark == "=" and not answer.text]
    assert len(answers) - 2 == len(names)
    assert not any("internal error" in answer.text for answer in answers)
    # What the protocol leaves of some is a plain new name: the sign that was hostile is gone.
    assert len(written) <= len(good) <= 12, written
    # The same without the protocol, which strips control characters.
    start, shelf = Position.start("go(size=5)"), Folder(folder)
    refused = 0
    for name in names:
        try:
            shelf.save(Record(start, (start.move("C3"),)), name)
        except Refusal:
            refused += 1
    assert refused >= len(names) - 12
    assert set(checked(top, before)) >= written


def test_good_names_are_written(top: Path) -> None:
    """The control: new files, also in a folder below, over records, and over one of two names."""
    folder = top / "a/b/c/folder"
    names = ["new.sgf", "sub/new.sgf", "./sub/./other.SGF", "two words.sgf", "good.sgf", "hard.sgf"]
    answers = talk(folder, ["boardsize 5", "play b C3", *(f"printsgf {name}" for name in names)])
    assert [answer.mark + answer.text for answer in answers] == ["="] * 8
    for name in names:
        assert load_record(folder / name).names == ("C3",)
    assert (top / "outside/record.sgf").read_text() == RECORD  # its other name was replaced


@pytest.mark.timeout(120)
def test_hostile_names_are_not_read(top: Path) -> None:
    """Also not what is a record: an answer would tell that it is there."""
    folder = top / "a/b/c/folder"
    readable = {"moves.sgf", "theirs.sgf"}  # a list of moves is a record in another form
    names = [
        name
        for name in hostile_names(top)
        if not name.endswith(tuple(readable)) or name.startswith(("/", "~"))
    ]
    names += ["/etc/passwd", "/dev/null", "/dev/stdin", "/proc/self/mem", "/proc/self/environ"]
    answers = talk(folder, [f"loadsgf {name}" for name in names] + ["showboard"])
    assert [answer.mark for answer in answers] == [*("?" * len(names)), "="]
    assert not any("internal error" in answer.text for answer in answers)
    assert not any("root:x" in answer.text for answer in answers)


def test_a_session_has_one_folder(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That of its start, though the program may go elsewhere; and a folder it must be."""
    folder = top / "a/b/c/folder"
    monkeypatch.chdir(folder)
    engine = Engine(load_game("go"), Uct(10))
    monkeypatch.chdir(top)
    assert engine.answer(Command("", "printsgf", ("here.sgf",))) == ""
    assert (folder / "here.sgf").exists()
    assert Path.cwd() == top
    assert engine.answer(Command("", "loadsgf", ("good.sgf",))) == ""
    for wrong in (top / "no", folder / "good.sgf"):
        with pytest.raises(ValueError, match="is no folder"):
            Folder(wrong)


def test_a_folder_that_becomes_a_link_is_not_followed(top: Path) -> None:
    """The folder is opened before the file is: what is linked meanwhile does not count."""
    folder = top / "a/b/c/folder"
    shelf = Folder(folder)
    with shelf._parent("sub/new.sgf", (".sgf",)) as (parent, last):
        (folder / "sub").rename(folder / "moved")
        (folder / "sub").symlink_to(top / "outside")
        assert last == "new.sgf"
        assert os.path.samestat(os.fstat(parent), (folder / "moved").stat())
    with pytest.raises(Refusal, match="sub/new.sgf"):
        shelf.save(Record(Position.start("go(size=5)")), "sub/new.sgf")
    assert not (top / "outside/new.sgf").exists()
