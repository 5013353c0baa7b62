"""SVG text: shapes, numbers and escaped text. Nothing here knows about games.

The unit is one pixel of the finished picture. There are no ids, so that several drawings can stand
in one page, and no scripts, fonts or pictures from elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable

from sylve.markup import escape

Point = tuple[float, float]

FONT = "system-ui, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial, sans-serif"
FIXED_FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"


def number(value: float) -> str:
    """Two decimals are a hundredth of a pixel; no trailing zeros, no minus zero."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class Canvas:
    """A picture that grows by one element at a time. Attributes: `stroke_width=2`."""

    def __init__(self) -> None:
        self.elements: list[str] = []

    def add(self, tag: str, content: str, /, **attributes: float | str) -> None:
        """Any element; `content` is the text in it."""
        words = [tag]
        for key, value in attributes.items():
            written = escape(value) if isinstance(value, str) else number(value)
            words.append(f'{key.replace("_", "-")}="{written}"')
        inside = f">{escape(content)}</{tag}>" if content else "/>"
        self.elements.append(f"<{' '.join(words)}{inside}")

    def circle(self, centre: Point, radius: float, **paint: float | str) -> None:
        """A circle."""
        self.add("circle", "", cx=centre[0], cy=centre[1], r=radius, **paint)

    def rectangle(self, corner: Point, width: float, height: float, **paint: float | str) -> None:
        """A rectangle from its top left corner."""
        self.add("rect", "", x=corner[0], y=corner[1], width=width, height=height, **paint)

    def line(self, points: Iterable[Point], **paint: float | str) -> None:
        """Lines from point to point."""
        self.add("polyline", "", points=_points(points), fill="none", **paint)

    def polygon(self, points: Iterable[Point], **paint: float | str) -> None:
        """A closed shape."""
        self.add("polygon", "", points=_points(points), **paint)

    def text(self, middle: Point, text: str, height: float, **paint: float | str) -> None:
        """One line of text around a point."""
        # 0.35 of the height from the middle of a capital to its foot, in the usual fonts: asking
        # for it by dominant-baseline is not understood by every program.
        style: dict[str, float | str] = {"text_anchor": "middle", **paint}
        self.add("text", text, x=middle[0], y=middle[1] + 0.35 * height, font_size=height, **style)

    def svg(self, width: float, height: float, title: str) -> str:
        """The whole picture."""
        w, h, name = number(width), number(height), escape(title)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" '
            f'viewBox="0 0 {w} {h}" role="img" aria-label="{name}" font-family="{FONT}">'
        )
        return "\n".join([head, f"<title>{name}</title>", *self.elements, "</svg>\n"])


def text_width(text: str, height: float) -> float:
    """About how wide text is: 0.6 of its height a character, as digits are in the usual fonts."""
    return 0.6 * height * len(text)


def fitting_height(text: str, height: float, width: float) -> float:
    """The height at which text is no wider than `width`, at most `height`."""
    return min(height, width / text_width(text, 1)) if text else height


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)
