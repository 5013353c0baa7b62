"""It thinks for ever."""

import time

from simple import Simple


class Hangs(Simple):
    def genmove(self, number: str) -> None:
        time.sleep(3600)


Hangs().run()
