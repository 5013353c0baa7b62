"""The plots of a report, as SVG text: nothing is loaded from anywhere."""

from __future__ import annotations

from collections.abc import Sequence

from sylve.arena.statistics import Statistics
from sylve.markup import escape

WIDTH, LEFT, RIGHT = 720, 220, 40
ROW = 28
INK, GRID, MARK, BAND = "#222", "#ddd", "#1b6ca8", "#bcd7ea"


def rating_plot(rows: Sequence[tuple[str, float, float, float]]) -> str:
    """A dot and a bar for each player: (name, Elo, low, high)."""
    low = min((r[2] for r in rows), default=0.0)
    high = max((r[3] for r in rows), default=0.0)
    step = nice_step(high - low)
    start, end = step * (low // step), step * -(-high // step)
    height = ROW * len(rows) + 40

    def x(elo: float) -> float:
        return LEFT + (elo - start) / max(end - start, 1e-9) * (WIDTH - LEFT - RIGHT)

    parts = []
    mark = start
    while mark <= end + step / 2:
        parts.append(line(x(mark), 10, x(mark), height - 25, GRID))
        parts.append(words(x(mark), height - 8, f"{mark:+.0f}" if mark else "0", "middle"))
        mark += step
    for index, (name, elo, low_end, high_end) in enumerate(rows):
        y = 10 + ROW * (index + 0.5)
        parts.append(name_beside(LEFT - 12, y + 4, name))
        parts.append(line(x(low_end), y, x(high_end), y, MARK, 3))
        parts.append(f'<circle cx="{x(elo):.1f}" cy="{y:.1f}" r="5" fill="{MARK}"/>')
    return frame(height, "Ratings with 95 % intervals", parts)


def score_plot(points: Sequence[int]) -> str:
    """The score of the first player of a match after each pair, with its 95 % interval."""
    height, left, bottom = 260, 60, 30
    counts, rows = [0] * 5, []
    every = max(1, len(points) // 300)
    for index, half_points in enumerate(points, 1):
        counts[half_points] += 1
        if index % every == 0 or index == len(points):
            a, b, c, d, e = counts
            found = Statistics((a, b, c, d, e))
            rows.append((index, found.score, *found.interval))

    def x(pair: int) -> float:
        return left + pair / max(len(points), 1) * (WIDTH - left - RIGHT)

    def y(score: float) -> float:
        return 10 + (1 - score) * (height - bottom - 10)

    parts = []
    for tenth in range(0, 11, 2):
        parts.append(line(left, y(tenth / 10), WIDTH - RIGHT, y(tenth / 10), GRID))
        parts.append(words(left - 8, y(tenth / 10) + 4, f"{10 * tenth} %", "end"))
    above = " ".join(f"{x(n):.1f},{y(high):.1f}" for n, _, _, high in rows)
    below = " ".join(f"{x(n):.1f},{y(low):.1f}" for n, _, low, _ in reversed(rows))
    middle = " ".join(f"{x(n):.1f},{y(score):.1f}" for n, score, _, _ in rows)
    parts.append(f'<polygon points="{above} {below}" fill="{BAND}"/>')
    parts.append(line(left, y(0.5), WIDTH - RIGHT, y(0.5), INK))
    parts.append(f'<polyline points="{middle}" fill="none" stroke="{MARK}" stroke-width="2"/>')
    parts.append(words(WIDTH - RIGHT, height - 8, f"{2 * len(points)} games", "end"))
    return frame(height, "Score as the games came in, with its 95 % interval", parts)


def length_plot(lengths: Sequence[int]) -> str:
    """How many games had how many plies."""
    height, left, bottom, bins = 200, 60, 30, 24
    longest = max(lengths, default=1) or 1
    size = -(-(longest + 1) // bins)
    counts = [0] * (longest // size + 1)
    for plies in lengths:
        counts[plies // size] += 1
    most, wide = max(counts, default=1) or 1, (WIDTH - left - RIGHT) / len(counts)
    parts = []
    for index, count in enumerate(counts):
        tall = count / most * (height - bottom - 10)
        parts.append(
            f'<rect x="{left + index * wide + 1:.1f}" y="{height - bottom - tall:.1f}"'
            f' width="{max(wide - 2, 1):.1f}" height="{tall:.1f}" fill="{MARK}"/>'
        )
        if index % max(1, len(counts) // 8) == 0:
            parts.append(words(left + index * wide, height - 10, str(index * size), "start"))
    parts.append(words(left - 8, 16, str(most), "end"))
    parts.append(words(WIDTH - RIGHT, height - 10, "plies", "end"))
    return frame(height, "Games by their number of plies", parts)


def nice_step(span: float) -> float:
    """A round distance between marks: 1, 2 or 5 times a power of ten, about six of them."""
    step = 1.0
    while span / step > 8:
        step *= 2.5 if f"{step:g}".startswith("2") else 2
    return step


def name_beside(x: float, y: float, name: str) -> str:
    """A whole name beside a plot: one that is too long is set closer."""
    shown = escape(name)
    room, needed = x - 8, 7 * len(name)  # at 12 pixels a letter is about 7 wide
    closer = f' textLength="{room:.0f}" lengthAdjust="spacingAndGlyphs"' if needed > room else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="end"{closer}>{shown}</text>'


def line(x1: float, y1: float, x2: float, y2: float, colour: str, width: int = 1) -> str:
    """A straight line."""
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
        f' stroke="{colour}" stroke-width="{width}"/>'
    )


def words(x: float, y: float, text: str, anchor: str) -> str:
    """Text, as text: nothing in it is markup."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def frame(height: float, title: str, parts: Sequence[str]) -> str:
    """A whole drawing, with a name for those who cannot see it."""
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" role="img"'
        f' aria-label="{escape(title)}" font-size="12" fill="{INK}">{"".join(parts)}</svg>'
    )
