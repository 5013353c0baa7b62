"""Games and rules of the user's own in workers: found in their folders, with the same source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sylve.own import homes, loaded_sources, look_in, settled
from sylve.workers.jobs import CannotRun


def own_part(texts: Sequence[str], sources: Mapping[str, str]) -> dict[str, Any]:
    """What a job must say of what its texts name of the user's own; nothing if that is nothing."""
    return {"sources": dict(sources), "homes": homes(texts)} if sources else {}


def prepare_own(texts: Sequence[str], part: Mapping[str, Any]) -> None:
    """Load what texts name; this worker can do none of these jobs if it fails.

    A module of the same name with another source would play another game.
    """
    for folder in part["homes"]:
        look_in(folder)
    try:
        for text in texts:
            settled(text)
    except ValueError as error:
        raise CannotRun(f"{error}; every worker must be able to import it") from None
    now = loaded_sources(texts)
    for module, digest in part["sources"].items():
        if now.get(module, digest) != digest:
            raise CannotRun(
                f"module {module} has another source than where the run began: {now[module][:12]},"
                f" not {digest[:12]} (SHA-256)"
            )
