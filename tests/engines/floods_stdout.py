"""It writes and writes, without an end of line."""

from simple import Simple


class Floods(Simple):
    def genmove(self, number: str) -> None:
        while True:
            self.write(b"=" * 65536)


Floods().run()
