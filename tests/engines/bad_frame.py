"""Its answers to genmove are framed wrongly: wrong_id, two_responses, no_blank_line, no_mark."""

import sys

from simple import Simple


class Frames(Simple):
    def genmove(self, number: str) -> None:
        kind = sys.argv[1]
        if kind == "wrong_id":
            super().genmove(str(int(number) + 1000))
        elif kind == "two_responses":
            super().genmove(number)
            self.respond(number, "b2")
        elif kind == "no_blank_line":
            self.write(f"={number} a1\n".encode())
        else:
            self.write(b"a1\n\n")


Frames().run()
