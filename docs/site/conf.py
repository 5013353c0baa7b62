"""The settings of Sphinx for the documentation site; build.py prepares the pages."""

from __future__ import annotations

import inspect
import re
from typing import Any

import sylve

project = "sylve"
author = "The sylve authors"
copyright = author  # noqa: A001 - the name that Sphinx reads
release = version = sylve.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_heading_anchors = 4  # the anchors of headings are those that code hosts make
default_role = "py:obj"  # docstrings mark code by single backticks; public names become links

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True}

html_theme = "furo"
html_title = f"sylve {version}"
html_copy_source = html_show_sourcelink = False
html_show_copyright = False
html_theme_options = {"top_of_page_buttons": []}


def signature(_: object, what: str, __: str, value: Any, *rest: object) -> tuple[str, None] | None:
    """How a class is called: its metaclass, which explains wrong calls, would hide it."""
    del rest
    if what != "class" or type(value) is type:
        return None
    parameters = list(inspect.signature(value.__init__).parameters.values())[1:]
    shown = [one.replace(annotation=inspect.Parameter.empty) for one in parameters]
    return str(inspect.Signature(shown)), None


def link_pages(_: object, __: str, ___: str, ____: object, _____: object, lines: list[str]) -> None:
    """Where a docstring names a page, as in docs/spec.md, it becomes a link."""
    lines[:] = [re.sub(r"\bdocs/([\w/]+)\.md", r":doc:`/docs/\1`", line) for line in lines]


def setup(app: Any) -> None:
    """Tell Sphinx what is special here."""
    app.connect("autodoc-process-docstring", link_pages)
    app.connect("autodoc-process-signature", signature)
