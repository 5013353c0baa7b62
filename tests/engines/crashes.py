"""It dies at its second move, and says why when its output has already ended."""

import os
import sys
import time

from simple import Simple


class Crashes(Simple):
    def genmove(self, number: str) -> None:
        if self.generated == 1:
            os.close(1)
            time.sleep(0.2)
            sys.stderr.write("assertion failed: colour != EMPTY\n")
            sys.stderr.flush()
            os.abort()
        super().genmove(number)


Crashes().run()
