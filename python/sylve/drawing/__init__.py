"""Drawings of positions as SVG, one file per kind of board."""
