"""It starts a process that holds its pipes open, and dies at its first move."""

import os
import signal
import time

from simple import Simple

signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    time.sleep(3600)


class Leaves(Simple):
    def genmove(self, number: str) -> None:
        os._exit(1)


Leaves().run()
