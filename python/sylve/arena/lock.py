"""One runner for a store: a lock of the operating system, which dies with its process."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import IO

from sylve.files import NO_FOLLOW

try:
    import fcntl
except ImportError:  # pragma: no cover  Windows
    fcntl = None  # type: ignore[assignment]

LONGEST = 100  # bytes of a lock: "process 12345"
NETWORK = ("nfs", "cifs", "smb", "9p", "afs", "sshfs", "gluster", "ceph", "lustre", "davfs")


class Busy(Exception):
    """Another process runs this store."""


class RunLock:
    """The lock of a store, in a file beside it: SQLite's own locks are left alone."""

    def __init__(self, store: Path) -> None:
        self.path = store.with_name(store.name + ".lock")
        self.file: IO[bytes] | None = None

    def acquire(self) -> None:
        """Take it, or raise `Busy` and say who has it."""
        file = open_lock(self.path)
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                owner = file.read().decode(errors="replace").strip() or "another process"
                file.close()
                raise Busy(f"the store is being run by {owner}: wait for it, or stop it") from None
        try:
            file.truncate(0)
            file.write(f"process {os.getpid()}".encode())
        except OSError as error:
            file.close()
            raise OSError(error.errno, error.strerror, str(self.path)) from None
        self.file = file

    def release(self) -> None:
        """Give it back. The file stays: removing it would let two runners lock two files."""
        if self.file is not None:
            self.file.close()
            self.file = None


def open_lock(path: Path) -> IO[bytes]:
    """The file of a lock, made if it is not there; nothing else is ever cut or written to."""
    flags = os.O_RDWR | os.O_CREAT | NO_FOLLOW | getattr(os, "O_NONBLOCK", 0)
    try:
        handle = os.open(path, flags, 0o666)
    except OSError as error:
        if path.is_symlink():
            raise ValueError(f"{path} is a symbolic link, not the lock of a store") from None
        raise error
    file = os.fdopen(handle, "r+b", buffering=0)
    facts = os.fstat(handle)
    own = stat.S_ISREG(facts.st_mode) and facts.st_nlink == 1 and facts.st_size < LONGEST
    if own and facts.st_size:
        own = file.read().startswith(b"process ")
        file.seek(0)
    if not own:
        file.close()
        raise ValueError(f"{path} is not the lock of a store: move it away")
    return file


def doubts(path: Path) -> list[str]:
    """What speaks against keeping a store there."""
    found = []
    if path.exists() and path.stat().st_nlink > 1:
        found.append(f"{path} has several names (hard links): its log belongs to one of them only")
    kind = file_system(path.resolve().parent)
    if any(word in kind for word in NETWORK):
        found.append(f"{path} is on a network file system ({kind}): use a local disk")
    return found


def file_system(folder: Path) -> str:
    """The type of the file system of a folder, where Linux tells it; else nothing."""
    try:
        mounts = Path("/proc/mounts").read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    best, kind = "", ""
    for line in mounts:
        _, place, name, *_ = line.split()
        place = place.replace("\\040", " ")
        inside = folder == Path(place) or Path(place) in folder.parents
        if inside and len(place) >= len(best):
            best, kind = place, name
    return kind
