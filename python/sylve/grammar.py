"""One grammar for games, searches, rules and players: `name` or `name(arguments)`.

Arguments are positional, then keyword; a value is a number, `true`, `false`, `none`, "quoted text",
or again `name(arguments)`. A bare name equals `name()`; `sqrt2` is a number.
"""

from __future__ import annotations

import dataclasses
import difflib
import inspect
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar, Union

from sylve.errors import quote

Value = Union[bool, int, float, str, None, "Call"]

TOKEN = re.compile(
    r"""\s*(?: (?P<number>[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
          | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
          | "(?P<text>[^"]*)"
          | (?P<mark>[(),=]) )\s*""",
    re.VERBOSE,
)
CONSTANTS: Mapping[str, Value] = {
    "true": True,
    "false": False,
    "none": None,
    "sqrt2": math.sqrt(2),
}
T = TypeVar("T")
DEPTH = 20  # nested deeper than this is a mistake, and must not exhaust the stack


@dataclass(frozen=True)
class Call:
    """A name with its arguments, as written."""

    name: str
    arguments: tuple[Value, ...] = ()
    keywords: Mapping[str, Value] = field(default_factory=dict)

    def text(self) -> str:
        """The call as `read_call` reads it."""
        inside = [write_value(value) for value in self.arguments]
        inside += [f"{key}={write_value(value)}" for key, value in self.keywords.items()]
        return f"{self.name}({', '.join(inside)})" if inside else self.name


class Unreadable(ValueError):
    """The text does not follow the grammar."""


def read_call(text: str) -> Call:
    """Read `name` or `name(arguments)`.

    >>> read_call("rave(9, c=hand)")
    Call(name='rave', arguments=(9,), keywords={'c': Call(name='hand', arguments=(), keywords={})})
    """
    tokens = list(_tokens(text))
    value, rest = _value(tokens, text, 0)
    if rest:
        raise Unreadable(f"invalid {quote(text)}: unexpected {rest[0][1]!r}")
    if not isinstance(value, Call):
        raise Unreadable(f"invalid {quote(text)}: expected name or name(arguments)")
    return value


def write_value(value: object) -> str:
    """The text of a value, as `read_call` reads it."""
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, Call):
        return value.text()
    if dataclasses.is_dataclass(value):
        return str(value)
    return repr(value)


def write_call(name: str, keywords: Mapping[str, object]) -> str:
    """The canonical text of a call: keywords only, the bare name if there are none."""
    inside = ", ".join(f"{key}={write_value(value)}" for key, value in keywords.items())
    return f"{name}({inside})" if inside else name


def suggestion(name: str, known: Iterable[str]) -> str:
    """What to add to a message about an unknown name: the closest known one, and all of them."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, 1)
    hint = f"did you mean {close[0]!r}? " if close else ""
    return f"{hint}expected one of: {', '.join(names)}"


def build(kind: type[T], call: Call) -> T:
    """The value that a call describes: `kind` is a dataclass; what makes one are the arguments."""
    names = list(inspect.signature(kind).parameters)
    places = [field.name for field in dataclasses.fields(kind) if not field.kw_only]  # type: ignore[arg-type]
    if len(call.arguments) > len(places):
        allowed = f"at most {len(places)}: {', '.join(places)}" if places else "none"
        raise ValueError(
            f"{call.name}: {len(call.arguments)} positional arguments, allowed {allowed}"
        )
    given = dict(zip(places, call.arguments, strict=False))
    for key, value in call.keywords.items():
        if key not in names:
            allowed = suggestion(key, names) if names else "it has none"
            raise ValueError(f"{call.name}: unknown argument {key!r}: {allowed}")
        if key in given:
            raise ValueError(f"{call.name}: {key} is given twice")
        given[key] = value
    return kind(**given)


Token = tuple[str, str]


def _tokens(text: str) -> Iterator[Token]:
    at = 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match or match.lastgroup is None:
            raise Unreadable(f"invalid {quote(text)}: cannot read {quote(text[at:])}")
        yield match.lastgroup, match[match.lastgroup]
        at = match.end()


def _value(tokens: list[Token], text: str, depth: int) -> tuple[Value, list[Token]]:
    if depth > DEPTH:
        raise Unreadable(f"invalid {quote(text)}: nested more than {DEPTH} deep")
    if not tokens:
        raise Unreadable(f"invalid {quote(text)}: it ends too early")
    (kind, word), *rest = tokens
    if kind == "text":
        return word, rest
    if kind == "number":
        whole = re.fullmatch(r"[+-]?[\d_]+", word)
        return (int(word) if whole else float(word)), rest
    if kind == "mark":
        raise Unreadable(f"invalid {quote(text)}: unexpected {word!r}")
    if word in CONSTANTS:
        return CONSTANTS[word], rest
    if rest and rest[0] == ("mark", "("):
        return _arguments(word, rest[1:], text, depth)
    return Call(word), rest


def _arguments(name: str, tokens: list[Token], text: str, depth: int) -> tuple[Call, list[Token]]:
    arguments: list[Value] = []
    keywords: dict[str, Value] = {}
    while tokens and tokens[0] != ("mark", ")"):
        key = None
        if len(tokens) > 1 and tokens[0][0] == "name" and tokens[1] == ("mark", "="):
            key, tokens = tokens[0][1], tokens[2:]
        value, tokens = _value(tokens, text, depth + 1)
        if key is None and keywords:
            raise Unreadable(f"invalid {quote(text)}: positional argument after a keyword")
        if key in keywords:
            raise Unreadable(f"invalid {quote(text)}: {key} is given twice")
        if key is None:
            arguments.append(value)
        else:
            keywords[key] = value
        if tokens and tokens[0] == ("mark", ","):
            tokens = tokens[1:]
        elif tokens and tokens[0] != ("mark", ")"):
            raise Unreadable(f"invalid {quote(text)}: expected ',' or ')', found {tokens[0][1]!r}")
    if not tokens:
        raise Unreadable(f"invalid {quote(text)}: ')' is missing")
    return Call(name, tuple(arguments), keywords), tokens[1:]
