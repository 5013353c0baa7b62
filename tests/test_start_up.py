"""Ctrl-C while a command starts, runs or ends: exit code 130 and one line, or it was too late.

What comes before the first line of the command is Python's own start.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from sylve.cli import app

SCRIPT = """
import os, sys
import sylve_command
os.write(int(sys.argv.pop(1)), b".")
from sylve_command import main
if __name__ == "__main__":
    sys.argv[0] = sys.argv[0].removesuffix(".exe")
    sys.exit(main())
"""
LATE = """
import os, signal, sys

class Late:
    def __del__(self, kill=os.kill, process=os.getpid(), number=signal.SIGINT):
        kill(process, number)

sys.late = Late()  # ends after Python has given signals back to the system
from sylve_command import main
sys.exit(main())
"""
LOST = """
import signal, sys

class Callback:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)

class Finder:  # asked whenever the command imports something while it runs
    def find_spec(self, *_):
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            sys.meta_path.remove(self)
            Callback()

import sylve_command
sys.meta_path.insert(0, Finder())
sys.exit(sylve_command.main())
"""
COMMANDS = [
    *[["--version"], ["games"], ["show", "othello"], ["algorithms"], ["evaluate", "othello"]],
    ["analyze", "breakthrough", "--playouts", "100000000"],
    ["trace", "breakthrough", "--simulation", "100000000"],
    ["compare", "breakthrough", "--playouts", "1000000"],
    ["match", "uct(100000)", "flat(100000)", "--game", "hex", "--no-store"],
    ["sprt", "uct(100000)", "flat(100000)", "--game", "hex", "--no-store"],
    *[["solve", "hex(size=6)"], ["perft", "othello", "14"], ["bench", "othello"], ["signature"]],
    *[["bandit", "0.3", "0.5", "--pulls", "1000000"], ["tsp", "--playouts", "100000"]],
    *[["tour"], ["demo"], ["table", "build", "5", "5"], ["gtp"], ["lab", "list"]],
    ["play", "othello", "--watch", "uct(100000)", "flat(100000)"],
    *[["lab", "run", "beta"], ["tournament", "run", "none.toml"]],
]


def commands_below(group: Any) -> Iterator[list[str]]:
    """The words of each command of a group, and of the groups in it."""
    for name, command in getattr(group, "commands", {}).items():
        yield [name]
        yield from ([name, *words] for words in commands_below(command))


HELP = [
    [*words, "--help"]
    for words in [[], *commands_below(typer.main.get_command(app))]
    if not words or all(words != command[: len(words)] for command in COMMANDS)
]
"""Of every command that is not above."""


def interrupt(command: list[str], delay: float, folder: Path) -> tuple[int, str]:
    """Ctrl-C so many seconds after the command's first line: its exit code and its stderr."""
    script = folder / "sylve"
    script.write_text(SCRIPT)
    reader, writer = os.pipe()
    with subprocess.Popen(
        [sys.executable, script, str(writer), *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        pass_fds=[writer],
        cwd=folder,
    ) as process:
        os.close(writer)
        assert os.read(reader, 1) == b"."
        os.close(reader)
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=120)
    return process.returncode, errors.decode()


def check(command: list[str], delay: float, folder: Path) -> bool:
    """Whether it was interrupted; else it was over, as without Ctrl-C."""
    code, errors = interrupt(command, delay, folder)
    problem = f"{command} after {delay:.3f} s: exit code {code}\n{errors}"
    assert "Traceback" not in errors, problem
    assert "KeyboardInterrupt" not in errors, problem
    if code == 130:
        assert errors == "sylve: interrupted\n", problem
        return True
    assert code in (0, 2), problem
    return False


@pytest.mark.parametrize("delay", [0.0, 0.05, 0.1, 0.2, 0.4])
def test_ctrl_c_while_a_command_starts(delay: float, tmp_path: Path) -> None:
    assert check(["analyze", "breakthrough", "--playouts", "100000000"], delay, tmp_path)


def test_ctrl_c_when_all_is_done_changes_nothing(tmp_path: Path) -> None:
    script = tmp_path / "sylve"
    script.write_text(LATE)
    done = subprocess.run([sys.executable, script, "--version"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("sylve ")


def test_ctrl_c_in_a_callback_that_cannot_raise(tmp_path: Path) -> None:
    script = tmp_path / "sylve"
    script.write_text(LOST)
    command = [sys.executable, script, "analyze", "breakthrough", "--seconds", "5"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (130, "sylve: interrupted\n")


@pytest.mark.parametrize("delay", [0.0, 0.1])
def test_ctrl_c_of_the_module(delay: float, tmp_path: Path) -> None:
    """`python -m sylve` is the same command."""
    command = [sys.executable, "-X", "importtime", "-m", "sylve", "analyze", "breakthrough"]
    with subprocess.Popen(
        [*command, "--playouts", "100000000"], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.rpartition("|")[2].strip() == "sylve_command":
                break
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        errors = [line for line in process.stderr if not line.startswith("import time:")]
        assert process.wait(timeout=120) == 130
    assert errors == ["sylve: interrupted\n"]


@pytest.mark.parametrize("module", ["sylve.cli", "sylve.__main__", "sylve_command"])
def test_to_import_it_leaves_ctrl_c_alone(module: str) -> None:
    program = f"import signal, {module}; print(signal.getsignal(signal.SIGINT).__name__)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("default_int_handler\n", "")


@pytest.mark.parametrize("words", [["-m", "sylve"], ["-msylve"], ["-Im", "sylve"], ["-Imsylve"]])
def test_every_way_to_write_it(words: list[str], tmp_path: Path) -> None:
    command = [sys.executable, *words, "games", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "othello" in done.stdout


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("command", [*COMMANDS, *HELP], ids=" ".join)
def test_200_interrupts_in_the_first_half_second(command: list[str], tmp_path: Path) -> None:
    chance = random.Random(" ".join(command))
    interrupted = sum(check(command, 0.5 * chance.random(), tmp_path) for _ in range(200))
    if "--version" not in command:
        assert interrupted >= 20, "most commands take longer to start"
