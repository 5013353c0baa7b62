"""A tree to look into: `searcher.tree()`. Branches are read when they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sylve.markup import escape
from sylve.position import Position
from sylve.screen import one_line, plural, printable, tree_lines
from sylve.search.reports.report import Found, MoveReport, make_moves

if TYPE_CHECKING:
    from rich.text import Text

Look = Callable[[tuple[int, ...]], Found | None]
"""What the search knows of the position after these moves, if it has a node."""


class Branch:
    """A position of the tree, and what is known of the move that leads to it (the root: none).

    >>> from sylve import Position, Searcher, Uct
    >>> searcher = Searcher(Position.start("tic_tac_toe"), Uct(1000, seed=1))
    >>> _ = searcher.run()
    >>> best = searcher.tree().children[0]
    >>> best.name, best.children[0].name
    ('b2', 'a3')
    """

    def __init__(
        self,
        look: Look,
        position: Position,
        path: tuple[int, ...],
        entry: MoveReport | None,
        *,
        depth: int,
        top: int | None,
    ) -> None:
        self._look = look
        self.position = position
        self.path = path
        """The moves from the root."""
        self.entry = entry
        self.depth = depth
        """How many levels `to_dict` and the printed form show."""
        self.top = top
        """How many branches of each position they show."""

    def __getattr__(self, name: str) -> Any:
        """Everything that a report says of a move: `visits`, `mean`, `beta`, `score`, ..."""
        entry = self.__dict__.get("entry")
        if entry is None or name.startswith("_"):
            raise AttributeError(f"{type(self).__name__} has no {name!r}")
        return getattr(entry, name)

    @cached_property
    def children(self) -> list[Branch]:
        """The branches from here, best first; none where the tree ends."""
        if self.position.outcome is not None:
            return []
        found = self._look(self.path)
        if found is None:
            return []
        entries = sorted(make_moves(self.position, found), key=lambda entry: entry.rank)
        return [self._child(entry) for entry in entries]

    def _child(self, entry: MoveReport) -> Branch:
        path, after = (*self.path, entry.move), self.position.searched(entry.move)
        return Branch(self._look, after, path, entry, depth=self.depth - 1, top=self.top)

    @property
    def shown(self) -> list[Branch]:
        """The best branches that were visited, as many as were asked for."""
        if self.depth <= 0:
            return []
        return [child for child in self.children[: self.top] if child.visits]

    def to_dict(self) -> dict[str, Any]:
        """The levels that were asked for, as plain numbers."""
        import dataclasses

        own = {} if self.entry is None else dataclasses.asdict(self.entry)
        return own | {"children": [child.to_dict() for child in self.shown]}

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """The drawing of the levels that were asked for, in characters that stdout can write."""
        name = "root" if self.entry is None else one_line(label(self.entry))
        lines = tree_lines(name, [child.lines() for child in self.shown])
        return [printable(line) for line in lines]

    def __repr__(self) -> str:
        what = "the root" if self.entry is None else label(self.entry)
        return f"<Branch {what}; {plural(len(self.path), 'ply', 'plies')} deep>"

    def __rich__(self) -> Text:
        from rich.text import Text

        return Text(str(self))

    def _repr_html_(self) -> str:
        return f'<div style="line-height:1.5">{self.html(opened=True)}</div>'

    def html(self, *, opened: bool = False) -> str:
        """The levels that were asked for: branches open and close."""
        name = "root" if self.entry is None else label(self.entry)
        inside = "".join(child.html() for child in self.shown)
        if not inside:
            return f'<div style="margin-left:1em">{escape(one_line(name))}</div>'
        is_open = ' open="open"' if opened else ""
        return (
            f'<details style="margin-left:1em"{is_open}>'
            f"<summary>{escape(one_line(name))}</summary>{inside}</details>"
        )


def label(entry: MoveReport) -> str:
    """A branch in a line."""
    mean = "" if entry.mean is None else f", {100 * entry.mean:.1f} %"
    proven = f", proven {entry.proven}" if entry.proven else ""
    return f"{entry.name}: {plural(entry.visits, 'visit')}{mean}{proven}"
