"""Between us and an engine: a small process that ends the engine when we end, however we end.

python guard.py LEASH OWNER CLOSE TERMINATE COMMAND...

LEASH is a socket, with us at its other end. It says first whether the engine could be started: 0,
or the number of the error. When it closes, or the process OWNER is gone, the engine has CLOSE
seconds to go by itself (its input has ended), then SIGTERM and TERMINATE seconds; then everything
that it has started is killed. One byte on the leash: killed at once.

On Linux the guard adopts what its engine leaves behind, also in other sessions, and the engine dies
with the guard. Elsewhere the engine's process group is all that it knows. This file is run as a
program, by its path, and imports nothing of the package: it must be up in a few milliseconds.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import sys
import time

SET_PARENT_DEATH_SIGNAL, SET_CHILD_SUBREAPER = 1, 36  # of Linux's prctl
ENDINGS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)
PATIENCE = 0.01  # seconds between two looks
LINUX = sys.platform == "linux"


def prctl(option: int, value: int) -> None:
    """Ask Linux for something; other systems do not have it."""
    if LINUX:
        ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0)


def children() -> list[int]:
    """Our own children, adopted ones too. Nobody else can be given their numbers meanwhile."""
    me = str(os.getpid())
    listed = content(f"/proc/{me}/task/{me}/children")
    if listed is not None:
        return [int(word) for word in listed.split()]
    # Some kernels have no such list: look at every process. "12 (a name) S PARENT ..."
    names = os.listdir("/proc") if LINUX else []  # noqa: PTH208
    numbers = [name for name in names if name.isdigit()]
    parents = {
        name: (content(f"/proc/{name}/stat") or ") ? 0").rpartition(")")[2].split()[1]
        for name in numbers
    }
    return [int(name) for name, parent in parents.items() if parent == me]


def content(path: str) -> str | None:
    """A file's text, if it is there."""
    try:
        with open(path, errors="replace") as file:  # noqa: PTH123 (pathlib loads slowly)
            return file.read()
    except OSError:
        return None


def send(engine: int, number: int, *, group: bool) -> None:
    """A signal to a process or its group; it may be gone."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        (os.killpg if group else os.kill)(engine, number)


class Guard:
    """One engine, from its start to its end."""

    def __init__(self, leash: int, owner: int) -> None:
        self.leash = leash
        self.engine = 0
        self.status: int | None = None
        """How the engine ended, once it is reaped."""
        self.signals, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        for number in (signal.SIGCHLD, *ENDINGS):
            signal.signal(number, lambda *_: None)
        self.poll = select.poll()
        self.poll.register(self.signals, select.POLLIN)
        self.poll.register(leash, select.POLLIN)
        # A process that was forked from our owner holds the leash too: look at the owner itself.
        self.orphan = False
        if hasattr(os, "pidfd_open"):
            try:
                self.poll.register(os.pidfd_open(owner), select.POLLIN)
            except OSError:
                self.orphan = os.getppid() != owner

    def start(self, command: list[str]) -> int:
        """Start the engine in a session of its own; the number of the error, or 0."""
        reader, writer = os.pipe()  # closed by a successful exec
        guard = os.getpid()
        self.engine = os.fork()
        if self.engine == 0:
            try:
                os.setsid()
                prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
                for number in (*IGNORED_BY_PYTHON, signal.SIGCHLD, *ENDINGS):
                    signal.signal(number, signal.SIG_DFL)
                if os.getppid() == guard:
                    os.execvp(command[0], command)  # noqa: S606 (no shell)
            except OSError as error:
                os.write(writer, str(error.errno).encode())
            finally:
                os._exit(127)
        os.close(writer)
        failure = int(os.read(reader, 16) or b"0")
        os.close(reader)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):  # the ends of its pipes are the engine's alone
            os.dup2(nothing, stream)
        return failure

    def watch(self) -> bool:
        """Wait until the engine must go; whether at once."""
        while not self.orphan:
            for number, _ in self.poll.poll():
                if number == self.signals:
                    if set(os.read(self.signals, 4096)) & set(ENDINGS):
                        return False
                    self.reap_adopted()
                elif number == self.leash:
                    try:
                        return os.read(self.leash, 1) != b""
                    except OSError:
                        return False
                else:
                    return False
        return False

    def reap_adopted(self) -> None:
        """Bury what the engine has left. The engine itself keeps its number until the end."""
        for child in children():
            if child != self.engine:
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(child, os.WNOHANG)

    def ended(self, seconds: float) -> bool:
        """Whether the engine itself ends within so many seconds."""
        deadline = time.monotonic() + seconds
        while self.status is None and time.monotonic() < deadline:
            pid, status = os.waitpid(self.engine, os.WNOHANG)
            if pid:
                self.status = status
            else:
                time.sleep(PATIENCE)
        return self.status is not None

    def kill(self) -> None:
        """Kill until there is nothing left; children of the killed become ours, and follow."""
        send(self.engine, signal.SIGKILL, group=True)
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == self.engine:
                self.status = status
            elif pid == 0:
                for child in children():
                    send(child, signal.SIGKILL, group=False)
                time.sleep(PATIENCE)

    def leave(self) -> None:
        """End as the engine did, so that our exit status is its own."""
        code = os.waitstatus_to_exitcode(self.status or 0)
        if code < 0:
            import resource

            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if -code not in (signal.SIGKILL, signal.SIGSTOP):
                signal.signal(-code, signal.SIG_DFL)
            os.kill(os.getpid(), -code)
        os._exit(max(code, 1) if code < 0 else code)


def main() -> None:
    """Start, watch, end."""
    leash, owner = int(sys.argv[1]), int(sys.argv[2])
    close, terminate = float(sys.argv[3]), float(sys.argv[4])
    os.set_inheritable(leash, False)
    prctl(SET_CHILD_SUBREAPER, 1)
    guard = Guard(leash, owner)
    failure = guard.start(sys.argv[5:])
    with contextlib.suppress(OSError):  # where nobody is there any more, `watch` sees it
        os.write(leash, str(failure).encode())
    if not failure and not guard.watch() and not guard.ended(close):
        send(guard.engine, signal.SIGTERM, group=True)
        guard.ended(terminate)
    guard.kill()
    guard.leave()


if __name__ == "__main__":
    main()
