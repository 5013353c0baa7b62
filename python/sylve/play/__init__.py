"""Games of people against searches: `play`, and the nine levels.

levels.py         the nine levels, as data
session.py        one game, without a terminal
conversation.py   the same in a terminal
start.py          `play`: who plays, and where the record is kept

>>> from sylve.play import LEVELS
>>> list(LEVELS)
[1, 2, 3, 4, 5, 6, 7, 8, 9]
"""

from sylve.play.levels import LEVELS, level_text
from sylve.play.start import play

__all__ = ["LEVELS", "level_text", "play"]
