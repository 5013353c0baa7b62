"""What the shell offers after Tab: games, searches, players, experiments.

`sylve --install-completion` installs it. Each function is asked with what was typed so far.
"""

from __future__ import annotations

from collections.abc import Iterable


def beginning(names: Iterable[str], typed: str) -> list[str]:
    """The names that begin with what was typed."""
    return [name for name in names if name.startswith(typed)]


def games(incomplete: str) -> list[str]:
    """The games."""
    from sylve.games import GAMES

    return beginning(GAMES, incomplete)


def searches(incomplete: str) -> list[str]:
    """The searches, for --how."""
    from sylve.search.text import ALPHA_BETA, SEARCHES

    return beginning([*SEARCHES, *ALPHA_BETA], incomplete)


def simulations(incomplete: str) -> list[str]:
    """The searches that make simulations, for `trace --how`."""
    from sylve.search.text import SEARCHES

    return beginning(SEARCHES, incomplete)


def players(incomplete: str) -> list[str]:
    """The players of a match."""
    from sylve.arena.players import OTHERS
    from sylve.search.text import SEARCHES

    return beginning([*SEARCHES, *OTHERS], incomplete)


def experiments(incomplete: str) -> list[str]:
    """The experiments of the lab."""
    from sylve.lab.experiment import NAMES

    return beginning(NAMES, incomplete)


def rules(incomplete: str) -> list[str]:
    """The rules of bandits."""
    from sylve.search.text import RULES

    return beginning(RULES, incomplete)


def tour_searches(incomplete: str) -> list[str]:
    """The searches for tours."""
    from sylve.tsp import METHODS

    return beginning(METHODS, incomplete)


def evaluations(incomplete: str) -> list[str]:
    """The evaluations of all games."""
    from sylve.evaluations import EVALUATIONS

    names = {name for names in EVALUATIONS.values() for name in names}
    return beginning(sorted(names), incomplete)


def ways(incomplete: str) -> list[str]:
    """The ways to use threads."""
    from sylve.search.running.runner import WAYS

    return beginning(WAYS, incomplete)


def executors(incomplete: str) -> list[str]:
    """Where games are played."""
    return beginning(["local", "dask", "dask:"], incomplete)
