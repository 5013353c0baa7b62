"""However a run ends, and however its engines behave: no process is left behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from processes import engine_command, engines_running, kill_all, new_token, running, wait_until_gone
from sylve.arena.store import Store
from sylve.arena.verify import verify

SYLVE = str(Path(sys.executable).with_name("sylve"))
GONE = 15.0  # seconds after the end of a run for everything that it has started
END = 120.0  # seconds for a run to end: it may finish a game with an engine that hangs
AT_ONCE = 6  # runs side by side; nearly all of their time is waiting

# What is wrong with the engine, and its command: a file of tests/engines and its arguments.
BAD = {
    "never starts": ("never_starts",),
    "exits at once": ("exits_at_once",),
    "crashes in the middle of a game": ("crashes",),
    "hangs on genmove": ("hangs_on_genmove",),
    "hangs on quit": ("hangs_on_quit",),
    "ignores SIGTERM": ("ignores_sigterm",),
    "hangs on quit and end of input": ("stubborn",),
    "hangs, with a child": ("stubborn", "child"),
    "floods stdout without an end of line": ("floods_stdout",),
    "floods stdout with lines": ("floods_lines",),
    "floods stderr": ("floods_stderr",),
    "does not read": ("does_not_read",),
    "wrong number": ("bad_frame", "wrong_id"),
    "two responses": ("bad_frame", "two_responses"),
    "no blank line": ("bad_frame", "no_blank_line"),
    "illegal move": ("bad_move", "illegal"),
    "not text": ("bad_move", "invalid_utf8"),
    "a child holds its pipe": ("leaves_a_child",),
    "a daemon stays": ("leaves_a_daemon",),
    "a daemon holds its pipe": ("leaves_a_daemon", "pipes"),
    "hangs, with a child, one in another session and a daemon": (
        "stubborn", "child", "session", "daemon",
    ),
}  # fmt: skip
ENDINGS = ("end", "Ctrl-C", "Ctrl-C twice", "SIGTERM", "kill -9 of runner", "kill -9 of worker")


@pytest.fixture
def token() -> Iterator[str]:
    word = new_token()
    yield word
    kill_all(word)


def children(pid: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def wait_for_engine(runner: subprocess.Popen[str], word: str) -> None:
    """Until an engine is there, or some seconds have shown that it does not stay."""
    deadline = time.monotonic() + 60
    began = None
    while runner.poll() is None and time.monotonic() < deadline:
        if engines_running(word) and began is None:
            began = time.monotonic()
        if began is not None and time.monotonic() - began > 1.0:
            return
        time.sleep(0.1)


def trouble(bad: str, ending: str, word: str, folder: Path) -> str:
    """One run with a bad engine, ended in one way; what is wrong with it, or nothing."""
    store = folder / f"{word}.sqlite"
    players = [
        f'gtp("{command}", name="{label}", timeout={seconds})'
        for label, command, seconds in (
            ("bad", engine_command(BAD[bad][0], word, *BAD[bad][1:]), 1),
            ("good", engine_command("simple", word, "slowly"), 60),
        )
    ]
    games = 2 if ending == "end" else 400
    command = [
        SYLVE, "match", *players, "--game", "tic_tac_toe", "--games", str(games), "--workers", "1",
        "--store", str(store),
    ]  # fmt: skip
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as runner:
        if ending != "end":
            wait_for_engine(runner, word)
        found = disturb(runner, ending, word)
        try:
            _, said = runner.communicate(timeout=END)
        except subprocess.TimeoutExpired:
            runner.kill()
            return f"{bad}, {ending}: it does not end"
    left = wait_until_gone(word, GONE)
    found += [f"left: {line}" for line in left.values()]
    interrupted = ending not in ("end", "kill -9 of runner")
    code = {"end": 0, "kill -9 of runner": -9}.get(ending, 130)
    if runner.returncode != code:
        found.append(f"exit code {runner.returncode}, not {code}: {said}")
    if interrupted and "resume with:" not in said:
        found.append(f"no way to resume: {said!r}")
    kept = Store.read(store)
    found += verify(kept)
    if ending == "end" and kept.count() != (2, 2):
        found.append(f"games: {kept.count()}")
    kept.connection.close()
    return f"{bad}, {ending}: {'; '.join(found)}" if found else ""


def disturb(runner: subprocess.Popen[str], ending: str, word: str) -> list[str]:
    """End it, or one of its workers."""
    if ending == "Ctrl-C":
        runner.send_signal(signal.SIGINT)
    elif ending == "Ctrl-C twice":
        runner.send_signal(signal.SIGINT)
        time.sleep(0.3)
        runner.send_signal(signal.SIGINT)
    elif ending == "SIGTERM":
        runner.send_signal(signal.SIGTERM)
    elif ending == "kill -9 of runner":
        runner.kill()
    elif ending == "kill -9 of worker":
        for worker in children(runner.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)
        orphans = {pid: line for pid, line in running(word).items() if pid != runner.pid}
        deadline = time.monotonic() + GONE
        while orphans and time.monotonic() < deadline:
            time.sleep(0.1)
            now = running(word)
            orphans = {pid: line for pid, line in orphans.items() if pid in now}
        runner.send_signal(signal.SIGTERM)
        return [f"left by the worker: {line}" for line in orphans.values()]
    return []


def troubles(cases: list[tuple[str, str]], folder: Path) -> list[str]:
    """All runs, some at once; each is found by a word of its own."""
    words = [new_token() for _ in cases]
    try:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            jobs = [
                pool.submit(trouble, bad, ending, word, folder)
                for (bad, ending), word in zip(cases, words, strict=True)
            ]
            return [text for job in jobs if (text := job.result())]
    finally:
        for word in words:
            kill_all(word)


def test_some_bad_engines_and_some_ends(tmp_path: Path) -> None:
    everything = "hangs, with a child, one in another session and a daemon"
    cases = [
        ("hangs on quit", "end"),
        (everything, "Ctrl-C"),
        (everything, "Ctrl-C twice"),
        (everything, "kill -9 of runner"),
        (everything, "kill -9 of worker"),
        ("ignores SIGTERM", "SIGTERM"),
    ]
    assert troubles(cases, tmp_path) == []


@pytest.mark.long
@pytest.mark.parametrize("ending", ENDINGS)
def test_every_bad_engine_and_every_end(ending: str, tmp_path: Path) -> None:
    assert troubles([(bad, ending) for bad in BAD], tmp_path) == []


# A program of the user's own that holds an engine, and goes without closing it.
HOLDER = """
import os, sys, time
from sylve.gtp.process import GtpProcess
engine = GtpProcess(sys.argv[1])
engine.send("name")
print("up", flush=True)
{}
"""
HELD = {
    "it ends": "pass",
    "it ends in a hurry": "os._exit(0)",
    "it is killed": "os.kill(os.getpid(), 9)",
    # The copy holds every pipe of the first.
    "it is killed, a copy of it lives on": "os.fork() and os.kill(os.getpid(), 9); time.sleep(30)",
    "it is interrupted while it closes": (
        "import signal, threading; threading.Timer(0.5, os.kill, (os.getpid(), 2)).start();"
        "signal.signal(2, signal.default_int_handler); engine.close()"
    ),
}


def test_an_engine_that_nobody_closed(token: str) -> None:
    engine = engine_command("stubborn", token, "child", "session", "daemon")
    for text in HELD.values():
        holder = [sys.executable, "-c", HOLDER.format(text), engine]
        with subprocess.Popen(
            holder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "up\n"
    deadline = time.monotonic() + GONE
    while engines_running(token) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert engines_running(token) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_check_that_is_stopped(number: signal.Signals, token: str) -> None:
    engine = engine_command("ignores_sigterm", token)
    command = [SYLVE, "gtp", "check", engine, "--game", "tic_tac_toe", "--timeout", "60"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as check:
        deadline = time.monotonic() + 60
        while not engines_running(token) and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(0.5)
        check.send_signal(number)
        check.communicate(timeout=60)
    assert check.returncode == {signal.SIGINT: 130}.get(number, -number)
    assert wait_until_gone(token, GONE) == {}
