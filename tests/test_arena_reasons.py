"""Why a game ended: an enumeration with a detail, and the text that stores keep."""

from pathlib import Path

import pytest

from sylve.arena.game import GameResult, Reason, read_reason
from sylve.arena.store import Store

RESULTS = Path(__file__).parents[1] / "docs" / "results"


@pytest.mark.parametrize(
    ("text", "reason", "detail"),
    [
        ("rules", Reason.RULES, ""),
        ("maximum length", Reason.TOO_LONG, ""),
        ("out of time: a: b", Reason.OUT_OF_TIME, "a: b"),
        ("forfeit by a by b: it: broke", Reason.FORFEIT, "a by b: it: broke"),
        (
            "void: 5 attempts failed: the worker died",
            Reason.VOID,
            "5 attempts failed: the worker died",
        ),
    ],
)
def test_the_text_of_a_reason(text: str, reason: Reason, detail: str) -> None:
    """As stores of all versions have it."""
    assert read_reason(text) == (reason, detail)
    found = GameResult("1", (), "*", reason, (0.0, 0.0), detail=detail)
    assert found.why == found.to_dict()["reason"] == text
    assert GameResult.of_dict(found.to_dict()) == found


@pytest.mark.parametrize("text", ["", "Rules", "rules: x", "forfeit", "forfeits by a: b", "void"])
def test_other_reasons_are_refused(text: str) -> None:
    content = GameResult("1", (), "*", Reason.RULES, (0.0, 0.0)).to_dict() | {"reason": text}
    with pytest.raises(ValueError, match="not the record of a game"):
        GameResult.of_dict(content)


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*.sqlite")), ids=lambda path: path.stem)
def test_committed_stores_are_read(path: Path) -> None:
    store = Store.read(path)
    (kept,) = store.connection.execute("SELECT group_concat(DISTINCT reason) FROM game").fetchone()
    found = {game.record.why for game in store.played()}
    store.connection.close()
    assert found == set(kept.split(",")) <= {Reason.RULES, Reason.RESIGNED}
