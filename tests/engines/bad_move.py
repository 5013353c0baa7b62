"""Its moves are none: illegal, malformed, empty, invalid_utf8, nul, long, resign."""

import sys

from simple import Simple

ANSWERS = {
    "illegal": b"%s",  # where a stone lies already
    "malformed": b"knight takes everything",
    "empty": b"",
    "invalid_utf8": b"\xff\xfe\x80",
    "nul": b"a\x001",
    "long": b"a1 " * 10000,
    "resign": b"resign",
}


class Moves(Simple):
    def genmove(self, number: str) -> None:
        if not self.played:
            super().genmove(number)
            return
        answer = ANSWERS[sys.argv[1]].replace(b"%s", self.played[0].encode())
        self.write(b"=" + number.encode() + b" " + answer + b"\n\n")


Moves().run()
