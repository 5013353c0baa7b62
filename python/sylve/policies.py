"""Playout policies: how a simulation goes on once it has left the tree."""

from sylve.search.reference.policies import Policy, decisive, mast, uniform, weighted

__all__ = ["Policy", "decisive", "mast", "uniform", "weighted"]
