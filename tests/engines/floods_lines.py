"""It writes line after line that nobody asked for."""

from simple import Simple


class Floods(Simple):
    def genmove(self, number: str) -> None:
        while True:
            self.write(b"info depth 1 score 0\n" * 1000)


Floods().run()
