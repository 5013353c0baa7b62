"""One look for all figures: Okabe and Ito's colours, which colour-blind people can tell apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from sylve.arena.statistics import Statistics
    from sylve.lab.statistics import Interval

COLOURS = (
    "#0072B2",  # blue
    "#D55E00",  # vermilion
    "#009E73",  # green
    "#CC79A7",  # purple
    "#E69F00",  # orange
    "#56B4E9",  # sky
    "#000000",  # black
    "#8C8C8C",  # grey
    "#7A4B00",  # brown
    "#9A9A00",  # olive
)
MARKERS = "osD^vP*Xph"
"""A form beside each colour: prints are grey."""
SETTINGS: dict[str, Any] = {
    "svg.hashsalt": "sylve",  # the same bytes each time
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",  # comes with matplotlib
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,  # bars are not crossed out
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "legend.frameon": False,
    "legend.fontsize": 8,
    "lines.linewidth": 1.4,
    "lines.markersize": 4,
    "errorbar.capsize": 2,
    "figure.constrained_layout.use": True,
}


def panels(
    rows: int = 1, columns: int = 1, width: float = 0.0, height: float = 0.0
) -> tuple[Figure, list[Any]]:
    """A figure and its axes, always as a list, row by row."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width or 4.6 * columns, height or 3.4 * rows))
    axes = figure.subplots(rows, columns, squeeze=False)
    return figure, [axis for line in axes for axis in line]


def draw(make: Callable[[], Figure]) -> dict[str, bytes]:
    """The figure as SVG and PNG: the same bytes for the same data."""
    from io import BytesIO

    from matplotlib import rc_context

    files = {}
    with rc_context(SETTINGS):
        figure = make()
        for axis in figure.axes:
            tidy(axis)
        for kind, metadata in (
            ("svg", {"Date": None, "Creator": None}),
            ("png", {"Software": None}),
        ):
            buffer = BytesIO()
            figure.savefig(buffer, format=kind, metadata=metadata, dpi=150)
            files[kind] = buffer.getvalue()
    return files


def tidy(axis: Axes) -> None:
    """Logarithmic axes name whole powers only: between them the names would overlap."""
    from matplotlib.ticker import NullFormatter

    for scale in (axis.xaxis, axis.yaxis):
        if scale.get_scale() == "log":
            low, high = scale.get_view_interval()
            if high / low > 10:
                scale.set_minor_formatter(NullFormatter())


def line(axis: Axes, number: int, x: Any, y: Any, label: str | None = None, **more: Any) -> None:
    """A line with the colour and marker of its number; `low` and `high` draw its interval."""
    colour = COLOURS[number % len(COLOURS)]
    low, high = more.pop("low", None), more.pop("high", None)
    if low is not None:
        axis.fill_between(x, low, high, color=colour, alpha=0.15, linewidth=0)
    settings = {"color": colour, "marker": MARKERS[number % len(MARKERS)], **more}
    axis.plot(x, y, label=label, **settings)


def curve(
    axis: Axes, number: int, x: Any, found: Sequence[Interval], label: str | None = None,
    least: float = -inf, most: float = inf,
) -> None:  # fmt: skip
    """A line of estimates with their intervals, which are drawn from `least` to `most`."""
    low, high = [max(least, f.low) for f in found], [min(most, f.high) for f in found]
    line(axis, number, x, [f.value for f in found], label, low=low, high=high)


def score(
    axis: Axes, place: float, found: Statistics, *, upright: bool = False, **settings: Any
) -> None:
    """The score of a match in points of a hundred, with its interval; `upright`: upwards."""
    low, high = found.interval
    ends, value = [[100 * (found.score - low)], [100 * (high - found.score)]], [100 * found.score]
    settings = {"fmt": "o", "color": COLOURS[0], **settings}
    if upright:
        axis.errorbar([place], value, yerr=ends, **settings)
    else:
        axis.errorbar(value, [place], xerr=ends, **settings)
