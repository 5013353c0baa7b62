"""Colours: the scale of values, mixing, and what can be read on what."""

from __future__ import annotations

MARK = "#d9480f"  # vermilion: not on the scale, and told apart from it with any colour vision
LAST = "#ffd43b"
DARK, LIGHT = "#1c1c1c", "#fcfcfa"

# The scale "viridis" (Smith and van der Walt, 2015; public domain) at nine even steps: its
# lightness rises evenly, so that it can be read without seeing red or green, and in grey.
SCALE = (
    "#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30",
    "#fde725",
)  # fmt: skip


def channels(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of `#rrggbb`, 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(one: str, other: str, share: float) -> str:
    """The colour that has `share` of the other in it; 0 is the one, 1 the other."""
    pairs = zip(channels(one), channels(other), strict=True)
    return "#" + "".join(f"{round(a + share * (b - a)):02x}" for a, b in pairs)


def heat_colour(value: float) -> str:
    """The colour of a value from 0 to 1."""
    at = value * (len(SCALE) - 1)
    step = min(int(at), len(SCALE) - 2)
    return mix(SCALE[step], SCALE[step + 1], at - step)


def luminance(colour: str) -> float:
    """How light a colour is, 0 to 1 (WCAG 2 relative luminance)."""
    weights = (0.2126, 0.7152, 0.0722)
    total = 0.0
    for weight, channel in zip(weights, channels(colour), strict=True):
        share = channel / 255
        total += weight * (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4)
    return total


def contrast(one: str, other: str) -> float:
    """WCAG 2 contrast: 1 for equal colours, 21 for black on white."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def ink_on(colour: str) -> str:
    """Dark or light, whichever reads better on a colour."""
    return max((DARK, LIGHT), key=lambda ink: contrast(ink, colour))
