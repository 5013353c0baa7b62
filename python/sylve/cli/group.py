"""The group of all commands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from typer.core import TyperGroup

from sylve.screen import visible


class Group(TyperGroup):
    """Shows the control characters of a wrong argument, where Typer would send them on."""

    def make_context(self, *arguments: Any, **keywords: Any) -> Any:
        """Read the arguments."""
        with visible_messages():
            return super().make_context(*arguments, **keywords)

    def invoke(self, *arguments: Any) -> Any:
        """Run the command."""
        with visible_messages():
            return super().invoke(*arguments)


@contextmanager
def visible_messages() -> Iterator[None]:
    """Errors that Typer prints pass here."""
    try:
        yield
    except Exception as error:
        message = getattr(error, "message", None)
        if isinstance(message, str):
            error.message = visible(message)  # type: ignore[attr-defined]
        raise
