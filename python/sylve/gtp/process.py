"""An engine of somebody else as a child process: nothing that it does can hang or flood us.

It has no shell and a guard of its own (`guard.py`), which ends it with all that it has started when
we let go of it, also when we are killed. Every wait has a limit, every buffer has a size.
"""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import shlex
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO, NoReturn

from sylve.errors import quote
from sylve.gtp.protocol import Refusal

START_SECONDS = 10.0  # until the first answer
COMMAND_SECONDS = 5.0
LONGEST_LINE = 64 << 10  # bytes of an answer's line
LONGEST_ANSWER = 1 << 20  # bytes of an answer, and of what may wait to be read
LONGEST_STDERR = 64 << 20  # bytes that it may say beside the protocol between two commands
STDERR_KEPT = 256 << 10  # the last of them
CHUNK = 1 << 16
LAST_WORDS_SECONDS = 1.0  # for stderr, which a child of a dead engine may hold open
# How long an engine is asked nicely: after its input is closed, then after SIGTERM.
CLOSE_SECONDS, TERMINATE_SECONDS, KILL_SECONDS = 1.0, 2.0, 5.0
GUARD = Path(__file__).with_name("guard.py")
AT_ONCE = b"!"  # to the guard
BLANKS = bytes.maketrans(b"\t", b" ")
GLANCE = 0.2  # seconds between two looks whether somebody else has closed it


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
        self.output = bytearray()
        """What it wrote and nobody has read, at most one answer's worth."""
        self.line = 0  # where in `output` its last line begins
        self.answer: int | None = None  # where the first answer ends, if it has
        self.begun = False  # whether an answer has begun
        self.ended = False
        self.silent = False  # it has closed stderr too
        self.stderr = bytearray()
        self.stderr_size = 0  # bytes since the last command
        self.changed = threading.Condition()
        self.talking = threading.Lock()
        self.closing = threading.RLock()
        self.child, self.leash = start(command)
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
            while not self.fault:
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
        self.ended = not data
        self.output += data
        # Lines are looked at where they lie: as objects of their own they would need much more.
        while self.answer is None and (end := self.output.find(b"\n", self.line)) >= 0:
            if end - self.line > LONGEST_LINE:
                break
            if self.output[self.line : end].strip():
                self.begun = True
            elif self.begun:
                self.answer = end
            self.line = end + 1
        if self.answer is None and len(self.output) - self.line > LONGEST_LINE:
            self._give_up(f"it wrote a line of more than {LONGEST_LINE} bytes")
        elif len(self.output) > LONGEST_ANSWER:
            self._give_up(f"it wrote more than {LONGEST_ANSWER} bytes for one answer")

    def _take_stderr(self, data: bytes) -> None:
        self.silent = not data
        self.stderr += data
        self.stderr_size += len(data)
        if len(self.stderr) > 2 * STDERR_KEPT:
            del self.stderr[:-STDERR_KEPT]
        if self.stderr_size > LONGEST_STDERR:
            self._give_up(f"it wrote more than {LONGEST_STDERR} bytes to stderr for one answer")

    def _give_up(self, fault: str) -> None:
        """Nothing more is read, and it is killed."""
        self.fault = fault
        self.output.clear()
        with contextlib.suppress(OSError):
            self.leash.send(AT_ONCE)

    @property
    def said(self) -> str:
        """The last line that it wrote to stderr."""
        with self.changed:
            text = bytes(self.stderr[-STDERR_KEPT:]).rstrip()
        return text.rpartition(b"\n")[2].decode("utf-8", errors="replace").strip()[:200]

    # Commands.

    def send(self, command: str, seconds: float | None = None) -> str:
        """The answer to a command. Refusal: it said `?`. EngineFault: it is of no use any more."""
        if "\n" in command:
            raise ValueError(f"a command is one line, not {quote(command)}")
        with self.talking:
            return self._send(command, self.seconds if seconds is None else seconds)

    def _send(self, command: str, limit: float) -> str:
        if self.closed:
            raise EngineFault("it was stopped")
        if self.fault:
            self._fail(self.fault)
        if self.number == 0:
            limit = max(limit, START_SECONDS)
        self.number += 1
        deadline = time.monotonic() + limit
        with self.changed:
            unasked = bytes(self.output).strip()
            self.output.clear()
            self.line, self.answer, self.begun = 0, None, False
            self.stderr_size = 0
        if unasked:
            self._fail(f"it wrote {shown(first_line(unasked))} without being asked")
        self._write(f"{self.number} {command}\n".encode(), deadline, command, limit)
        good, text = self._read(deadline, command, limit)
        if not good:
            raise Refusal(text)
        return text

    def _write(self, data: bytes, deadline: float, command: str, limit: float) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self.stdin, selectors.EVENT_WRITE)
            while data:
                left = deadline - time.monotonic()
                if left <= 0:
                    self._fail(f"it did not read {shown(command)} within {limit:g} s")
                selector.select(min(left, GLANCE))
                with self.changed:  # nobody closes it meanwhile
                    if self.closed:
                        break
                    try:
                        data = data[os.write(self.stdin.fileno(), data) :]
                        continue
                    except BlockingIOError:
                        continue
                    except OSError:
                        pass
                self._fail(f"it was gone before {shown(command)}{self._status()}")

    def _read(self, deadline: float, command: str, limit: float) -> tuple[bool, str]:
        data = self._answer(deadline, command, limit)
        if data[:1] not in (b"=", b"?"):
            begin = shown(first_line(data))
            self._fail(f"its answer to {shown(command)} begins with {begin}, not = or ?")
        match = re.match(rb"([=?])([0-9]*) *", data)
        assert match is not None
        if match[2].decode() != str(self.number):
            got = match[2][:20].decode() or "-"
            self._fail(f"it answered {shown(command)}, number {self.number}, with number {got}")
        try:
            if b"\x00" in data:
                raise ValueError
            return match[1] == b"=", str(memoryview(data)[match.end() :], "utf-8")
        except ValueError:
            self._fail(f"its answer to {shown(command)} is not text: {shown(first_line(data))}")

    def _answer(self, deadline: float, command: str, limit: float) -> bytes:
        """One whole answer, without the blanks around it."""
        with self.changed:
            self.changed.wait_for(
                lambda: self.answer is not None or self.fault or self.ended or self.closed,
                max(0.0, deadline - time.monotonic()),
            )
            if self.answer is not None and not self.fault:
                data = (
                    bytes(memoryview(self.output)[: self.answer]).translate(BLANKS, b"\r").strip()
                )
                del self.output[: self.answer]
                self.line, self.answer, self.begun = 0, None, False
                return data
            fault, ended = self.fault, self.ended
        if self.closed:
            fault = fault or "it was stopped"
        elif ended and not fault:
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
        """Stop the engine for certain; with `quit_seconds` it is told to quit first.

        Also from another thread than the one that waits for an answer: that one is told.
        """
        with self.closing:  # whoever comes second waits here until it is done
            # In the middle of another command there is no word to be had with it.
            if quit_seconds and not self.closed and self.talking.acquire(blocking=False):
                try:
                    with contextlib.suppress(EngineFault, Refusal):
                        self._send("quit", quit_seconds)
                finally:
                    self.talking.release()
            if not self.closed:
                self._let_go()

    def _let_go(self) -> None:
        with self.changed:
            self.closed = True
            self.stdin.close()
            self.changed.notify_all()
        self.leash.shutdown(socket.SHUT_WR)  # the guard does the rest, also without us
        with contextlib.suppress(subprocess.TimeoutExpired):  # stuck in the kernel: not our wait
            self.child.wait(CLOSE_SECONDS + TERMINATE_SECONDS + KILL_SECONDS)
        self.leash.close()
        os.write(self.woken, b"x")
        self.pump.join()
        for pipe in self.outputs:
            pipe.close()
        os.close(self.wake)
        os.close(self.woken)

    def __enter__(self) -> GtpProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def start(command: str) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Start an engine: its guard, which ends as the engine does, and the leash of the guard."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise EngineFault(f"cannot read the command {quote(command)}: {error}") from None
    if not words:
        raise EngineFault("the command is empty")
    ours, theirs = socket.socketpair()
    arguments = (theirs.fileno(), os.getpid(), CLOSE_SECONDS, TERMINATE_SECONDS)
    try:
        with theirs:
            child = subprocess.Popen(  # noqa: S603 (the user named it; no shell)
                [sys.executable, "-I", "-S", str(GUARD), *map(str, arguments), *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        ours.settimeout(START_SECONDS)
        failure = int(ours.recv(16))
    except (OSError, ValueError) as error:
        ours.close()
        raise EngineFault(f"cannot start {quote(words[0])}: {error}") from None
    except BaseException:
        ours.close()  # Ctrl-C: the guard ends what it has started
        raise
    if failure:
        ours.close()
        with child:
            pass
        reason = OSError(failure, os.strerror(failure))
        raise EngineFault(f"cannot start {quote(words[0])}: {reason}")
    return child, ours


def pipes(child: subprocess.Popen[bytes]) -> list[IO[bytes]]:
    """Its three streams: stdin, stdout, stderr."""
    return [pipe for pipe in (child.stdin, child.stdout, child.stderr) if pipe is not None]


def first_line(data: bytes) -> bytes:
    """Without the blanks around it."""
    return data.strip().partition(b"\n")[0].rstrip()


def shown(text: str | bytes) -> str:
    """A text of the engine or for it, short enough for a message."""
    if isinstance(text, bytes):
        text = text[:80].decode("utf-8", errors="backslashreplace")
    return repr(text[:80])
