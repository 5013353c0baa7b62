"""It answers the first commands, then never reads again."""

import sys
import time

from simple import Simple


class Deaf(Simple):
    def run(self) -> None:
        for text in ("2", "play\ngenmove\nboardsize\nclear_board\nkomi"):
            self.respond(sys.stdin.readline().split()[0], text)
        time.sleep(3600)


Deaf().run()
