"""Every command of the README runs, in the order of the page, in one empty folder."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from commands import all_commands, call
from sylve.search.text import SEARCHES

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
SET_UP = ["pip install ."]
"""What tests/test_wheel.py does, and then runs the commands as this file does."""


def shell_lines() -> list[str]:
    """The commands of the blocks for a shell."""
    blocks = [text for language, text in BLOCKS if language in ("", "sh")]
    return [
        shlex.join(shlex.split(line, comments=True))
        for text in blocks
        for line in text.splitlines()
    ]


def spans() -> list[str]:
    """The commands inside sentences."""
    prose = re.sub(r"^```.*?^```", "", README, flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"`((?:sylve|make|pip|python) [^`]+)`", prose.replace("\n", " "))


def commands() -> list[str]:
    """All commands of sylve with all that they need."""
    whole = [line for line in spans() if line.startswith("sylve ") and len(line.split()) > 2]
    return [line for line in [*shell_lines(), *whole] if line not in SET_UP]


def test_the_commands_are_found() -> None:
    assert len(commands()) > 10
    assert {line.split()[0] for line in commands()} == {"sylve"}


def test_every_command_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for line in commands():
        ran = call(*shlex.split(line)[1:])
        assert ran.code == 0, f"{line}: {ran.err}"
        assert ran.out, line


def test_what_sentences_name_exists() -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    named = [line.split() for line in spans() if len(line.split()) == 2]
    assert ["make", "run"] in named
    for program, what in named:
        known = {"make": targets, "sylve": [*all_commands(), "--install-completion"]}
        assert what in known[program], f"{program} {what}"


def test_every_search_is_in_the_table() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \|", README, re.MULTILINE)
    classes = {name: kind.__name__ for name, kind in SEARCHES.items()}
    assert dict(rows) == classes | {"alpha_beta": "AlphaBeta"}


def test_the_session_is_short_and_lines_are_not_wide() -> None:
    session = README.split("## A session")[1].split("```")[1]
    assert len(session.strip().splitlines()) - 1 <= 12
    wide = [line for line in README.splitlines() if len(line) > 100 and "](" not in line]
    assert wide == []


def test_links_become_absolute_for_package_indexes(tmp_path: Path) -> None:
    for name in ("README.md", "pyproject.toml"):
        (tmp_path / name).write_text((ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")
    command = [sys.executable, ROOT / ".ci/absolute_links", tmp_path]
    bad = subprocess.run([*command, "no address"], capture_output=True, text=True)
    assert (bad.returncode, bad.stdout) == (1, "")
    assert "expected an address" in bad.stderr
    subprocess.run([*command, "https://example.org/sylve"], check=True)
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert "https://example.org/sylve/docs/searches.md#root-searches" in links
    assert "https://example.org/sylve/docs/pictures/analysis.svg" in links
    assert [link for link in links if not link.startswith("https://")] == []
    assert "urls" in (tmp_path / "pyproject.toml").read_text()
