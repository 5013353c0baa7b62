"""Games of people against searches: so far the nine levels."""

from sylve.play.levels import LEVELS, level_text

__all__ = ["LEVELS", "level_text"]
