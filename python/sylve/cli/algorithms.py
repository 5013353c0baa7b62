"""`sylve algorithms`: the searches and what they are made of."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping
from typing import Any

from sylve.cli.output import Json, print_json, print_prose, print_text
from sylve.grammar import write_value
from sylve.search.budget import PLAYOUTS
from sylve.search.reference.searches import Search
from sylve.search.text import ALPHA_BETA, POLICIES, PRIORS, RULES, SCHEDULES, SEARCHES
from sylve.search.values import Value, default_of

FAMILIES: Mapping[str, tuple[str, Mapping[str, type[Value]]]] = {
    "searches": ("Searches, for --how", SEARCHES),
    "alpha_beta": ("Alpha-beta, for --how; it has no playouts", ALPHA_BETA),
    "rules": ("Rules, for rule=", RULES),
    "schedules": ("Schedules, for schedule=", SCHEDULES),
    "policies": ("Playout policies, for playout=", POLICIES),
    "priors": ("Priors of tree searches, for prior=", PRIORS),
}


def algorithms(json: Json = False) -> None:
    """List the searches, rules and policies with their arguments."""
    if json:
        print_json(
            {
                family: [
                    {"name": name, "arguments": arguments(kind), "about": about(kind)}
                    for name, kind in members.items()
                ]
                for family, (_, members) in FAMILIES.items()
            }
        )
        return
    common = arguments(Search)
    for family, (heading, members) in FAMILIES.items():
        print_prose(f"{heading}:")
        if family == "searches":
            print_prose(f"  (every search also takes {written(common)})", "  ")
        for name, kind in members.items():
            own = {
                key: default
                for key, default in arguments(kind).items()
                if family != "searches" or key not in common
            }
            print_prose(f"  {name}({written(own)})" if own else f"  {name}", "  ")
            print_prose(f"      {about(kind)}")
        print_text("")


def arguments(kind: type[Value]) -> dict[str, Any]:
    """The arguments with their defaults; a default that is a rule or the like, as text."""
    found = {}
    for field in dataclasses.fields(kind):  # type: ignore[arg-type]
        default = PLAYOUTS if field.name == "playouts" else default_of(field)
        found[field.name] = str(default) if isinstance(default, Value) else default
    for name, parameter in inspect.signature(kind).parameters.items():
        found.setdefault(name, parameter.default)  # another way to give a field, such as cp
    return found


def written(given: Mapping[str, Any]) -> str:
    """Arguments as they are typed; words and names need no quotes."""
    return ", ".join(
        f"{key}={value if isinstance(value, str) and value.isidentifier() else write_value(value)}"
        for key, value in given.items()
    )


def about(kind: type[Value]) -> str:
    """The first paragraph of its description."""
    return " ".join((inspect.getdoc(kind) or "").split("\n\n")[0].split())
