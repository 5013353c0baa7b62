"""Packages that some commands need and that `pip install sylve` does not bring."""

from __future__ import annotations

from importlib import import_module
from typing import Any

PACKAGES = {
    "distributed": "pip install 'sylve[dask]'",
    "gymnasium": "pip install 'sylve[gymnasium]'",
    "matplotlib": "pip install 'sylve[lab]'",
    "numba": "pip install 'sylve[numba]'",
    "pandas": "pip install pandas",
    "pettingzoo": "pip install 'sylve[pettingzoo]'",
    "pyarrow": "pip install 'sylve[parquet]'",
    "pyspiel": "pip install 'sylve[open_spiel]'",
}
"""Each of them, and how to get it."""


class MissingPackage(ImportError, ValueError):
    """A package that this needs is not installed, or does not load. Says how to get it."""


def require(package: str, what: str) -> Any:
    """The package, for `what`. Ask before the work begins that needs it."""
    try:
        return import_module(package)
    except ImportError as error:
        broken = "" if isinstance(error, ModuleNotFoundError) else f" (it does not load: {error})"
        raise MissingPackage(f"{what} needs {package}{broken}: {PACKAGES[package]}") from None


def missing(package: str, what: str) -> str:
    """Why `what` cannot be had, in a line; nothing if it can."""
    try:
        require(package, what)
    except MissingPackage as error:
        return str(error)
    return ""
