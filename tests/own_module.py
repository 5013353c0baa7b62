"""A module with a game of one's own, as a user would write it, and nothing left of it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sylve import own

ROOT = Path(__file__).parent.parent
DOTS = ROOT / "examples" / "own" / "dots.py"
SMALL = "(columns=1, rows=1)"


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A new module with the game in the current folder, and nothing of it left afterwards."""
    name = f"game_{tmp_path.name}".replace("-", "_")
    shutil.copy(DOTS, tmp_path / f"{name}.py")
    monkeypatch.chdir(tmp_path)
    before = list(sys.path)
    yield name
    sys.path[:] = before
    forget(name)


def forget(name: str) -> None:
    """As in a new process."""
    sys.modules.pop(name, None)
    own.SOURCES.pop(name, None)
    for text, named in list(own.BY_TEXT.items()):
        if name in named.modules:
            del own.BY_TEXT[text]
            own.BY_IDENTITY.pop(id(named.made), None)
