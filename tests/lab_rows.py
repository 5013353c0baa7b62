"""One experiment, run small."""

from typing import Any

from sylve.lab import load, run

SMALL = "breakthrough(columns=5, rows=5)"


def everything(name: str, cells: list[dict[str, Any]], tmp_path: Any) -> Any:
    """Run, and write all files: verdicts, tables and figure must work on little data."""
    result = run(name, cells=cells, out=tmp_path)
    assert len(result.verdicts) == len(load(name).claims)
    return result.rows
