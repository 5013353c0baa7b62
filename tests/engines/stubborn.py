"""It plays well, but does not go: not for quit, not for the end of its input, not for SIGTERM.

Its words say what else: a child in its group, one in a session of its own, one that has been
forked twice and holds its pipes.
"""

import os
import signal
import sys
import time

from simple import Simple


def sleep() -> None:
    while True:
        time.sleep(1)


signal.signal(signal.SIGTERM, signal.SIG_IGN)
if "child" in sys.argv and os.fork() == 0:
    sleep()
if "session" in sys.argv and os.fork() == 0:
    os.setsid()
    sleep()
if "daemon" in sys.argv and os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        sleep()
    os._exit(0)


class Stubborn(Simple):
    def quit(self, number: str) -> None:
        sleep()

    def run(self) -> None:
        super().run()
        sleep()


Stubborn().run()
