"""It dies at its second move."""

import os
import sys

from simple import Simple


class Crashes(Simple):
    def genmove(self, number: str) -> None:
        if self.generated == 1:
            sys.stderr.write("assertion failed: colour != EMPTY\n")
            sys.stderr.flush()
            os.abort()
        super().genmove(number)


Crashes().run()
