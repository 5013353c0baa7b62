"""The public names: those of every module of the package that has an `__all__`."""

from __future__ import annotations

import pkgutil
import sys
from collections.abc import Iterator
from importlib import import_module

import sylve


def public_modules() -> Iterator[str]:
    """The package itself first, then the modules in alphabetical order."""
    yield "sylve"
    found = pkgutil.walk_packages(sylve.__path__, "sylve.")
    for name in sorted(module.name for module in found if module.name != "sylve._core"):
        import_module(name)  # of the modules sylve.solve and sylve.search, functions take the names
        if hasattr(sys.modules[name], "__all__"):
            yield name


def public_names() -> dict[str, list[str]]:
    """By module. A name that several modules have belongs to the first of them."""
    names: dict[str, list[str]] = {}
    seen: list[object] = []
    for module in public_modules():
        own = {name: getattr(sys.modules[module], name) for name in sys.modules[module].__all__}
        new = {name for name, value in own.items() if not any(value is one for one in seen)}
        names[module] = sorted(new, key=lambda name: (name.lower(), name))
        seen += own.values()
    return {module: found for module, found in names.items() if found}
