"""Places where a file cannot or must not be written, made without harm to the machine."""

from __future__ import annotations

import ctypes
import os
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sylve.cli import main

NULL, FULL = 3, 7  # the minor numbers of /dev/null and /dev/full


def device(path: Path, minor: int) -> Path:
    """A device that takes everything, or nothing.

    Root could replace the system's own /dev/null if the code under test were wrong, so root gets a
    copy of it. Where even root cannot make one, a terminal of our own serves.
    """
    if os.geteuid():
        return Path("/dev/null" if minor == NULL else "/dev/full")
    try:
        os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, minor))
        os.close(os.open(path, os.O_WRONLY))
    except OSError:
        path.unlink(missing_ok=True)
        return Path(os.ttyname(os.openpty()[1]))
    return path


@contextmanager
def obeying() -> Iterator[None]:
    """Have the permissions of files bind this process, also if it is root's: no capabilities.

    The effective set is given up and taken back; the system allows both.
    """
    library = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)  # version 3 of the call, this thread
    known = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; twice 32 bits
    assert library.capget(header, known) == 0, os.strerror(ctypes.get_errno())
    without = (ctypes.c_uint32 * 6)(*known)
    without[0] = without[3] = 0
    assert library.capset(header, without) == 0, os.strerror(ctypes.get_errno())
    try:
        yield
    finally:
        assert library.capset(header, known) == 0, os.strerror(ctypes.get_errno())


class Fifo:
    """A pipe with a name, and somebody who reads it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        os.mkfifo(path)
        self.content = b""
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self) -> None:
        """All that comes until the writer has gone."""
        self.content = self.path.read_bytes()

    def end(self) -> bytes:
        """What was read; an end for the reader, if nobody has written."""
        if self.reader.is_alive():
            handle = os.open(self.path, os.O_RDWR)
            self.reader.join(0.2)
            os.close(handle)
            self.reader.join(20)
        return self.content


def call(*arguments: object) -> int:
    """The exit code of the command `sylve`, run here; whatever it does not catch is raised."""
    before = sys.argv
    sys.argv = ["sylve", *map(str, arguments)]
    try:
        main()
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    finally:
        sys.argv = before
    return 0


def listing(folder: Path) -> dict[str, int]:
    """Every name below a folder, with its kind."""
    return {
        str(path.relative_to(folder)): stat.S_IFMT(path.lstat().st_mode)
        for path in sorted(folder.rglob("*"))
    }


def path_options(app: object, name: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Every argument and option of a command line that is a path: (command, parameter)."""
    from typing import get_args, get_type_hints

    for command in app.registered_commands:  # type: ignore[attr-defined]
        callback: Callable[..., object] = command.callback
        own = command.name or callback.__name__.replace("_", "-")
        for parameter, kind in get_type_hints(callback).items():
            if Path in (kind, *get_args(kind)):
                yield " ".join((*name, own)), parameter
    for group in app.registered_groups:  # type: ignore[attr-defined]
        known = isinstance(group.name, str) and group.name
        yield from path_options(
            group.typer_instance, (*name, known or group.typer_instance.info.name)
        )
