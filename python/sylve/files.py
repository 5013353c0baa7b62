"""The one writer of files: a file is the old one or the new one, whatever happens in between.

    write_whole(path, data)             bytes, or parts that are written as they come
    with fresh_file(path) as file: ...  the same for what somebody else writes, such as SQLite
    check_target(path)                  refuse a bad place before the work, not after it

Only regular files are replaced. A device or a pipe is written through, so that it stays what it is.
A symbolic link is refused: somebody else may have put it there, and what it points to is not what
was named.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Literal, NoReturn

Kind = Literal["new", "regular", "stream", "descriptor"]
DESCRIPTORS = re.compile(r"/dev/(stdin|stdout|stderr)|(?:/dev|/proc/self)/fd/(\d+)")
STANDARD = {"stdin": 0, "stdout": 1, "stderr": 2}
PART = 1 << 20  # bytes read at once
NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)  # 0: Windows, where links need a privilege


def write_whole(path: str | os.PathLike[str], data: bytes | Iterable[bytes]) -> None:
    """Write a file, all of it or nothing; OSError says what is wrong with the place or the disk."""
    target = Path(path)
    parts = (data,) if isinstance(data, bytes) else data
    if check_target(target) in ("new", "regular"):
        with fresh_file(target) as partial, partial.open("r+b", buffering=0) as file:
            pour(parts, file, target)
    else:
        with open_stream(target) as file:
            pour(parts, file, target)


def data_folder() -> Path:
    """Where results are kept that were given no place of their own."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "sylve"


def parts_of(path: Path) -> Iterator[bytes]:
    """The bytes of a file, to be written elsewhere without holding all of it."""
    with path.open("rb") as file:
        while part := file.read(PART):
            yield part


def check_target(path: str | os.PathLike[str]) -> Kind:
    """What is at the place of an output; OSError if nothing can be written there."""
    target = Path(path)
    if descriptor_of(target) is not None:
        return "descriptor"
    try:
        mode = target.lstat().st_mode
    except FileNotFoundError:
        if not target.parent.is_dir():
            refuse(errno.ENOENT, "there is no such folder", target)
        if not writable(target.parent):
            refuse(errno.EACCES, "nothing can be written in this folder", target)
        return "new"
    if stat.S_ISLNK(mode):
        meant = os.readlink(target)  # noqa: PTH115  as it is written in the link
        refuse(errno.ELOOP, f"it is a symbolic link to {meant!r}: name the file itself", target)
    if stat.S_ISDIR(mode):
        refuse(errno.EISDIR, "it is a folder, not a file", target)
    if stat.S_ISCHR(mode) or stat.S_ISFIFO(mode):
        return "stream"
    if not stat.S_ISREG(mode):
        refuse(errno.EINVAL, "it is neither a file nor a device that takes text", target)
    if not writable(target) or not writable(target.parent):
        refuse(errno.EACCES, "it cannot be written: it or its folder is read-only", target)
    return "regular"


def writable(path: Path) -> bool:
    """Whether this process may write to a file, or make one in a folder."""
    effective = os.access in os.supports_effective_ids
    wanted = os.W_OK | (os.X_OK if path.is_dir() else 0)
    return os.access(path, wanted, effective_ids=effective)


@contextlib.contextmanager
def fresh_file(path: Path) -> Iterator[Path]:
    """An empty file beside the target, which takes its place at the end if nothing was raised.

    It is flushed before it gets its name, and its folder after, so that a power cut leaves the old
    file or the new one. Nobody can guess its name and have something else there.
    """
    if check_target(path) not in ("new", "regular"):
        refuse(errno.EEXIST, "it is no regular file, and is not replaced by one", path)
    partial = path.with_name(f".sylve-{secrets.token_hex(8)}.partial")
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | NO_FOLLOW
    try:
        os.close(os.open(partial, flags, 0o666))
        yield partial
        keep_permissions(path, partial)
        flush(partial, os.O_RDWR)
        partial.replace(path)
        if os.name == "posix":  # elsewhere a folder cannot be opened
            flush(path.parent, os.O_RDONLY)
    except OSError as error:
        if error.errno and error.filename in (None, str(partial)):
            error.filename = str(path)  # the user has never heard of the other name
        raise
    finally:
        with contextlib.suppress(OSError):
            partial.unlink()


def keep_permissions(old: Path, new: Path) -> None:
    """What replaces a file is as open or closed to others as the file was."""
    with contextlib.suppress(FileNotFoundError):
        known = old.lstat()
        mine = new.stat()
        if (known.st_uid, known.st_gid) != (mine.st_uid, mine.st_gid):
            with contextlib.suppress(PermissionError):
                os.chown(new, known.st_uid, known.st_gid)
        new.chmod(known.st_mode & 0o777)


def flush(path: Path, flags: int) -> None:
    """Have a file or a folder on the disk."""
    handle = os.open(path, flags | NO_FOLLOW)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def descriptor_of(path: Path) -> int | None:
    """The number behind `/dev/stdout`, `/dev/fd/3`: links that the system made, to what is open."""
    match = DESCRIPTORS.fullmatch(os.fspath(path))
    if match is None:
        return None
    return STANDARD[match[1]] if match[1] else int(match[2])


def open_stream(path: Path) -> BinaryIO:
    """A device or a pipe, or what is open already; never created, never cut."""
    number = descriptor_of(path)
    if number is not None:
        sys.stdout.flush()  # what was printed before comes first
        try:
            return os.fdopen(os.dup(number), "wb", buffering=0)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(path)) from None
    handle = os.open(path, os.O_WRONLY | NO_FOLLOW | getattr(os, "O_NOCTTY", 0))
    if stat.S_ISREG(os.fstat(handle).st_mode):  # it was no file when it was looked at
        os.close(handle)
        refuse(errno.EEXIST, "it was changed while it was opened", path)
    return os.fdopen(handle, "wb", buffering=0)


def pour(parts: Iterable[bytes], file: BinaryIO, path: Path) -> None:
    """Write every byte of every part; an error names the file that was asked for."""
    try:
        for part in parts:
            rest = memoryview(part)
            while rest:
                rest = rest[file.write(rest) :]
    except BrokenPipeError:  # which the command line takes for its own output, and keeps quiet
        refuse(errno.EIO, "nobody reads it any more", path)
    except OSError as error:
        if error.errno and error.filename is None:
            error.filename = str(path)
        raise


def refuse(number: int, why: str, path: Path) -> NoReturn:
    """The OSError of the system's own kind for it, with our words."""
    raise OSError(number, why, str(path))
