"""It plays well, and talks: two megabytes to stderr before each move. Nobody may block on that."""

import sys

from simple import Simple


class Talks(Simple):
    def genmove(self, number: str) -> None:
        for _ in range(32):
            sys.stderr.write("thinking about it\n" * 3640)
        sys.stderr.flush()
        super().genmove(number)


Talks().run()
