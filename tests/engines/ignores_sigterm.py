"""It thinks for ever, and neither the end of its input nor SIGTERM impresses it."""

import signal
import time

from simple import Simple

signal.signal(signal.SIGTERM, signal.SIG_IGN)


class Ignores(Simple):
    def genmove(self, number: str) -> None:
        while True:
            time.sleep(1)


Ignores().run()
