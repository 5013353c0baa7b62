"""One runner for a store: a lock of the operating system, which dies with its process."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # pragma: no cover  Windows
    fcntl = None  # type: ignore[assignment]

NETWORK = ("nfs", "cifs", "smb", "9p", "afs", "sshfs", "gluster", "ceph", "lustre", "davfs")


class Busy(Exception):
    """Another process runs this store."""


class RunLock:
    """The lock of a store, in a file beside it: SQLite's own locks are left alone."""

    def __init__(self, store: Path) -> None:
        self.path = store.with_name(store.name + ".lock")
        self.file: IO[str] | None = None

    def acquire(self) -> None:
        """Take it, or raise `Busy` and say who has it."""
        file = self.path.open("a+", encoding="utf-8")
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                file.seek(0)
                owner = file.read().strip() or "another process"
                file.close()
                raise Busy(f"the store is being run by {owner}: wait for it, or stop it") from None
        file.truncate(0)
        file.write(f"process {os.getpid()}")
        file.flush()
        self.file = file

    def release(self) -> None:
        """Give it back. The file stays: removing it would let two runners lock two files."""
        if self.file is not None:
            self.file.close()
            self.file = None


def doubts(path: Path) -> list[str]:
    """What speaks against keeping a store there."""
    found = []
    if path.is_symlink():
        found.append(f"{path} is a symbolic link: use the file's own name, or its log may be lost")
    elif path.exists() and path.stat().st_nlink > 1:
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
