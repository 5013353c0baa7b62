"""The syntax of SGF FF[4]: a text to the nodes of its main line, and back. It knows no game.

Nothing here is recursive: a file nested deep is read, not a crash. What no reader asks for is
passed over and not kept, so that no text is much larger in memory than in the file.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from sylve.errors import quote
from sylve.inputs import shown_size
from sylve.records.record import InvalidRecord

LARGEST = 32 << 20  # bytes of a file; a game of Go with an analysis of every ply has 25 MB
MOST_SIGNS = 1_000_000  # nodes, properties, values, brackets, escapes; dictionaries have half
MOST_NODES = 10_000  # of the main line, with something in them that is read
MOST_VALUES = 4096  # of one property; no board has more cells
# A property's name (FF[3] had lower-case letters in it, which do not count) or a mark.
TOKEN = re.compile(r"\s*(?:(?P<name>[A-Za-z]+)(?=\s*\[)|(?P<mark>[();\[]))")
# Possessive: what was matched is never tried again, and takes no memory.
VALUE = re.compile(r"[^\\\]]*+(?:\\.[^\\\]]*+)*+\]", re.DOTALL)
ESCAPED = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
BLOCK = 1 << 16  # characters that are unescaped at once
CUT = re.compile(r"[\\\r\n]*.", re.DOTALL)  # up to a character that ends whatever was escaped


@dataclass
class Node:
    """The properties of one node, each with its values."""

    properties: dict[str, list[str]] = field(default_factory=dict)

    def first(self, name: str, otherwise: str = "") -> str:
        """The first value of a property."""
        return self.properties.get(name, [otherwise])[0]


class Budget:
    """What may still be read of one file."""

    def __init__(self, form: str, text: str) -> None:
        self.form = form
        self.left = MOST_SIGNS
        if len(text) > LARGEST:
            raise InvalidRecord(f"{form}: the text is larger than {shown_size(LARGEST)}")

    def spend(self, signs: int = 1) -> None:
        """Refuse a text of too many parts: each takes time."""
        self.left -= signs
        if self.left < 0:
            raise InvalidRecord(
                f"{self.form}: more than {MOST_SIGNS} nodes, properties, values and escapes"
            )


def read_main_line(
    text: str, head: Collection[str], single: Collection[str] = (), several: Collection[str] = ()
) -> list[Node]:
    """The nodes of the main line of the first game in a file.

    Kept are the first node, and those after it with something in them: the first value of the
    `single` properties, all values of the `several` ones; and of `head` in the first node.
    """
    budget = Budget("SGF", text)
    at = text.find("(")
    if at < 0:
        raise InvalidRecord(f"SGF: expected '(;' in {quote(text)}")
    line: list[Node] = []
    here: Node | None = None
    depth = empty = 0  # trees that are open, and how many of them have no node yet
    main = True  # whether what is read belongs to the main line
    name, may_follow = "", False
    while True:
        match = TOKEN.match(text, at)
        if not match:
            if text[at : at + 200].strip("\x00 \t\r\n\v\f"):
                raise InvalidRecord(f"SGF: cannot read {quote(text[at : at + 200].strip())}")
            raise InvalidRecord(f"SGF: the file ends inside a game: {depth} ')' missing")
        budget.spend()
        at, mark = match.end(), match["mark"]
        if mark is None:
            if here is None:
                raise InvalidRecord(f"SGF: property {quote(match['name'])} outside of a node")
            name = re.sub("[a-z]", "", match["name"]) or match["name"].upper()
            may_follow = True
        elif mark == "[":
            value = VALUE.match(text, at)
            if not may_follow or here is None or value is None:
                where = quote(text[match.start() : match.start() + 200].strip())
                raise InvalidRecord(f"SGF: unexpected or unclosed '[' at {where}")
            if main and (name in single or name in several or (name in head and here is line[0])):
                keep(here, name, name in several, text[at : value.end() - 1], budget)
            at = value.end()
        else:
            may_follow = False
            if main and here is not None and here.properties and (not line or here is not line[-1]):
                if len(line) == MOST_NODES:
                    raise InvalidRecord(f"SGF: more than {MOST_NODES} nodes in the main line")
                line.append(here)
            if mark == ";":
                here, empty = Node(), 0
                if not line:
                    line.append(here)  # the root, whatever is in it
            elif mark == "(":
                depth, empty = depth + 1, empty + 1
            else:
                main = main and empty > 0  # the first tree that ends with a node ends the line
                depth, empty = depth - 1, max(0, empty - 1)
                if not depth and line:
                    return line
                if not depth:
                    raise InvalidRecord("SGF: there is no node: expected '(;' and properties")


def keep(node: Node, name: str, several: bool, value: str, budget: Budget) -> None:
    """Add a value to a node of the main line."""
    values = node.properties.setdefault(name, [])
    if values and not several:
        return
    if len(values) == MOST_VALUES:
        raise InvalidRecord(f"{budget.form}: more than {MOST_VALUES} values of {name}")
    budget.spend(value.count("\\"))
    values.append(unescape(value))


def unescape(value: str) -> str:
    """A backslash keeps the next character, and removes the next end of line."""
    if "\\" not in value:
        return value
    parts, at = [], 0
    while at < len(value):
        cut = CUT.match(value, at + BLOCK)
        end = cut.end() if cut else len(value)
        parts.append(
            ESCAPED.sub(lambda match: "" if match[1][0] in "\r\n" else match[1], value[at:end])
        )
        at = end
    return "".join(parts)


def escape(value: str) -> str:
    """The value as it stands between brackets."""
    return value.replace("\\", "\\\\").replace("]", "\\]")


def write_node(properties: Iterable[tuple[str, Iterable[str]]]) -> str:
    """One node: `;B[dd]C[...]`. A property without values is left out."""
    parts = [";"]
    for name, values in properties:
        listed = "".join(f"[{escape(value)}]" for value in values)
        parts.append(name + listed if listed else "")
    return "".join(parts)
