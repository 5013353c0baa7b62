"""The loop of an engine: a thread reads lines, the main thread answers them."""

from __future__ import annotations

import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable
from typing import BinaryIO

from sylve.gtp.commands import Stream
from sylve.gtp.engine import Engine
from sylve.gtp.protocol import LONGEST_LINE, Command, Refusal, frame, parse

Writer = Callable[[str], None]
INTERRUPT = b"# interrupt"  # of GoGui: the command under way is to end soon
CHUNK = 1 << 16
WAITING_BYTES = 1 << 20  # read ahead of the answers; then the other side has to wait
LINE_BYTES = 64  # counted for each line besides its own, so that empty lines are bounded too


class Lines:
    """Lines of input, read by a thread so that one can see that something has come."""

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self.read = read
        self.waiting: deque[bytes] = deque()
        self.bytes = 0
        """What the lines that wait take."""
        self.ended = False
        self.changed = threading.Condition()
        """Guards what stands above."""
        self.interrupt = threading.Event()
        # A daemon: it may wait for input for ever, and must not keep the program from ending.
        self.thread = threading.Thread(target=self._run, name="gtp input", daemon=True)
        self.thread.start()

    def _run(self) -> None:
        part = b""
        while data := self._read():
            *whole, part = (part + data).split(b"\n")
            for line in whole:
                self._put(line)
            # A line that is too long is answered as an error; only its beginning is kept.
            part = part[: LONGEST_LINE + 1]
        if part:
            self._put(part)
        with self.changed:
            self.ended = True
            self.changed.notify_all()

    def _read(self) -> bytes:
        try:
            return self.read(CHUNK)
        except OSError:
            return b""  # the stream is gone: the session is over

    def _put(self, line: bytes) -> None:
        if line.strip() == INTERRUPT:
            self.interrupt.set()
        cost = len(line) + LINE_BYTES
        with self.changed:
            self.changed.wait_for(lambda: not self.waiting or self.bytes + cost <= WAITING_BYTES)
            self.waiting.append(line)
            self.bytes += cost
            self.changed.notify_all()

    @property
    def has_come(self) -> bool:
        """Whether a line, or the end, is waiting."""
        return bool(self.waiting) or self.ended

    def next(self) -> bytes | None:
        """The next line; None at the end."""
        with self.changed:
            self.changed.wait_for(lambda: self.has_come)
            if not self.waiting:
                return None
            line = self.waiting.popleft()
            self.bytes -= len(line) + LINE_BYTES
            self.changed.notify_all()
        return line


def serve(engine: Engine, read: Callable[[int], bytes], stdout: BinaryIO) -> None:
    """Answer commands until `quit` or the end of the input. Nothing that comes in ends it.

    `read` gives up to so many bytes and waits for the first: `os.read` of a file descriptor, not
    a buffered stream, whose lock a waiting thread would keep beyond the end of the program.
    """
    lines = Lines(read)
    engine.interrupted = lines.interrupt.is_set

    def write(text: str) -> None:
        stdout.write(text.encode("utf-8", errors="replace"))
        stdout.flush()

    while not engine.over and (line := lines.next()) is not None:
        if line.strip() == INTERRUPT:
            lines.interrupt.clear()  # what it was meant for has been answered
        if len(line) > LONGEST_LINE:
            write(frame("", False, f"line too long: more than {LONGEST_LINE} bytes"))
            continue
        command = parse(line)
        if command is None:
            continue
        try:
            answer = engine.answer(command)
            if isinstance(answer, Stream):
                write_stream(command, answer, lines, write)
            else:
                write(frame(command.id, True, answer))
        except Refusal as refusal:
            write(frame(command.id, False, " ".join(str(refusal).split())))
        except (BrokenPipeError, KeyboardInterrupt):
            raise
        except Exception as error:  # a fault of ours must not end the session
            traceback.print_exc(file=sys.stderr)
            message = " ".join(f"internal error: {type(error).__name__}: {error}".split())
            write(frame(command.id, False, message))


def write_stream(command: Command, answer: Stream, lines: Lines, write: Writer) -> None:
    """`=` at once, then the lines, then the empty line."""
    write(f"={command.id}\n")
    try:
        for text in answer.lines:
            if text:
                write(f"{text}\n")
            if answer.ends_on_input and lines.has_come:
                break
    finally:
        answer.lines.close()  # the search ends now, not when the next command is over
        write("\n")
