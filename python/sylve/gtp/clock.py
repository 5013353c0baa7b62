"""How long to think: GTP's `time_settings` and `time_left`, made into seconds for one move."""

from __future__ import annotations

from dataclasses import dataclass, field

MOVES_TO_GO = 25  # of main time this share is spent on each move, so that it never runs out
SAFETY = 0.9  # of the share: for answering, and for a machine that is busy


@dataclass
class Clock:
    """The time control of a session. No control until `time_settings` or `time_left` says so."""

    main: float = 0.0
    period: float = 0.0
    stones: int = 0
    left: dict[str, tuple[float, int]] = field(default_factory=dict)
    """By colour: the seconds left, and for how many stones; 0 stones: main time."""

    def settings(self, main: float, period: float, stones: int) -> None:
        """New settings. A period without stones means that time does not count."""
        self.main, self.period, self.stones = main, period, stones
        self.left = {}
        if period > 0 and stones == 0:
            return
        if main > 0 or period > 0:
            both = (main, 0) if main > 0 else (period, stones)
            self.left = {"B": both, "W": both}

    def tell(self, colour: str, seconds: float, stones: int) -> None:
        """What the controller says is left."""
        self.left[colour] = (seconds, stones)

    def seconds(self, colour: str) -> float | None:
        """How long the next move of a colour may take; None: as long as it wants."""
        if colour not in self.left:
            return None
        seconds, stones = self.left[colour]
        if stones == 0 and self.stones and self.period:
            # After main time comes a period: a share of it is always there.
            share = max(seconds / MOVES_TO_GO, min(seconds, self.period / self.stones))
        else:
            share = seconds / (stones or MOVES_TO_GO)
        return max(0.0, SAFETY * share)

    def spend(self, colour: str, seconds: float) -> None:
        """Take what a move took off the clock, until the controller says better."""
        if colour not in self.left:
            return
        left, stones = self.left[colour]
        left -= seconds
        if (stones == 0 and left <= 0 < self.period and self.stones) or stones == 1:
            self.left[colour] = (self.period, self.stones)
        else:
            self.left[colour] = (max(0.0, left), max(0, stones - 1))
