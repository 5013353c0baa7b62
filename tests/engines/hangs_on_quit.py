"""It plays well and does not want to go."""

import time

from simple import Simple


class Stays(Simple):
    def quit(self, number: str) -> None:
        time.sleep(3600)


Stays().run()
