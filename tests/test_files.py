"""The writer of whole files: what it replaces, what it refuses, what it leaves behind."""

import os
import resource
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from places import FULL, NULL, Fifo, device, listing, obeying
from sylve.files import check_target, fresh_file, write_whole


def test_a_file_is_made_and_replaced(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    write_whole(target, b"one")
    assert target.read_bytes() == b"one"
    assert target.stat().st_mode & 0o777 == 0o666 & ~current_umask()
    target.chmod(0o640)
    write_whole(str(target), (part for part in (b"t", b"", b"wo")))
    assert target.read_bytes() == b"two"
    assert target.stat().st_mode & 0o777 == 0o640, "as open or closed as before"
    assert listing(tmp_path) == {"out.txt": stat.S_IFREG}


def current_umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def test_a_long_name_has_room_for_the_other_one(tmp_path: Path) -> None:
    target = tmp_path / ("x" * 255)
    write_whole(target, b"one")
    assert target.read_bytes() == b"one"


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt, MemoryError, OSError])
@pytest.mark.parametrize("before", [None, b"before"])
def test_nothing_is_left_behind(
    tmp_path: Path, failure: type[BaseException], before: bytes | None
) -> None:
    target = tmp_path / "out.txt"
    if before is not None:
        target.write_bytes(before)
    known = listing(tmp_path)

    def parts() -> Iterator[bytes]:
        yield b"x" * 100_000
        raise failure("in the middle")

    with pytest.raises(failure):
        write_whole(target, parts())
    assert listing(tmp_path) == known
    assert before is None or target.read_bytes() == before


def test_parts_are_written_as_they_come(tmp_path: Path) -> None:
    """A table of hundreds of megabytes is never held as a whole."""
    sizes = []

    def parts() -> Iterator[bytes]:
        for _ in range(3):
            yield b"x" * 1000
            (partial,) = tmp_path.iterdir()
            sizes.append(partial.stat().st_size)

    write_whole(tmp_path / "out", parts())
    assert sizes == [1000, 2000, 3000]


def test_the_file_is_on_the_disk_before_its_name_and_the_name_before_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    sync, replace = os.fsync, Path.replace

    def watched_sync(handle: int) -> None:
        kind = "folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file"
        calls.append((kind, os.fstat(handle).st_size if kind == "file" else 0))
        sync(handle)

    def watched_replace(self: Path, target: Path) -> Path:
        calls.append(("rename", 0))
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", watched_sync)
    monkeypatch.setattr(Path, "replace", watched_replace)
    write_whole(tmp_path / "out", [b"x" * 700, b"x" * 77])
    assert calls == [("file", 777), ("rename", 0), ("folder", 0)]


def test_a_link_is_neither_followed_nor_replaced(tmp_path: Path) -> None:
    precious, link = tmp_path / "precious", tmp_path / "link"
    precious.write_text("precious")
    for meant in (precious, tmp_path / "nowhere", tmp_path, Path("/dev/null")):
        link.symlink_to(meant)
        known = listing(tmp_path)
        with pytest.raises(OSError, match=f"symbolic link to '{meant}'"):
            write_whole(link, b"x")
        assert listing(tmp_path) == known
        assert precious.read_text() == "precious"
        link.unlink()


def test_a_planted_name_is_of_no_use(tmp_path: Path) -> None:
    """Names that writers have used or may be thought to use: links to somebody's file."""
    precious = tmp_path / "precious"
    precious.write_text("precious")
    target = tmp_path / "out"
    for name in ("out.partial", "out.part", f".out.{os.getpid()}.part", f".out.{os.getpid()}",
                 f"out.{os.getpid()}.part", "out~", ".sylve-.partial"):  # fmt: skip
        (tmp_path / name).symlink_to(precious)
    known = listing(tmp_path)
    write_whole(target, b"new")
    assert listing(tmp_path) == known | {"out": stat.S_IFREG}
    assert precious.read_text() == "precious"


def test_the_other_name_is_never_taken_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If somebody guessed the name after all, the link there is not followed."""
    precious = tmp_path / "precious"
    precious.write_text("precious")
    monkeypatch.setattr("secrets.token_hex", lambda size: "guessed")
    (tmp_path / ".sylve-guessed.partial").symlink_to(precious)
    with pytest.raises(FileExistsError):
        write_whole(tmp_path / "out", b"x")
    assert precious.read_text() == "precious"


@pytest.mark.parametrize(
    ("place", "error", "message"),
    [
        ("folder", IsADirectoryError, "it is a folder"),
        ("none/out", FileNotFoundError, "no such folder.*none"),
        ("file/out", NotADirectoryError, "file"),
    ],
)
def test_other_places(tmp_path: Path, place: str, error: type[OSError], message: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(error, match=message):
        write_whole(tmp_path / place, b"x")
    with pytest.raises(error, match=message):
        check_target(tmp_path / place)
    assert listing(tmp_path) == {"file": stat.S_IFREG, "folder": stat.S_IFDIR}


def test_read_only(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    target = folder / "out"
    target.write_text("before")
    target.chmod(0o444)
    with obeying(), pytest.raises(PermissionError, match="read-only"):
        write_whole(target, b"x")
    target.chmod(0o644)
    folder.chmod(0o555)
    with obeying():
        with pytest.raises(PermissionError, match="read-only"):
            write_whole(target, b"x")
        with pytest.raises(PermissionError, match="nothing can be written in this folder"):
            write_whole(folder / "new", b"x")
    folder.chmod(0o755)
    assert target.read_text() == "before"
    assert listing(tmp_path) == {"folder": stat.S_IFDIR, "folder/out": stat.S_IFREG}


def test_a_device_and_a_pipe_are_written_through(tmp_path: Path) -> None:
    null = device(tmp_path / "null", NULL)
    write_whole(null, [b"x" * 100_000, b"y"])
    assert stat.S_ISCHR(null.lstat().st_mode)
    fifo = Fifo(tmp_path / "pipe")
    write_whole(fifo.path, [b"x" * 100_000, b"y"])
    assert fifo.end() == b"x" * 100_000 + b"y"
    assert stat.S_ISFIFO(fifo.path.lstat().st_mode)
    with pytest.raises(FileExistsError), fresh_file(null):
        pass
    assert not [name for name in listing(tmp_path) if "partial" in name]


def test_a_full_device_says_so(tmp_path: Path) -> None:
    full = device(tmp_path / "full", FULL)
    if full.parent == tmp_path or str(full) == "/dev/full":
        with pytest.raises(OSError, match="No space left on device: '.*full'"):
            write_whole(full, b"x")
        assert stat.S_ISCHR(full.lstat().st_mode)


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    """A bound of the system on the length of files stands for the disk."""
    target = tmp_path / "out"
    target.write_text("before")
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, limit[1]))
    try:
        with pytest.raises(OSError, match="File too large: '.*/out'"):
            write_whole(target, [b"x" * 60_000, b"x" * 60_000])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        signal.signal(signal.SIGXFSZ, handler)
    assert target.read_text() == "before"
    assert listing(tmp_path) == {"out": stat.S_IFREG}


@pytest.mark.parametrize("kind", ["pipe", "file"])
def test_standard_output(tmp_path: Path, kind: str) -> None:
    """Links that the system made itself, to what the process has open."""
    script = (
        "from sylve.files import write_whole\n"
        "print('first')\n"
        "for place in ('/dev/stdout', '/dev/fd/1', '/proc/self/fd/1', '/dev/stderr'):\n"
        "    write_whole(place, place.encode() + b'\\n')\n"
    )
    command = [sys.executable, "-c", script]
    if kind == "pipe":
        found = subprocess.run(command, capture_output=True, check=True, timeout=60)
        out, err = found.stdout, found.stderr
    else:
        with (tmp_path / "out").open("wb") as file, (tmp_path / "err").open("wb") as other:
            subprocess.run(command, stdout=file, stderr=other, check=True, timeout=60)
        out, err = (tmp_path / "out").read_bytes(), (tmp_path / "err").read_bytes()
    assert out == b"first\n/dev/stdout\n/dev/fd/1\n/proc/self/fd/1\n"
    assert err == b"/dev/stderr\n"
