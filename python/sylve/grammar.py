"""One grammar for games, searches, rules and players: `name` or `name(arguments)`.

Arguments are positional, then keyword; a value is a number, `true`, `false`, `none`, "quoted text",
or again `name(arguments)`. A bare name equals `name()`; `sqrt2` is a number. What is the user's own
has its module or file before the name: `module:Name`, `path/file.py:Name`; a path with blanks or
marks is in quotes, `"my games/dots.py":Dots`.
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

LONGEST = 64 << 10  # characters of a text; the longest that people write have a few hundred
DIGITS = 100  # of a number; a 64-bit word has 20
TOKEN = re.compile(
    r"""\s*(?: (?P<own>(?:[^\s"(),=:]++|"[^"]++"):[A-Za-z_][A-Za-z0-9_]*+)
          | (?P<number>[+-]?(?:[0-9]+(?:_[0-9]+)*(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
          | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
          | "(?P<text>[^"]*)"
          | (?P<mark>[(),=])
          | (?P<end>\Z) )\s*""",
    re.VERBOSE,
)
WHOLE = re.compile("[+-]?[0-9_]+")
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
    if len(text) > LONGEST:
        raise Unreadable(f"invalid {quote(text)}: it has more than {LONGEST} characters")
    tokens = _Tokens(text)
    value = _value(tokens, 0)
    if tokens.kind != "end":
        raise tokens.problem(f"unexpected {quote(tokens.word)}")
    if not isinstance(value, Call):
        raise tokens.problem("expected name or name(arguments)")
    return value


def calls_in(value: object) -> Iterator[Call]:
    """A call and all calls inside it.

    >>> [call.name for call in calls_in(read_call("uct(9, rule=ucb1(c=1))"))]
    ['uct', 'ucb1']
    """
    if isinstance(value, Call):
        yield value
        for inner in (*value.arguments, *value.keywords.values()):
            yield from calls_in(inner)


def write_value(value: object) -> str:
    """The text of a value, as `read_call` reads it."""
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, Call):
        return value.text()
    if dataclasses.is_dataclass(value) or hasattr(value, "wrong_call"):  # also a user's own rule
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
    own = getattr(kind, "wrong_call", None)
    if own is not None:
        wrong = own(call.name, call.arguments, call.keywords, write_value)
        if wrong is not None:
            raise ValueError(wrong)
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
            raise ValueError(f"{call.name}: unknown argument {quote(key)}: {allowed}")
        if key in given:
            raise ValueError(f"{call.name}: {key[:100]} is given twice")
        given[key] = value
    return kind(**given)


class _Tokens:
    """The tokens of a text, one at a time: nothing is read twice, and the rest is never copied."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.after = 0  # where the next token begins
        self.kind, self.word = "", ""
        self.advance()

    def advance(self) -> None:
        """Go on to the next token."""
        match = TOKEN.match(self.text, self.after)
        if not match or match.lastgroup is None:
            rest = self.text[self.after : self.after + 200]
            raise self.problem(f"cannot read {quote(rest)}")
        self.kind, self.word, self.after = match.lastgroup, match[match.lastgroup], match.end()

    def take(self, mark: str) -> bool:
        """Whether the token is this mark; then go on after it."""
        if self.kind != "mark" or self.word != mark:
            return False
        self.advance()
        return True

    def problem(self, what: str) -> Unreadable:
        """The error that says what is wrong with the text."""
        return Unreadable(f"invalid {quote(self.text)}: {what}")


def _value(tokens: _Tokens, depth: int) -> Value:
    if depth > DEPTH:
        raise tokens.problem(f"nested more than {DEPTH} deep")
    kind, word = tokens.kind, tokens.word
    if kind == "end":
        raise tokens.problem("it ends too early")
    if kind == "mark":
        raise tokens.problem(f"unexpected {word!r}")
    tokens.advance()
    if kind == "text":
        return word
    return _number(tokens, word) if kind == "number" else _named(tokens, word, depth)


def _number(tokens: _Tokens, word: str) -> int | float:
    if len(word) > DIGITS:
        raise tokens.problem(f"the number {quote(word)} has more than {DIGITS} digits")
    number = int(word) if WHOLE.fullmatch(word) else float(word)
    if not math.isfinite(number):
        raise tokens.problem(f"the number {word} is too large")
    return number


def _named(tokens: _Tokens, name: str, depth: int) -> Value:
    if name in CONSTANTS:
        return CONSTANTS[name]
    return _arguments(tokens, name, depth) if tokens.take("(") else Call(name)


def _arguments(tokens: _Tokens, name: str, depth: int) -> Call:
    arguments: list[Value] = []
    keywords: dict[str, Value] = {}
    while not tokens.take(")"):
        key, value = _argument(tokens, depth + 1)
        if key is None and keywords:
            raise tokens.problem("positional argument after a keyword")
        if key is None:
            arguments.append(value)
        elif key in keywords:
            raise tokens.problem(f"{key[:100]} is given twice")
        else:
            keywords[key] = value
        if not tokens.take(",") and (tokens.kind, tokens.word) != ("mark", ")"):
            if tokens.kind == "end":
                raise tokens.problem("')' is missing")
            raise tokens.problem(f"expected ',' or ')', found {quote(tokens.word)}")
    return Call(name, tuple(arguments), keywords)


def _argument(tokens: _Tokens, depth: int) -> tuple[str | None, Value]:
    if tokens.kind == "end":
        raise tokens.problem("')' is missing")
    if tokens.kind != "name":
        return None, _value(tokens, depth)
    name = tokens.word
    tokens.advance()
    if tokens.take("="):
        return name, _value(tokens, depth)
    if depth > DEPTH:
        raise tokens.problem(f"nested more than {DEPTH} deep")
    return None, _named(tokens, name, depth)
