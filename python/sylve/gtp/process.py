"""An engine of somebody else as a child process: nothing that it does can hang or flood us.

It gets a process group of its own and no shell. Every wait has a limit, every buffer has a size,
and at the end the whole group is killed, whatever the engine made of the wish to stop.
"""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import shlex
import signal
import subprocess
import threading
import time
from collections import deque
from typing import IO, NoReturn

from sylve.errors import quote
from sylve.gtp.protocol import Refusal

START_SECONDS = 10.0  # until the first answer
COMMAND_SECONDS = 5.0
LONGEST_LINE = 64 << 10  # bytes of an answer's line
LONGEST_ANSWER = 1 << 20  # bytes that may wait to be read
STDERR_KEPT = 256 << 10  # the last bytes of what it says beside the protocol
CHUNK = 1 << 16
LAST_WORDS_SECONDS = 1.0  # for stderr, which a child of a dead engine may hold open
# How long an engine is asked nicely: after its input is closed, then after SIGTERM.
CLOSE_SECONDS, TERMINATE_SECONDS, KILL_SECONDS = 1.0, 2.0, 5.0


class EngineFault(Exception):
    """An engine that does not start, dies, is too slow or does not speak GTP. It was stopped."""


class GtpProcess:
    """A running engine. `send` one command at a time; `close` when done, in any case."""

    def __init__(self, command: str, seconds: float = COMMAND_SECONDS) -> None:
        self.command = command
        self.seconds = seconds
        self.number = 0
        self.fault = ""
        self.closed = False
        self.lines: deque[bytes] = deque()
        self.waiting = 0  # bytes in `lines`
        self.part = b""  # the beginning of a line
        self.ended = False
        self.silent = False  # it has closed stderr too
        self.stderr: deque[bytes] = deque()
        self.stderr_size = 0
        self.changed = threading.Condition()
        self.child = start(command)
        self.stdin, *self.outputs = pipes(self.child)
        os.set_blocking(self.stdin.fileno(), False)
        self.wake, self.woken = os.pipe()
        self.pump = threading.Thread(target=self._pump, name="gtp engine", daemon=True)
        self.pump.start()

    # What comes out of the engine is read by one thread, always, so that it never has to wait.

    def _pump(self) -> None:
        stdout, stderr = self.outputs
        with selectors.DefaultSelector() as selector:
            selector.register(stdout, selectors.EVENT_READ, self._take)
            selector.register(stderr, selectors.EVENT_READ, self._take_stderr)
            selector.register(self.wake, selectors.EVENT_READ)
            while True:
                for key, _ in selector.select():
                    if key.data is None:
                        return
                    data = os.read(key.fd, CHUNK)
                    with self.changed:
                        key.data(data)
                        self.changed.notify_all()
                    if not data:
                        selector.unregister(key.fileobj)

    def _take(self, data: bytes) -> None:
        if not data:
            self.ended = True
        elif not self.fault:
            *whole, self.part = (self.part + data).split(b"\n")
            self.lines.extend(whole)
            self.waiting += sum(map(len, whole)) + len(whole)
            longest = max(map(len, [*whole, self.part]))
            if longest > LONGEST_LINE:
                self._give_up(f"it wrote a line of more than {LONGEST_LINE} bytes")
            elif self.waiting > LONGEST_ANSWER:
                self._give_up(f"it wrote more than {LONGEST_ANSWER} bytes that nobody asked for")

    def _give_up(self, fault: str) -> None:
        """From now on what it writes is thrown away."""
        self.fault, self.part = fault, b""
        self.lines.clear()

    def _take_stderr(self, data: bytes) -> None:
        self.silent = not data
        self.stderr.append(data)
        self.stderr_size += len(data)
        while self.stderr_size > STDERR_KEPT:
            self.stderr_size -= len(self.stderr.popleft())

    @property
    def said(self) -> str:
        """The last line that it wrote to stderr."""
        with self.changed:
            lines = b"".join(self.stderr).decode("utf-8", errors="replace").split("\n")
        words = [line.strip() for line in lines if line.strip()]
        return words[-1][:200] if words else ""

    # Commands.

    def send(self, command: str, seconds: float | None = None) -> str:
        """The answer to a command. Refusal: it said `?`. EngineFault: it is of no use any more."""
        if self.closed:
            raise EngineFault("it was stopped")
        if "\n" in command:
            raise ValueError(f"a command is one line, not {quote(command)}")
        limit = self.seconds if seconds is None else seconds
        if self.number == 0:
            limit = max(limit, START_SECONDS)
        self.number += 1
        number = str(self.number)
        deadline = time.monotonic() + limit
        with self.changed:
            unasked = [line for line in self.lines if line.strip()]
        if unasked:
            self._fail(f"it wrote {shown(unasked[0])} without being asked")
        self._write(f"{number} {command}\n".encode(), deadline, command, limit)
        good, text = self._read(number, deadline, command, limit)
        if not good:
            raise Refusal(text)
        return text

    def _write(self, data: bytes, deadline: float, command: str, limit: float) -> None:
        pipe = self.stdin.fileno()
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_WRITE)
            while data:
                left = deadline - time.monotonic()
                if left <= 0 or not selector.select(left):
                    self._fail(f"it did not read {shown(command)} within {limit:g} s")
                try:
                    data = data[os.write(pipe, data) :]
                except BlockingIOError:
                    continue
                except OSError:
                    self._fail(f"it was gone before {shown(command)}{self._status()}")

    def _read(self, number: str, deadline: float, command: str, limit: float) -> tuple[bool, str]:
        answer: list[str] = []
        while True:
            line = self._line(deadline, command, limit)
            if not line.strip():
                if answer:
                    break
                continue  # empty lines before an answer do no harm
            text = line.decode("utf-8", errors="replace").replace("\t", " ").rstrip("\r ")
            if "\x00" in text or "\ufffd" in text:
                self._fail(f"its answer to {shown(command)} is not text: {shown(line)}")
            if not answer and text[0] not in "=?":
                self._fail(f"its answer to {shown(command)} begins with {shown(text)}, not = or ?")
            answer.append(text)
        match = re.match("([=?])([0-9]*) *(.*)", answer[0])
        assert match is not None
        if match[2] != number:
            self._fail(
                f"it answered {shown(command)}, number {number}, with number {match[2][:20] or '-'}"
            )
        return match[1] == "=", "\n".join([match[3], *answer[1:]]).strip()

    def _line(self, deadline: float, command: str, limit: float) -> bytes:
        with self.changed:
            while not self.lines:
                left = deadline - time.monotonic()
                if self.fault or self.ended or left <= 0:
                    break
                self.changed.wait(left)
            else:
                line = self.lines.popleft()
                self.waiting -= len(line) + 1
                return line
            fault, ended = self.fault, self.ended
        if ended and not fault:
            fault = f"it ended without an answer to {shown(command)}{self._status()}"
        return self._fail(fault or f"no answer to {shown(command)} within {limit:g} s")

    def _status(self) -> str:
        # Its last words may still be on their way when its output has ended.
        with self.changed:
            self.changed.wait_for(lambda: self.silent, LAST_WORDS_SECONDS)
        said = self.said
        return f"; it said: {said}" if said else ""

    def _fail(self, reason: str) -> NoReturn:
        self.close()
        raise EngineFault(reason)

    # The end.

    def close(self, quit_seconds: float = 0.0) -> None:
        """Stop the engine for certain; with `quit_seconds` it is told to quit first."""
        if self.closed:
            return
        if quit_seconds and not self.fault:
            with contextlib.suppress(EngineFault, Refusal):
                self.send("quit", quit_seconds)
        if self.closed:
            return
        self.closed = True
        with contextlib.suppress(OSError):
            self.stdin.close()
        # The child is not reaped before the group is killed: its number stays taken until then.
        if not self._gone(CLOSE_SECONDS):
            self._signal(signal.SIGTERM)
            self._gone(TERMINATE_SECONDS)
        self._signal(signal.SIGKILL)  # also what it has left behind
        with contextlib.suppress(subprocess.TimeoutExpired):  # stuck in the kernel: not our wait
            self.child.wait(KILL_SECONDS)
        os.write(self.woken, b"x")
        self.pump.join()
        for pipe in self.outputs:
            pipe.close()
        os.close(self.wake)
        os.close(self.woken)

    def _gone(self, seconds: float) -> bool:
        """Wait until it has closed its output, which is what its death does."""
        with self.changed:
            return self.changed.wait_for(lambda: self.ended, seconds)

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.child.pid, number)

    def __enter__(self) -> GtpProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def start(command: str) -> subprocess.Popen[bytes]:
    """Start an engine in a session and process group of its own."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise EngineFault(f"cannot read the command {quote(command)}: {error}") from None
    if not words:
        raise EngineFault("the command is empty")
    try:
        return subprocess.Popen(  # noqa: S603 (the user named it; no shell)
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            close_fds=True,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise EngineFault(f"cannot start {quote(words[0])}: {error}") from None


def pipes(child: subprocess.Popen[bytes]) -> list[IO[bytes]]:
    """Its three streams: stdin, stdout, stderr."""
    return [pipe for pipe in (child.stdin, child.stdout, child.stderr) if pipe is not None]


def shown(text: str | bytes) -> str:
    """A text of the engine or for it, short enough for a message."""
    if isinstance(text, bytes):
        text = text[:80].decode("utf-8", errors="backslashreplace")
    return repr(text[:80])
