"""`expand`: at which visit a position gets its node."""

from __future__ import annotations

import dataclasses

import pytest

from sylve import Grave, Position, Rave, Uct, parse_search, search
from sylve.policies import cut
from sylve.priors import heuristic
from sylve.search.reference.searches import TreeSearch
from sylve.search.reference.tree import Tree

BREAKTHROUGH = Position.start("breakthrough(columns=5, rows=5)")
SEARCHES: list[TreeSearch] = [
    Uct(300, seed=3, transpositions=False),
    Rave(300, seed=3, transpositions=False),
    Grave(300, seed=3, reference=10, transpositions=False),
    Uct(300, seed=3, transpositions=False, implicit=0.6, prior=heuristic(), playout=cut(2)),
]
searches = pytest.mark.parametrize("how", SEARCHES, ids=lambda how: str(how)[:60])
engines = pytest.mark.parametrize("engine", ["python", "rust"])


@searches
@engines
def test_with_one_each_simulation_makes_one_node(how: TreeSearch, engine: str) -> None:
    # So few that no descent comes to the end of the game.
    how = dataclasses.replace(how, playouts=20, expand=1)
    report = search("breakthrough", how, engine=engine)
    assert (report.playouts, report.nodes) == (20, 21)


@searches
@pytest.mark.parametrize("expand", [2, 3, 7])
def test_a_node_is_made_at_that_visit(how: TreeSearch, expand: int) -> None:
    tree = Tree(BREAKTHROUGH, dataclasses.replace(how, expand=expand))
    for _ in range(300):
        visits = [tally.visits for tally in tree.root.tallies]
        nodes = tree.node_count
        tree.run(1)
        changed = [tally.visits for tally in tree.root.tallies]
        (chosen,) = (place for place in range(len(visits)) if visits[place] != changed[place])
        if changed[chosen] < expand:
            assert tree.node_count == nodes
        if changed[chosen] == expand:
            assert tree.node_count == nodes + 1


@engines
def test_more_visits_make_fewer_nodes(engine: str) -> None:
    nodes = [search(BREAKTHROUGH, Uct(500, expand=expand), engine=engine).nodes
             for expand in (1, 2, 4, 16, 1000)]  # fmt: skip
    assert nodes == sorted(nodes, reverse=True)
    assert len(set(nodes)) == len(nodes)
    assert nodes[-1] == 1


def test_bad_numbers() -> None:
    for expand in (0, -1, 1.5, True, 1_000_001):
        with pytest.raises(
            ValueError, match="uct: expand must be a whole number from 1 to 1000000"
        ):
            Uct(expand=expand)  # type: ignore[arg-type]
    assert parse_search("uct(9, expand=4)") == Uct(9, expand=4)
