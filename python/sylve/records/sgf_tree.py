"""The syntax of SGF FF[4]: a text to a tree of nodes and back. It knows no game.

Nothing here is recursive: a file nested a million deep is read, not a crash.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from sylve.errors import quote
from sylve.records.record import InvalidRecord

LARGEST = 32 << 20  # characters; a game with its analysis has a few hundred thousand
# A property's name (FF[3] had lower-case letters in it, which do not count) or a mark.
TOKEN = re.compile(r"\s*(?:(?P<name>[A-Za-z]+)(?=\s*\[)|(?P<mark>[();\[]))")
VALUE = re.compile(r"((?:[^\\\]]|\\.)*)\]", re.DOTALL)
ESCAPED = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)


@dataclass
class Node:
    """The properties of one node, and what follows it; the first child is the main line."""

    properties: dict[str, list[str]] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)

    def first(self, name: str, otherwise: str = "") -> str:
        """The first value of a property."""
        return self.properties.get(name, [otherwise])[0]

    def main_line(self) -> list[Node]:
        """This node and the first child of each."""
        line = [self]
        while line[-1].children:
            line.append(line[-1].children[0])
        return line


def read_trees(text: str) -> list[Node]:
    """The root of every game in a file."""
    if len(text) > LARGEST:
        raise InvalidRecord(f"SGF: {len(text)} characters, more than {LARGEST} are not read")
    at = text.find("(")
    if at < 0:
        raise InvalidRecord(f"SGF: expected '(;' in {quote(text)}")
    roots: list[Node] = []
    open_trees: list[Node | None] = []  # for each '(' the node after which its ')' leads on
    here: Node | None = None
    name, values_of = "", None
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            if not text[at:].strip("\x00 \t\r\n\v\f"):
                break
            if not open_trees:
                break  # what follows the last game is not ours
            raise InvalidRecord(f"SGF: cannot read {quote(text[at:].strip())}")
        at = match.end()
        if match["name"]:
            if here is None or not open_trees:
                raise InvalidRecord(f"SGF: property {quote(match['name'])} outside of a node")
            name = re.sub("[a-z]", "", match["name"]) or match["name"].upper()
            values_of = here.properties.setdefault(name, [])
        elif match["mark"] == "[":
            value = VALUE.match(text, at)
            if values_of is None or value is None:
                where = quote(text[match.start() :].strip())
                raise InvalidRecord(f"SGF: unexpected or unclosed '[' at {where}")
            values_of.append(unescape(value[1]))
            at = value.end()
        else:
            values_of = None
            if match["mark"] == "(":
                open_trees.append(here if open_trees else None)
                here = open_trees[-1]
            elif match["mark"] == ")":
                if not open_trees:
                    raise InvalidRecord("SGF: a ')' too many")
                here = open_trees.pop()
            else:
                if not open_trees:
                    raise InvalidRecord("SGF: ';' outside of '(' and ')'")
                node = Node()
                (roots if here is None else here.children).append(node)
                here = node
    if open_trees:
        raise InvalidRecord(f"SGF: the file ends inside a game: {len(open_trees)} ')' missing")
    if not roots:
        raise InvalidRecord("SGF: there is no node: expected '(;' and properties")
    return roots


def unescape(value: str) -> str:
    """A backslash keeps the next character, and removes the next end of line."""
    return ESCAPED.sub(lambda match: "" if match[1][0] in "\r\n" else match[1], value)


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
