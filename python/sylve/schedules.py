"""Schedules of RAVE: beta, the weight of AMAF, as a function of the visits."""

from sylve.search.reference.schedules import Schedule, bias, course, fixed, hand, mse, slides

__all__ = ["Schedule", "bias", "course", "fixed", "hand", "mse", "slides"]
