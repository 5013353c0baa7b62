"""Games of people against searches: so far the nine levels.

>>> from sylve.play import LEVELS, level_text
>>> list(LEVELS)
[1, 2, 3, 4, 5, 6, 7, 8, 9]
"""

from sylve.play.levels import LEVELS, level_text

__all__ = ["LEVELS", "level_text"]
