"""Sessions with our own GTP engine inside the test process, and files of expectations."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from pathlib import Path

from sylve.games import load_game
from sylve.gtp.engine import Engine
from sylve.gtp.session import serve
from sylve.search import parse_search

TST = Path(__file__).parent / "gtp"


def converse(data: bytes, game: str = "go", how: str = "rave(100)") -> str:
    """Everything that the engine answers to this input."""
    output = io.BytesIO()
    serve(Engine(load_game(game), parse_search(how)), io.BytesIO(data).read, output)
    return output.getvalue().decode()


@dataclass(frozen=True)
class Response:
    """One answer: `=` or `?`, the number, the text with its lines."""

    mark: str
    id: str
    text: str


def split(output: str) -> list[Response]:
    """The answers, one after the other. Anything that is no answer fails."""
    assert output == "" or output.endswith("\n\n"), output[-200:]
    responses = []
    for block in output.split("\n\n")[:-1]:
        match = re.fullmatch(r"([=?])([0-9]*)(?: (\S.*)|\n(.*))?", block, re.DOTALL)
        assert match, repr(block)
        responses.append(Response(match[1], match[2], match[3] or match[4] or ""))
    return responses


@dataclass(frozen=True)
class Expectation:
    """A numbered command of a file, and what its answer must match."""

    number: str
    command: str
    pattern: str
    negated: bool

    def holds(self, response: Response) -> bool:
        text = "|".join(response.text.split("\n"))
        text = f"? {text}" if response.mark == "?" else text
        return bool(re.fullmatch(self.pattern, text)) != self.negated


def read_expectations(path: Path) -> list[Expectation]:
    """The expectations of a file in GNU Go's form."""
    found: list[Expectation] = []
    command = ""
    for line in path.read_text().split("\n"):
        if line.startswith("#?"):
            match = re.fullmatch(r"#\? \[(!?)(.*)\]", line)
            assert match, f"{path.name}: {line}"
            assert command, f"{path.name}: {line} follows no command"
            number = command.split()[0]
            found.append(Expectation(number, command, match[2], match[1] == "!"))
            command = ""
        elif re.match(r"\d+", line):
            assert not command, f"{path.name}: {command!r} has no expectation"
            command = line
    numbers = [int(expectation.number) for expectation in found]
    assert numbers == sorted(set(numbers)), f"{path.name}: numbers must increase"
    return found
