"""Playout policies: how a simulation goes on once it has left the tree."""

from sylve.search.reference.cut import cut
from sylve.search.reference.featured import featured
from sylve.search.reference.go_playouts import local, mogo
from sylve.search.reference.guided import bridge, mix
from sylve.search.reference.policies import Policy, decisive, mast, uniform, weighted

__all__ = [
    "Policy",
    "bridge",
    "cut",
    "decisive",
    "featured",
    "local",
    "mast",
    "mix",
    "mogo",
    "uniform",
    "weighted",
]
