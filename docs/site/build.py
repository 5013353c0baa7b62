"""Build the documentation site from the Markdown of the project: `make docs`.

`python docs/site/build.py FOLDER` collects the pages in FOLDER/pages, adds the navigation and a
page for each public module, and has Sphinx write FOLDER/html. Every warning is an error: a link
that leads nowhere, a page that the navigation does not reach, a docstring that cannot be read.
Nothing is fetched, neither here nor by the pages.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from sphinx.cmd.build import main as sphinx

sys.path.insert(0, str(Path(__file__).parent))
from names import public_names

import sylve
from sylve.search.values import Value

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SOURCES = (
    "*.md", "docs/**/*", "examples/**/*", "benchmarks/*.md", "benchmarks/results/*.md",
    "python/sylve/**/*.py", "crates/*/src/**/*.rs",
)  # fmt: skip
"""What the site is made of, and what its pages link to."""
NAVIGATION = {
    "First steps": ["own_games", "own_rules", "play", "page", "drawing"],
    "Searches": ["searches", "searcher", "report", "trace", "alpha_beta", "evaluations", "solving"],
    "Games": ["games/*"],
    "Matches and files": ["arena", "cluster", "gtp", "records", "results/README"],
    "The course": ["course", "cours", "notebooks", "lab/README", "bandit", "tsp"],
    "Inside": ["spec", "promises"],
}
"""Groups of pages of docs/. A page that none of them names comes last in the first group."""
ROOT_PAGES = ["ARCHITECTURE", "CONTRIBUTING", "benchmarks/README", "examples/README", "CHANGELOG"]
BELOW = {"docs/lab/README.md": "*/page", "benchmarks/README.md": "results/*"}
"""Pages that others stand below."""
FOREIGN = (int, tuple, ValueError, Exception, BaseException, object)
PAGE = """{title}
{line}

.. automodule:: {module}
   :no-members:
   :no-index:
"""
ENTRY = """
.. auto{kind}:: {module}.{name}
"""
VALUE = """
.. py:data:: {name}
   :module: {module}
   :value: {value}
"""


def collect(pages: Path) -> None:
    """Copy the sources, with the folders that they are in; the README is the first page."""
    for pattern in SOURCES:
        for path in ROOT.glob(pattern):
            if path.is_file() and HERE not in path.parents:
                target = pages / path.relative_to(ROOT)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
    (pages / "README.md").rename(pages / "index.md")


def contents(caption: str, names: list[str]) -> str:
    """A list of pages that is shown at the side only."""
    lines = "\n".join(names)
    return f"\n```{{toctree}}\n:hidden:\n:glob:\n:caption: {caption}\n\n{lines}\n```\n"


def add_navigation(pages: Path, modules: list[str]) -> None:
    """List every page at the side of the site."""
    named = {name for names in NAVIGATION.values() for name in names}
    others = sorted({path.stem for path in (pages / "docs").glob("*.md")} - named)
    first = next(iter(NAVIGATION))
    with (pages / "index.md").open("a", encoding="utf-8") as page:
        for caption, names in NAVIGATION.items():
            listed = [f"docs/{name}" for name in [*names, *(others if caption == first else ())]]
            page.write(contents(caption, listed + (ROOT_PAGES if caption == "Inside" else [])))
        page.write(contents("Python API", [f"api/{module}" for module in modules]))
    for name, below in BELOW.items():
        with (pages / name).open("a", encoding="utf-8") as page:
            page.write(contents("Pages", [below]))


def add_api(pages: Path) -> list[str]:
    """Write a page for each public module, and return their names."""
    names = public_names()
    (pages / "api").mkdir()
    for module, own in names.items():
        text = PAGE.format(title=module, line="=" * len(module), module=module)
        for name in own:
            value = getattr(sys.modules[module], name)
            if not callable(value):
                text += VALUE.format(module=module, name=name, value=list(value))
                continue
            kind = "class" if isinstance(value, type) else "function"
            text += ENTRY.format(kind=kind, module=module, name=name)
            if isinstance(value, type):
                text += f"   :inherited-members: {shown_elsewhere(value)}\n"
        (pages / "api" / f"{module}.rst").write_text(text, encoding="utf-8")
    return list(names)


def shown_elsewhere(kind: type) -> str:
    """The bases whose members are not repeated: public ones, and those that are not ours."""
    bases = kind.__mro__[1:]
    return ", ".join(
        base.__name__
        for base in bases
        if base.__name__ in sylve.__all__ or base in (*FOREIGN, Value)
    )


def main(folder: Path) -> int:
    """Build the site; the exit code of Sphinx."""
    pages, html = folder / "pages", folder / "html"
    for old in (pages, html):
        shutil.rmtree(old, ignore_errors=True)
    pages.mkdir(parents=True)
    collect(pages)
    add_navigation(pages, add_api(pages))
    options = ["--quiet", "--fail-on-warning", "--fresh-env", "-c", str(HERE), "-b", "html"]
    return sphinx([*options, "-d", str(folder / "work"), str(pages), str(html)])


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
