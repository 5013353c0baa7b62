"""Priors: what the moves of a new node begin with. docs/searches.md tells when to use which."""

from sylve.search.reference.priors import Prior, heuristic, preferred

__all__ = ["Prior", "heuristic", "preferred"]
