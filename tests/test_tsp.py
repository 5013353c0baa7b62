"""sylve.tsp: tours, files, heuristics, searches."""

from itertools import permutations
from math import sqrt
from pathlib import Path

import pytest

from sylve.tsp import METHODS, Tsp, exact, find_tour, nearest_neighbour, read_tsplib, two_opt

DATA = Path(__file__).parent / "data"


def test_tours() -> None:
    square = Tsp(((0, 0), (1, 0), (1, 1), (0, 1)))
    assert square.length((0, 1, 2, 3)) == 4
    assert square.length((0, 2, 1, 3)) == pytest.approx(2 + 2 * sqrt(2))
    with pytest.raises(ValueError, match=r"each of 4 cities once, not \[0, 1, 1, 3\]"):
        square.length((0, 1, 1, 3))
    with pytest.raises(ValueError, match="from 4 to 2500 cities, not 3"):
        Tsp(((0, 0), (1, 0), (1, 1)))
    assert Tsp.random(9, seed=2) == Tsp.random(9, seed=2) != Tsp.random(9, seed=3)


def test_tsplib() -> None:
    tsp = read_tsplib(DATA / "ring8.tsp")
    assert (tsp.name, tsp.cities, tsp.rounded) == ("ring8", 8, True)
    # Eight cities on a circle of radius 100: sides of 76.54, rounded to 77 each.
    assert tsp.length(range(8)) == 8 * 77
    assert exact(tsp) == 8 * 77


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("EUC_2D", "GEO"), "EDGE_WEIGHT_TYPE must be EUC_2D, not 'GEO'"),
        (("DIMENSION : 8", "DIMENSION : 9"), "DIMENSION is '9', but there are 8 cities"),
        (("3 0 100", "3 0"), "expected NUMBER X Y, not '3 0'"),
        (("3 0 100", "3 0 x"), "expected NUMBER X Y, not '3 0 x'"),
        (("3 0 100", "3 0 nan"), "expected NUMBER X Y, not '3 0 nan'"),
        (("TYPE : TSP", "what is this"), "expected KEY : VALUE, not 'what is this'"),
    ],
)
def test_bad_files(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    path = tmp_path / "bad.tsp"
    text = (DATA / "ring8.tsp").read_text()
    assert change[0] in text
    path.write_text(text.replace(*change))
    with pytest.raises(ValueError, match=message):
        read_tsplib(path)


def test_exact_is_the_shortest_of_all() -> None:
    for seed in range(3):
        tsp = Tsp.random(7, seed=seed)
        shortest = min(tsp.length((0, *rest)) for rest in permutations(range(1, 7)))
        assert exact(tsp) == pytest.approx(shortest)
    with pytest.raises(ValueError, match="at most 13 cities, not 14"):
        exact(Tsp.random(14))


def test_heuristics() -> None:
    for seed in range(5):
        tsp = Tsp.random(25, seed=seed)
        tour = nearest_neighbour(tsp)
        better = two_opt(tsp, tour)
        assert tsp.length(better) <= tsp.length(tour)
        # No two edges can be exchanged any more.
        for i in range(24):
            for j in range(i + 2, 25 if i else 24):
                other = (*better[: i + 1], *reversed(better[i + 1 : j + 1]), *better[j + 1 :])
                assert tsp.length(other) >= tsp.length(better) - 1e-9
    line = Tsp(((0, 0), (1, 0), (3, 0), (6, 0)))
    assert nearest_neighbour(line, start=1) == (1, 0, 2, 3)


@pytest.mark.parametrize("method", METHODS)
def test_searches(method: str) -> None:
    tsp = Tsp.random(12, seed=4)
    found = find_tour(tsp, method, 400, seed=5)
    assert found == find_tour(tsp, method, 400, seed=5)
    assert found.tour[0] == 0
    assert tsp.length(found.tour) == pytest.approx(found.length)
    assert found.playouts <= 400
    assert found.length < 0.75 * mean_random(tsp)
    more = [find_tour(tsp, method, n, seed=6).length for n in (50, 2000)]
    assert more[1] <= more[0]


def mean_random(tsp: Tsp) -> float:
    """The mean length of a random tour: every pair of cities is an edge equally often."""
    pairs = [d for i, row in enumerate(tsp.distances) for d in row[:i]]
    return tsp.cities * sum(pairs) / len(pairs)


def test_edge_codes_add_nothing_at_the_node_itself() -> None:
    """Only an ancestor knows a pair of cities from another order: RAVE is UCT, GRAVE is not."""
    tsp = Tsp.random(15, seed=2)
    plain, rave, grave = (
        find_tour(tsp, method, 1500, seed=3).tour
        for method in ("uct", "rave, edge codes", "grave, edge codes")
    )
    assert plain == rave
    assert plain != grave


def test_nested_search_and_nrpa_find_small_optima() -> None:
    tsp = Tsp.random(8, seed=11)
    for method in ("nested", "nrpa"):
        best = min(find_tour(tsp, method, 1500, seed=seed).length for seed in range(3))
        assert best == pytest.approx(exact(tsp))


def test_bad_calls() -> None:
    tsp = Tsp.random(10)
    with pytest.raises(ValueError, match="unknown method 'rave'"):
        find_tour(tsp, "rave")
    with pytest.raises(ValueError, match="at least the cities, 10, not 5"):
        find_tour(tsp, "flat", 5)
