"""A trace for the eye: the same sections for the terminal, for `print` and for notebooks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sylve.markup import escape, html_table
from sylve.screen import Table, plural, printable, visible, width_of, wrapped
from sylve.search.reference.in_numbers import NOT_TRIED, figure
from sylve.search.reference.tally import UNIT
from sylve.search.reports.show import NOTHING, game_name, number, short

if TYPE_CHECKING:
    from sylve.search.reports.trace import Change, Choice, Trace, TracedMove

CHOSEN = ">"  # beside the move
ENDED = {
    "playout": "a playout begins there.",
    "end of the game": "the game is over there. No playout is needed.",
    "proven": "the result there is proven. No playout is needed.",
    "repetition": "a position of this descent has come again, and is scored. No playout is needed.",
}


@dataclass(frozen=True)
class Section:
    """A heading with sentences and tables below it."""

    heading: str
    parts: Sequence[str | Table]


def sections(trace: Trace, top: int | None = None) -> Iterator[Section]:
    """The whole simulation in its order; `top`: so many moves of a node at most."""
    for depth, choice in enumerate(trace.descent):
        yield Section(node_heading(depth, choice), list(node_parts(choice, top)))
    made = plural(len(trace.playout), "move")
    heading = f"Playout, {made}" if trace.playout else "No playout"
    yield Section(heading, list(ending(trace)))
    yield Section("Tallies, before -> after", list(tallies(trace)))


def title(trace: Trace) -> str:
    """Which simulation of what."""
    return f"Simulation {trace.simulation:,} of {trace.search} on {game_name(trace.position)}"


def result(trace: Trace) -> str:
    """The outcome in a word or two."""
    if trace.outcome is None:
        return f"the position is worth {number(trace.estimate)} to x, by the evaluation"
    winner = trace.outcome.winner
    return "a draw" if winner is None else f"{'xo'[winner]} wins"


def node_heading(depth: int, choice: Choice) -> str:
    """Which node, who is to move, and how well it is known."""
    where = f"after {choice.path[-1]}" if choice.path else "the root"
    visits = "new: this simulation adds it" if choice.new else plural(choice.visits, "visit")
    return f"Node {depth}, {where}: {'xo'[choice.position.turn]} to move, {visits}"


def node_parts(choice: Choice, top: int | None) -> Iterator[str | Table]:
    """The moves of a node, the choice, and the formulas."""
    known = [entry for entry in choice.ordered if says_something(entry, choice)]
    shown = known[:top]
    if shown:
        yield moves_table(choice, shown)
    if len(shown) < len(known):
        yield f"Not shown: {plural(len(known) - len(shown), 'move')} of lower score."
    rest = [entry.name for entry in choice.moves if not says_something(entry, choice)]
    if rest:
        listed = rest[:top]
        more = f" and {len(rest) - len(listed):,} more" if len(listed) < len(rest) else ""
        yield f"Not tried yet: {' '.join(listed)}{more}"
    if choice.reference is not None:
        yield f"AMAF values are those of node {choice.reference}."
    name = choice.chosen_name
    yield f"Chosen: {choice.why}." if name is None else f"Chosen: {name} ({choice.why})."
    formulas = [row for entry in shown for row in in_numbers(entry)]
    if formulas:
        yield Table(["move", "score in numbers"], formulas, align=["left", "prose"])


def says_something(entry: TracedMove, choice: Choice) -> bool:
    """Whether there are numbers to show of a move, or it is the chosen one."""
    counted = entry.visits or entry.amaf_visits or entry.proven or entry.waiting
    return bool(counted) or entry.formula != NOT_TRIED or entry.move == choice.chosen


def in_numbers(entry: TracedMove) -> Iterator[tuple[str, str]]:
    """The score of a move with its numbers filled in, and beta where that is a formula too."""
    if entry.formula != NOT_TRIED:
        yield entry.name, entry.formula
        if entry.beta_formula is not None and " = " in entry.beta_formula:
            yield "", f"beta = {entry.beta_formula}"


def moves_table(choice: Choice, entries: Sequence[TracedMove]) -> Table:
    """Everything that the choice went by."""

    def known(field: str) -> bool:
        return any(getattr(entry, field) for entry in entries)

    columns: list[tuple[str, Callable[[TracedMove], str]]] = [
        ("", lambda entry: CHOSEN if entry.move == choice.chosen else NOTHING),
        ("move", lambda entry: entry.name),
        ("n", lambda entry: f"{entry.visits:,}"),
        ("mean", lambda entry: number(entry.mean)),
    ]
    if any(entry.amaf_visits is not None for entry in entries):
        columns.append(("AMAF n", lambda entry: f"{entry.amaf_visits:,}"))
        columns.append(("AMAF", lambda entry: number(entry.amaf_mean)))
    if known("beta"):
        columns.append(("beta", lambda entry: short(entry.beta)))
    if known("exploration"):
        columns.append(("exploration", lambda entry: number(entry.exploration)))
    if any(entry.implicit is not None for entry in entries):
        columns.append(("minimax", lambda entry: number(entry.implicit)))
    if any(entry.prior is not None for entry in entries):
        columns.append(("prior", lambda entry: number(entry.prior)))
    columns.append(("score", lambda entry: number(entry.score)))
    if known("waiting"):
        columns.append(("waiting", lambda entry: f"{entry.waiting:,}"))
    if known("proven"):
        columns.append(("proven", lambda entry: entry.proven or NOTHING))
    chosen = [place for place, entry in enumerate(entries) if entry.move == choice.chosen]
    return Table(
        [heading for heading, _ in columns],
        [[text(entry) for _, text in columns] for entry in entries],
        keys=2,
        strong=chosen[0] if chosen else None,
    )


def ending(trace: Trace) -> Iterator[str]:
    """Where the descent ended, and the playout."""
    path = " ".join(trace.path)
    where = f"The descent ends after {path}" if path else "No move was chosen"
    yield f"{where}: {ENDED[trace.ended]}"
    if trace.playout:
        yield " ".join(playout_words(trace))
    yield f"Result: {result(trace)}."


def playout_words(trace: Trace) -> Iterator[str]:
    """The moves by name; who plays, at first and wherever the players do not alternate."""
    expected = None
    for ply in trace.playout:
        if ply.player is None or ply.name is None:
            yield f"code {ply.code}"
            continue
        if ply.player != expected:
            yield f"({'xo'[ply.player]})"
        yield ply.name
        expected = ply.player.other


def tallies(trace: Trace) -> Iterator[str | Table]:
    """Everything that was counted: moves in a table, codes in a list, which is long."""
    by_move = [change for change in trace.changes if change.kind in ("direct", "amaf")]
    several = any(entry.bands for choice in trace.descent for entry in choice.moves)
    # Visits and wins always; draws, and parts of real results, where there are some.
    more = [
        (place, heading)
        for place, heading in ((2, "draws"), (3, "parts"))
        if any(change.before[place] or change.after[place] for change in by_move)
    ]
    if by_move:
        yield Table(
            ["node", "move", "tally", "visits", "wins", *(heading for _, heading in more)],
            [
                (
                    str(change.node),
                    change.name,
                    tally_name(change, several),
                    *(step(change, place) for place in (0, 1, *(place for place, _ in more))),
                )
                for change in sorted(by_move, key=lambda change: change.node or 0)
            ],
            keys=3,
            caption="wins of the player to move at the node",
        )
    weighted = [change for change in trace.changes if change.kind == "weighted"]
    if weighted:
        rows = [(change.name, step(change, 0), step(change, 1)) for change in weighted]
        yield Table(["move", "weight", "points"], rows)
    for node in range(len(trace.descent)):
        found = [c for c in trace.changes if c.kind == "code" and c.node == node]
        if found:
            yield f"AMAF codes at node {node}, as points of x / visits: {code_words(found)}"
    found = [change for change in trace.changes if change.kind == "mast"]
    if found:
        yield f"Codes of the whole search (mast), as points of x / visits: {code_words(found)}"
    found = [change for change in trace.changes if change.kind == "implicit"]
    if found:
        backed_up = [(str(change.node), change.name, step(change, 0)) for change in found]
        yield Table(["node", "move", "minimax value"], backed_up, keys=2)
    for proof in trace.proofs:
        yield f"Proven now: at node {proof.node}, {proof.name} is a {proof.proven}."


def tally_name(change: Change, several: bool) -> str:
    """What a tally counts; with several AMAF tallies, which of them."""
    if change.kind == "direct":
        return "direct"
    return f"AMAF band {change.band}" if several else "AMAF"


def step(change: Change, place: int) -> str:
    """A number before and after, or just the number."""
    before, after = figure(change.before[place]), figure(change.after[place])
    return before if before == after else f"{before} -> {after}"


def code_words(found: Sequence[Change]) -> str:
    """Codes with their tallies, in a line."""

    def points(counts: tuple[float, ...]) -> str:
        return f"{figure(counts[1] + 0.5 * counts[2] + counts[3] / UNIT)}/{counts[0]}"

    return ", ".join(f"{c.code}: {points(c.before)} -> {points(c.after)}" for c in found)


def trace_text(trace: Trace) -> str:
    """All of it, as wide as stdout."""
    width = width_of()

    def prose(text: str) -> str:
        return wrapped(printable(visible(text)), width)

    blocks = [prose(title(trace))]
    for section in sections(trace):
        blocks.append(prose(f"\n{section.heading}\n"))
        blocks += [
            part.text(width) if isinstance(part, Table) else prose(part)
            for part in spaced(section.parts)
        ]
    return "\n".join(blocks)


def spaced(parts: Sequence[str | Table]) -> Iterator[str | Table]:
    """An empty line before a table that follows sentences."""
    for place, part in enumerate(parts):
        if place and isinstance(part, Table):
            yield ""
        yield part


def trace_html(trace: Trace) -> str:
    """Both boards, and every section as something to open: one element, nothing from elsewhere."""
    first = trace.descent[0].chosen
    start = trace.position.svg(arrows=[] if first is None else [first], size=240)
    parts = [
        f'<div><div style="font-weight:bold">{escape(title(trace))}</div>'
        f"<div>{escape(' '.join(trace.path))}: {escape(result(trace))}</div>"
        '<div style="display:flex;flex-wrap:wrap;gap:16px">'
        f"<div>{start}</div><div>{trace.leaf.svg(size=240)}</div></div>"
    ]
    for place, section in enumerate(sections(trace)):
        is_open = ' open="open"' if place == 0 else ""
        parts.append(f"<details{is_open}><summary>{escape(section.heading)}</summary>")
        parts += [part_html(part) for part in section.parts]
        parts.append("</details>")
    return "".join([*parts, "</div>"])


def part_html(part: str | Table) -> str:
    """A sentence or a table."""
    if isinstance(part, str):
        return f'<p style="max-width:50em;margin:4px 0">{escape(part)}</p>'
    return f'{html_table(part)}<div style="font-size:smaller">{escape(part.caption)}</div>'
