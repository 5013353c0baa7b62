"""Drawings of positions as SVG, one file per kind of board."""

from sylve.drawing.draw import draw_position

__all__ = ["draw_position"]
