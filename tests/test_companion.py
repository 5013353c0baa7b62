"""docs/course.md and docs/cours.md: every section of every document, and everything there runs."""

from __future__ import annotations

import doctest
import re
import shlex
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from commands import call
from sylve.lab.experiment import NAMES, load

ROOT = Path(__file__).parents[1]
PAGES = {"en": "course.md", "fr": "cours.md"}
DOCUMENTS = sorted((ROOT / "tests" / "data" / "course").glob("*.txt"))
SMALL = "breakthrough(columns=5, rows=5)"
ANSWERS = {
    "en": ["holds", "holds in part", "does not hold", "undecided"],
    "fr": ["vérifié", "vérifié en partie", "réfuté", "non tranché"],
}
CALL, COMMAND = {"en": "Call: ", "fr": "Appel : "}, {"en": "Command: ", "fr": "Commande : "}


@dataclass
class Section:
    """A section of a page: its title, and what stands in it."""

    title: str
    rows: list[str] = field(default_factory=list)
    """The first cells of its table: the headings below that of the section."""
    calls: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)
    """Blocks of Python."""
    verdicts: list[tuple[str, int, str]] = field(default_factory=list)
    """Experiment, number of the claim, answer."""
    errata: int = 0


def text_of(language: str) -> str:
    return (ROOT / "docs" / PAGES[language]).read_text(encoding="utf-8")


def read(language: str) -> list[tuple[str, list[Section]]]:
    """A part for each document, with its sections; what stands before them is a section too."""
    parts: list[tuple[str, list[Section]]] = []
    for part in re.split(r"^## ", text_of(language), flags=re.MULTILINE):
        title, _, rest = part.partition("\n")
        bodies = re.split(r"^### ", rest, flags=re.MULTILINE)
        parts.append((title, [section(body, language) for body in bodies]))
    return parts


def section(body: str, language: str) -> Section:
    found = Section(body.partition("\n")[0])
    found.examples = re.findall(r"^```python\n(.*?)^```", body, re.MULTILINE | re.DOTALL)
    for block in re.findall(r"^```sh\n(.*?)^```", body, re.MULTILINE | re.DOTALL):
        found.commands += block.splitlines()
    prose = re.sub(r"^```.*?^```", "", body, flags=re.MULTILINE | re.DOTALL)
    found.rows = re.findall(r"^\| (.*?) \| ", prose, re.MULTILINE)[2:]
    for item in re.split(r"^- ", prose, flags=re.MULTILINE)[1:]:
        item = " ".join(item.split())
        if item.startswith(CALL[language]):
            found.calls += re.findall(r"`(.*?)`", item)
        elif item.startswith(COMMAND[language]):
            found.commands += re.findall(r"`(.*?)`", item)
        elif match := re.match(
            r"Verdict \[(\S+) (\d)\]\(lab/(\S+)/page.md\) ?: \*\*(.*?)\*\*", item
        ):
            assert match[1] == match[3], item
            found.verdicts.append((match[1], int(match[2]), match[4]))
        found.errata += item.startswith("**Erratum.**")
    return found


def headings(document: Path) -> list[tuple[int, str]]:
    """The headings of a document with their depths, without the marks of bold and code."""
    text = re.sub(r"^\s*```.*?^\s*```", "", document.read_text(encoding="utf-8"),
                  flags=re.MULTILINE | re.DOTALL)  # fmt: skip
    found = re.findall(r"^(#+) (.*?)\s*$", text, re.MULTILINE)
    return [(len(marks), plain(title)) for marks, title in found]


def plain(title: str) -> str:
    return title.replace("*", "").replace("`", "")


def original(title: str, language: str) -> str:
    """The title of the document: the English page has it in parentheses, after its own."""
    if language == "en":
        own, _, title = title.partition(" (")
        assert own, title
        title = title.removesuffix(")")
    return plain(title)


@pytest.mark.parametrize("language", PAGES)
def test_every_heading_is_there_in_its_order(language: str) -> None:
    parts = read(language)[1:]
    assert len(parts) == len(DOCUMENTS) == 5
    for (title, sections), document in zip(parts, DOCUMENTS, strict=True):
        (_, name), *wanted = headings(document)
        assert len(wanted) > 4
        assert title.startswith(document.stem)
        shown = " ".join(text_of(language).split())
        assert name in shown
        found = []
        for one in sections[1:]:
            found.append((2, original(one.title, language)))
            found += [(3, plain(row)) for row in one.rows]
        assert found == [(min(depth, 3), heading) for depth, heading in wanted]


def test_the_pages_are_alike() -> None:
    """The same examples, calls, commands, verdicts and errata in the same sections."""
    english, french = read("en"), read("fr")
    for (_, ours), (_, theirs) in zip(english, french, strict=True):
        for one, two in zip(ours, theirs, strict=True):
            assert one.examples == two.examples
            assert (one.calls, one.commands, one.rows) == (two.calls, two.commands, two.rows)
            assert [claim[:2] for claim in one.verdicts] == [claim[:2] for claim in two.verdicts]
            assert one.errata == two.errata
    spans, links = r"`[^`\n]+`", r"\]\((?!cours)([^)]+)\)"
    for pattern in (spans, links):
        counts = [Counter(re.findall(pattern, text_of(language))) for language in PAGES]
        assert counts[0] == counts[1]


@pytest.mark.parametrize("language", PAGES)
def test_verdicts_are_those_of_the_lab(language: str) -> None:
    """Each is what the page of the experiment says, and none is left out."""
    told = [verdict for _, part in read(language) for one in part for verdict in one.verdicts]
    for name, number, answer in told:
        page = (ROOT / "docs" / "lab" / name / "page.md").read_text(encoding="utf-8")
        found = re.findall(r"^   \*\*(.*?)\.\*\*", page, re.MULTILINE)
        assert ANSWERS["en"].index(found[number - 1].lower()) == ANSWERS[language].index(answer)
    claims = {(name, n + 1) for name in NAMES for n in range(len(load(name).claims))}
    assert {(name, number) for name, number, _ in told} == claims


def test_every_section_says_how() -> None:
    for _, sections in read("en")[1:]:
        for one in sections[1:]:
            assert one.calls, one.title
            assert one.commands, one.title


def test_every_call_runs() -> None:
    """In the order of the page: after the examples of its section, with what they have made."""
    names: dict[str, Any] = {}
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    ran = 0
    for _, sections in read("en"):
        for one in sections:
            for example in one.examples:
                test = parser.get_doctest(example, names, one.title, None, None)
                assert runner.run(test, clear_globs=False).failed == 0
                names = test.globs
            for expression in one.calls:
                eval(expression, names)
                ran += 1
    assert ran > 50


def commands() -> list[str]:
    """Every command of the page once, in order."""
    found = [command for _, part in read("en") for one in part for command in one.commands]
    return list(dict.fromkeys(found))


def test_every_command_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """GAME is a small one; experiments, which take long, must be in the list."""
    monkeypatch.chdir(tmp_path)
    ran = 0
    for line in commands():
        words = [SMALL if word == "GAME" else word for word in shlex.split(line)]
        assert words[0] == "sylve", line
        if words[1:3] == ["lab", "run"]:
            assert set(words[3:]) <= NAMES.keys(), line
            continue
        printed = call(*words[1:], columns=80)
        assert printed.code == 0, f"{line}: {printed.err}"
        assert printed.out, line
        ran += 1
    assert ran > 30


@pytest.mark.parametrize(
    "page",
    ["README.md", "docs/searches.md", "docs/lab/README.md", "python/sylve/course/__init__.py"],
)
def test_students_find_it(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert "course.md" in text
    assert "cours.md" in text
