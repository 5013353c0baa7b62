"""Bandit rules: which move gets the next simulation. docs/searches.md tells when to use which."""

from sylve.search.reference.arithmetic import ln_of
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
from sylve.search.reference.tally import Tally

__all__ = [
    "Index",
    "Rule",
    "Tally",
    "bayes",
    "decaying_epsilon",
    "discounted",
    "epsilon",
    "ln_of",
    "thompson",
    "tuned",
    "ucb1",
]
