"""What people use instead: nearest neighbour and 2-opt; and the optimum, where it is small."""

from __future__ import annotations

from itertools import combinations

from sylve.tsp.instance import Tsp

Tour = tuple[int, ...]
EXACT_CITIES = 13


def nearest_neighbour(tsp: Tsp, start: int = 0) -> Tour:
    """Always on to the nearest city left; the first of equal ones.

    >>> from sylve.tsp import Tsp, nearest_neighbour
    >>> nearest_neighbour(Tsp.random(6, seed=1))
    (0, 3, 4, 2, 1, 5)
    """
    left = [city for city in range(tsp.cities) if city != start]
    tour = [start]
    while left:
        row = tsp.distances[tour[-1]]
        nearest = min(left, key=lambda city: row[city])
        left.remove(nearest)
        tour.append(nearest)
    return tuple(tour)


def two_opt(tsp: Tsp, tour: Tour) -> Tour:
    """Reverse parts of the tour as long as that makes it shorter (Croes 1958).

    >>> from sylve.tsp import Tsp, nearest_neighbour, two_opt
    >>> tsp = Tsp.random(10, seed=3)
    >>> first = nearest_neighbour(tsp)
    >>> round(tsp.length(first), 3), round(tsp.length(two_opt(tsp, first)), 3)
    (3.28, 3.15)
    """
    found, d, n = list(tour), tsp.distances, tsp.cities
    improved = True
    while improved:
        improved = False
        for i in range(n - 1):
            for j in range(i + 2, n if i else n - 1):
                a, b, c, e = found[i], found[i + 1], found[j], found[(j + 1) % n]
                if d[a][c] + d[b][e] < d[a][b] + d[c][e] - 1e-12:
                    found[i + 1 : j + 1] = reversed(found[i + 1 : j + 1])
                    improved = True
    return tuple(found)


def exact(tsp: Tsp) -> float:
    """The length of the shortest tour, by dynamic programming (Held and Karp 1962).

    >>> from sylve.tsp import Tsp, exact
    >>> round(exact(Tsp.random(8, seed=3)), 3)
    2.048
    """
    n, d = tsp.cities, tsp.distances
    if n > EXACT_CITIES:
        raise ValueError(f"exact: at most {EXACT_CITIES} cities, not {n}")
    best: dict[tuple[int, int], float] = {(1 << k, k): d[0][k] for k in range(1, n)}
    for size in range(2, n):
        for subset in combinations(range(1, n), size):
            mask = sum(1 << city for city in subset)
            for last in subset:
                before = mask ^ (1 << last)
                best[mask, last] = min(
                    best[before, city] + d[city][last] for city in subset if city != last
                )
    everything = (1 << n) - 2
    return min(best[everything, last] + d[last][0] for last in range(1, n))
