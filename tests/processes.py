"""Engines of tests/engines on command lines, and which processes are left of them."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import sys
import time
import uuid
from pathlib import Path

ENGINES = Path(__file__).parent / "engines"


def new_token() -> str:
    """A word for the command lines of a test: whatever carries it belongs to the test."""
    return f"token-{uuid.uuid4().hex}"


def engine_command(name: str, token: str, *arguments: str) -> str:
    script = ENGINES / f"{name}.py"
    return shlex.join([sys.executable, "-E", str(script), *arguments, token])


def running(word: str) -> dict[int, str]:
    """The processes, of any parent, with this word on their command line."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                if word in line:
                    found[int(folder.name)] = line
    return found


def engines_running(word: str) -> list[int]:
    """Those of them that are engines, or were forked from one."""
    begin = f"{sys.executable} -E "
    return [pid for pid, line in running(word).items() if line.startswith(begin)]


def wait_until_gone(word: str, seconds: float) -> dict[int, str]:
    """What is left after so many seconds; nothing, as soon as there is nothing."""
    deadline = time.monotonic() + seconds
    while (left := running(word)) and time.monotonic() < deadline:
        time.sleep(0.1)
    return left


def kill_all(word: str) -> None:
    """After a test that has failed."""
    for pid in running(word):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
