"""A small engine for Tic-tac-toe that behaves. The others here begin as this one and misbehave.

It knows no rules but that a cell holds one stone: it plays the first empty one. With `slowly` it
takes a tenth of a second for a move.
"""

import sys
import time

CELLS = [f"{column}{row}" for row in "123" for column in "abc"]
COMMANDS = (
    "protocol_version name version known_command list_commands quit boardsize clear_board komi"
    " play genmove"
)


class Simple:
    """The engine: one method for what may go wrong."""

    def __init__(self) -> None:
        self.played: list[str] = []
        self.generated = 0

    def respond(self, number: str, text: str) -> None:
        self.write(f"={number} {text}\n\n".encode())

    def write(self, data: bytes) -> None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()

    def genmove(self, number: str) -> None:
        self.generated += 1
        if "slowly" in sys.argv:
            time.sleep(0.1)
        cell = next(cell for cell in CELLS if cell not in self.played)
        self.played.append(cell)
        self.respond(number, cell)

    def quit(self, number: str) -> None:
        self.respond(number, "")
        sys.exit(0)

    def run(self) -> None:
        for line in sys.stdin:
            number, name, *words = line.split()
            if name == "genmove":
                self.genmove(number)
                continue
            if name == "quit":
                self.quit(number)
                continue
            if name == "clear_board":
                self.played = []
            if name == "play":
                self.played.append(words[1].lower())
            answers = {"protocol_version": "2", "list_commands": COMMANDS.replace(" ", "\n")}
            self.respond(number, answers.get(name, ""))


if __name__ == "__main__":
    Simple().run()
