"""Every command of the README runs, in the order of the page, in one empty folder."""

import re
import shlex
from pathlib import Path

import pytest

from commands import call
from sylve.search.text import SEARCHES

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def commands() -> list[str]:
    """The lines of the blocks for a shell that are commands of sylve."""
    blocks = re.findall(r"^```\w*\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    return [line for line in lines if line.startswith("sylve ")]


def test_the_commands_are_found() -> None:
    assert len(commands()) > 10


def test_every_command_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for line in commands():
        ran = call(*shlex.split(line, comments=True)[1:])
        assert ran.code == 0, f"{line}: {ran.err}"
        assert ran.out, line


def test_every_search_is_in_the_table() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \|", README, re.MULTILINE)
    classes = {name: kind.__name__ for name, kind in SEARCHES.items()}
    assert dict(rows) == classes | {"alpha_beta": "AlphaBeta"}


def test_the_session_is_short_and_lines_are_not_wide() -> None:
    session = README.split("## A session")[1].split("```")[1]
    assert len(session.strip().splitlines()) - 1 <= 12
    wide = [line for line in README.splitlines() if len(line) > 100 and "](" not in line]
    assert wide == []
