"""What searches, rules, schedules and policies are: frozen values with a text form.

`str(value)` writes `name(arguments)`, the grammar of the command line and of files, and leaves out
arguments that have their default.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from operator import index
from typing import Any, ClassVar, SupportsIndex

from sylve import errors
from sylve.grammar import Call, write_call
from sylve.own import text_of

LARGEST = sys.float_info.max
NO_LIMIT = 1 << 63  # beyond any count of playouts


WrongCall = Callable[
    [type, str, Sequence[object], Mapping[str, object], Callable[[object], str]], str | None
]


tell_wrong_call: WrongCall = lambda *_: None  # noqa: E731
"""Tells what is wrong with a call."""


def tell_by(function: WrongCall) -> None:
    """From now on `function` tells. It knows all values (`guesses.py`); we know none."""
    global tell_wrong_call
    tell_wrong_call = function


class Answering(type):
    """Makes a wrong call an error that names the right one."""

    def __call__(cls, *arguments: Any, **keywords: Any) -> Any:
        """Make a value."""
        try:
            return super().__call__(*arguments, **keywords)
        except TypeError:
            if not dataclasses.is_dataclass(cls):  # a plain class of the user's own
                raise
            wrong = cls.wrong_call(cls.__name__, arguments, keywords, repr)
            if wrong is None:
                raise
        raise TypeError(wrong)

    @property
    def __signature__(cls) -> inspect.Signature:
        """That of `__init__`: `inspect` would take the one of `__call__`."""
        itself, *parameters = inspect.signature(cls.__init__).parameters.values()  # type: ignore[misc]
        del itself
        return inspect.Signature(parameters)


class Value(metaclass=Answering):
    """A frozen dataclass that can be written as `name(arguments)`."""

    @classmethod
    def wrong_call(
        cls,
        name: str,
        arguments: Sequence[object],
        keywords: Mapping[str, object],
        write: Callable[[object], str],
    ) -> str | None:
        """What is wrong with a call, if anything is, in words that name the right one."""
        return tell_wrong_call(cls, name, arguments, keywords, write)

    needed: ClassVar[tuple[str, ...]] = ()
    """The methods of which one of the user's own must have at least one."""

    @property
    def is_own(self) -> bool:
        """Whether a user has written it. By its class: it may have the name of one of ours."""
        kind = type(self)
        ours = kind.__module__.startswith("sylve.") and kind.__module__ in sys.modules
        return not ours or getattr(sys.modules[kind.__module__], kind.__name__, None) is not kind

    @property
    def lacks(self) -> str:
        """The method without which one of the user's own cannot work; nothing if it has it."""
        kind = type(self)
        family = next(base for base in kind.__mro__ if "needed" in vars(base))
        if not self.is_own or not self.needed:
            return ""
        has = (getattr(kind, name) is not getattr(family, name) for name in self.needed)
        return "" if any(has) else self.needed[0]

    @classmethod
    def name(cls) -> str:
        """Its name in the grammar: the class in snake case."""
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", cls.__name__).lower()

    def __str__(self) -> str:
        named = text_of(self)
        if named is not None:
            return named
        if not dataclasses.is_dataclass(self):  # a plain class of the user's own
            return write_call(self.name(), vars(self))
        given: dict[str, Any] = {}
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if value != self.implied(field):
                given[field.name] = value
        return write_call(self.name(), given)

    def implied(self, field: dataclasses.Field[Any]) -> object:
        """What an argument is if nobody says."""
        return default_of(field)


def default_of(field: dataclasses.Field[Any]) -> Any:
    """The default of an argument."""
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


class NotGiven(float):
    """A default that can be told from the same number given by the user."""


def shown(value: object) -> str:
    """A refused argument, for a message: calls as they were written."""
    return errors.cut(value.text()) if isinstance(value, Call) else errors.shown(value)


def whole(owner: Value, argument: str, low: int, high: int = NO_LIMIT) -> None:
    """Refuse an argument that is not a whole number from low to high."""
    value = getattr(owner, argument)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        allowed = f"from {low} to {high}" if high != NO_LIMIT else f"of at least {low}"
        if isinstance(value, int) and value > high == NO_LIMIT:
            allowed = f"of at most {high}"
        raise ValueError(
            f"{owner.name()}: {argument} must be a whole number {allowed}, not {shown(value)}"
        )


def number(
    owner: Value, argument: str, low: float, high: float = math.inf, *, called: str = ""
) -> None:
    """Refuse an argument that is not a finite number from low to high; make it a float."""
    value = check_number(
        f"{owner.name()}: {called or argument}", getattr(owner, argument), low, high
    )
    object.__setattr__(owner, argument, value)


def check_number(what: str, value: object, low: float, high: float = math.inf) -> float:
    """The value, if it is a finite number from low to high."""
    good = isinstance(value, (int, float)) and not isinstance(value, bool)
    # An integer above the largest double is not finite as a double.
    if not good or not low <= value <= high or not abs(value) <= LARGEST:  # type: ignore[operator, arg-type]
        allowed = f"from {low:g} to {high:g}" if math.isfinite(high) else f"of at least {low:g}"
        raise ValueError(f"{what} must be a number {allowed}, not {shown(value)}")
    return float(value)  # type: ignore[arg-type]


def check_place(what: str, answer: object, moves: int) -> int:
    """The answer, if it is the place of one of so many moves."""
    place = index(answer) if isinstance(answer, SupportsIndex) else -1
    if not 0 <= place < moves:
        raise ValueError(
            f"{what} must give the place of a move, from 0 to {moves - 1}, not {shown(answer)}"
        )
    return place


def choice(owner: Value, argument: str, allowed: tuple[str, ...]) -> None:
    """Refuse an argument that is none of the words allowed."""
    value = getattr(owner, argument)
    if value not in allowed:
        raise ValueError(
            f"{owner.name()}: {argument} must be one of {', '.join(allowed)}, not {shown(value)}"
        )


def kind(owner: Value, argument: str, allowed: tuple[type, ...]) -> None:
    """Refuse an argument that is none of the values allowed; a bare class means its default."""
    value = getattr(owner, argument)
    if isinstance(value, type) and issubclass(value, allowed):
        value = value()
        object.__setattr__(owner, argument, value)
    if not isinstance(value, allowed):
        names = ", ".join(sorted(leaf.__name__ for cls in allowed for leaf in leaves(cls)))
        quotes = f": without quotes, {argument}={value}" if isinstance(value, str) else ""
        raise ValueError(
            f"{owner.name()}: {argument} must be one of {names}, or your own, derived from"
            f" {' or '.join(cls.__name__ for cls in allowed)}; not {shown(value)}{quotes}"
        )
    if isinstance(value, Value) and value.lacks:
        raise ValueError(
            f"{owner.name()}: {argument}={value} has no method {value.lacks}: see docs/own_rules.md"
        )


def leaves(cls: type) -> list[type]:
    """Ours at the ends of a family: the rules of `Rule`, the schedules of `Schedule`."""
    families: list[type] = cls.__subclasses__()
    children = [child for child in families if child.__module__.startswith("sylve.")]
    return [leaf for child in children for leaf in leaves(child)] if children else [cls]
