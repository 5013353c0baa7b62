"""Its first move comes with more than an answer: see KINDS. Each goes on for ever."""

import os
import sys
from itertools import repeat

from simple import COMMANDS, Simple

# What it writes for a move, %d being the number of the command; then what it repeats, and where.
KINDS = {
    "long_lines": (b"=%d a1\n", b"x" * 20000 + b"\n", 1),
    "short_lines": (b"=%d a1\n", b"ab\n" * 5000, 1),
    "one_letter_lines": (b"=%d a1\n", b"a\n" * 5000, 1),
    "empty_lines": (b"", b"\n" * 5000, 1),
    "blank_lines": (b"", b" \t \r\n" * 5000, 1),
    "no_end_of_line": (b"=%d a1", b"x" * 20000, 1),
    "after_the_answer": (b"=%d a1\n\n", b"info depth 1\n" * 1000, 1),
    "many_answers": (b"=%d a1\n\n", b"=\n\n" * 5000, 1),
    "wide_letters": ("=%d \U0001f332\n".encode(), b"x" * 60000 + b"\n", 1),
    "stderr": (b"", b"thinking about it\n" * 1000, 2),
    "stderr_after_the_answer": (b"=%d a1\n\n", b"thinking about it\n" * 1000, 2),
    "stderr_no_end_of_line": (b"", b"x" * 20000, 2),
    "stderr_byte_by_byte": (b"", b"x", 2),
    "nul": (b"=%d a1\n", b"\0" * 9999 + b"\n", 1),
}
# A whole answer, nearly as long as is allowed.
LONG = {
    "list_of_commands": b"ab\n" * 340000,
    "wide_list": "\U0001f332\n".encode() + b"a\n" * 500000,
    "long_words": (b"x" * 60000 + b"\n") * 17,
}


class Endless(Simple):
    def run(self) -> None:
        kind = sys.argv[1]
        if kind in LONG:
            number = sys.stdin.readline().split()[0]
            self.respond(number, "2")
            number = sys.stdin.readline().split()[0]
            self.write(f"={number} {COMMANDS}\n".encode() + LONG[kind] + b"\n")
        super().run()

    def genmove(self, number: str) -> None:
        kind = sys.argv[1]
        if kind in LONG:
            self.write(f"={number} ".encode() + LONG[kind] + b"\n")
            return
        begin, more, stream = KINDS[kind]
        self.write(begin.replace(b"%d", number.encode()))
        for data in repeat(more):
            os.write(stream, data)


Endless().run()
