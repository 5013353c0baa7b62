"""A scripted person at a pseudo-terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

SYLVE = Path(sys.executable).with_name("sylve")
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\x07")
PROMPT = re.compile(r"\n(?:.*[\n\r])?[xo]> $", re.DOTALL)  # readline may write it again
PATIENCE = 120.0  # seconds for an answer; machines may be busy


class Person:
    """Types lines into a command and reads what it shows."""

    def __init__(self, *words: str, cwd: Path, columns: int = 80, **environment: str) -> None:
        self.ours, theirs = pty.openpty()
        self.resize(columns)
        known = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
        home = {"XDG_DATA_HOME": str(cwd / "data"), "TERM": "xterm", "INPUTRC": "/dev/null"}
        self.process = subprocess.Popen(
            [SYLVE, *words], cwd=cwd, stdin=theirs, stdout=theirs, stderr=theirs,
            env={**known, **home, **environment}, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        os.close(theirs)
        self.raw = b""
        self.closed = False

    @property
    def shown(self) -> str:
        """All that was shown so far, without escape sequences."""
        return ESCAPES.sub("", self.raw.decode(errors="replace")).replace("\r\n", "\n")

    def resize(self, columns: int, rows: int = 50) -> None:
        """Another size of the window; whoever is there gets SIGWINCH."""
        fcntl.ioctl(self.ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read_on(self, seconds: float) -> None:
        """What has come, or comes in so many seconds."""
        if select.select([self.ours], [], [], seconds)[0]:
            try:
                data = os.read(self.ours, 1 << 16)
            except OSError:  # Linux: the other end is closed
                data = b""
            self.raw += data
            self.closed = not data

    def wait(self, mark: int = 0) -> str:
        """What is shown after `mark` until the next question, or until the end."""
        deadline = time.monotonic() + PATIENCE
        while not self.closed and not PROMPT.search(self.shown[mark:]):
            assert time.monotonic() < deadline, f"no question: {self.shown!r}"
            self.read_on(1.0)
        return self.shown[mark:]

    def type(self, keys: str) -> str:
        """Type keys; what is shown until the next question, or until the end."""
        mark = len(self.shown)
        self.type_only(keys)
        return self.wait(mark)

    def type_only(self, keys: str) -> None:
        """Type keys, and wait for nothing."""
        os.write(self.ours, keys.encode())

    def say(self, line: str) -> str:
        """Type a line."""
        return self.type(f"{line}\n")

    def send(self, number: signal.Signals) -> None:
        """A signal."""
        self.process.send_signal(number)

    def end(self) -> int:
        """Wait until the command has ended; its exit code."""
        deadline = time.monotonic() + PATIENCE
        while not self.closed and time.monotonic() < deadline:
            self.read_on(1.0)
        code = self.process.wait(PATIENCE)
        os.close(self.ours)
        assert "Traceback" not in self.shown, self.shown
        return code
