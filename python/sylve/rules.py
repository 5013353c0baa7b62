"""Bandit rules: which move gets the next simulation. docs/searches.md tells when to use which."""

from sylve.search.reference.rules import (
    Index,
    Rule,
    bayes,
    decaying_epsilon,
    discounted,
    epsilon,
    thompson,
    tuned,
    ucb1,
)

__all__ = [
    "Index",
    "Rule",
    "bayes",
    "decaying_epsilon",
    "discounted",
    "epsilon",
    "thompson",
    "tuned",
    "ucb1",
]
