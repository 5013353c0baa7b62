"""What the tests of drawings need: the parts of an SVG text."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from sylve import Position
from sylve.drawing.draw import find_board

SVG = "{http://www.w3.org/2000/svg}"
SIX = ["tic_tac_toe", "breakthrough", "othello", "connect_four", "hex(size=5)", "go(size=9)"]


def parse(drawing: str) -> ET.Element:
    return ET.fromstring(drawing)


def texts(drawing: str) -> list[str]:
    return [element.text or "" for element in parse(drawing).iter(f"{SVG}text")]


def circles(drawing: str, **wanted: str) -> list[tuple[float, float]]:
    return [
        (float(element.attrib["cx"]), float(element.attrib["cy"]))
        for element in parse(drawing).iter(f"{SVG}circle")
        if all(element.get(key) == value for key, value in wanted.items())
    ]


def centre(position: Position, name: str, size: int = 400) -> tuple[float, float]:
    """Where a cell should be drawn, in two decimals."""
    x, y = find_board(position)(position, size).centre(position.game.find_cell(name))
    return round(x, 2), round(y, 2)


def points(element: ET.Element) -> list[tuple[float, float]]:
    pairs = (pair.split(",") for pair in element.attrib["points"].split())
    return [(float(x), float(y)) for x, y in pairs]
