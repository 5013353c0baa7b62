"""Schedules of RAVE: beta, the weight of AMAF, as a function of the visits."""

from sylve.search.reference.schedules import (
    Schedule,
    bias,
    course,
    fixed,
    hand,
    mse,
    pooled,
    slides,
)
from sylve.search.reference.tally import Tally

__all__ = ["Schedule", "Tally", "bias", "course", "fixed", "hand", "mse", "pooled", "slides"]
