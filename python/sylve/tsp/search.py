"""Monte Carlo searches for short tours, each with a number of playouts; the best tour seen counts.

A state is the tour so far, a move the next city. Flat, UCT, RAVE and GRAVE go move by move, with an
equal share of the playouts for each; nested search and NRPA are made for one player.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from math import exp, inf, log, sqrt
from typing import NamedTuple

from sylve.rng import Rng
from sylve.search.reference.arithmetic import uniform
from sylve.tsp.instance import Tsp

Tour = tuple[int, ...]
EXPLORATION = 0.2
REFERENCE = 20
"""Playouts that a node needs before its own AMAF table is used (GRAVE)."""
BIAS = 1e-5
"""Of the schedule of the course's slides."""


class Found(NamedTuple):
    """The best tour, its length, and the playouts spent."""

    tour: Tour
    length: float
    playouts: int


class OutOfPlayouts(Exception):
    """The budget is spent."""


class Walker:
    """What all searches share: playouts that are counted, and the best tour seen."""

    def __init__(self, tsp: Tsp, playouts: int, seed: int) -> None:
        self.tsp, self.budget, self.seed = tsp, playouts, seed
        self.used = 0
        self.best: Tour = ()
        self.shortest = inf
        self.longest = 0.0

    def stream(self) -> Rng:
        """The random numbers of the next playout."""
        if self.used >= self.budget:
            raise OutOfPlayouts
        self.used += 1
        return Rng.stream(self.seed, self.used)

    def finish(self, tour: list[int]) -> float:
        """Count a complete tour; its length."""
        distances = self.tsp.distances
        length = distances[tour[-1]][tour[0]]
        for a, b in pairwise(tour):
            length += distances[a][b]
        self.longest = max(self.longest, length)
        if length < self.shortest:
            self.shortest, self.best = length, tuple(tour)
        return length

    def playout(self, tour: list[int], rng: Rng) -> list[int]:
        """The tour, continued at random."""
        inside = set(tour)
        left = [city for city in range(self.tsp.cities) if city not in inside]
        for last in range(len(left) - 1, 0, -1):
            other = rng.below(last + 1)
            left[last], left[other] = left[other], left[last]
        return tour + left

    def reward(self, length: float) -> float:
        """0 for the longest tour seen so far, 1 for the shortest."""
        width = self.longest - self.shortest
        return (self.longest - length) / width if width > 0 else 0.5

    def moves(self, tour: list[int]) -> list[int]:
        """The cities left."""
        inside = set(tour)
        return [city for city in range(self.tsp.cities) if city not in inside]


class Node:
    """Sums of lengths, so that rewards can be scaled later; and AMAF sums by code."""

    __slots__ = ("amaf_sums", "amaf_visits", "children", "sums", "total", "visits")

    def __init__(self) -> None:
        self.total = 0
        self.visits: dict[int, int] = {}
        self.sums: dict[int, float] = {}
        self.children: dict[int, Node] = {}
        self.amaf_visits: dict[int, int] = {}
        self.amaf_sums: dict[int, float] = {}


Code = Callable[[int, int], int]


def city_code(origin: int, city: int) -> int:  # noqa: ARG001 (one signature for both)
    """Document 000's words: visiting city X, wherever from."""
    return city


def edge_code(cities: int) -> Code:
    """From one city to the other, in either direction."""
    return lambda origin, city: min(origin, city) * cities + max(origin, city)


def step_by_step(walker: Walker, think: Callable[[list[int], int], int]) -> None:
    """Go from city to city; each choice has its share of the playouts."""
    tour = [0]
    while True:
        moves = walker.moves(tour)
        if len(moves) == 1:
            return
        share = (walker.budget - walker.used) // (len(moves) - 1)
        tour.append(think(tour, max(share, 1)))


def flat(walker: Walker) -> None:
    """Equally many random tours for each next city; the shortest mean wins."""

    def think(tour: list[int], share: int) -> int:
        moves = walker.moves(tour)
        sums, visits = dict.fromkeys(moves, 0.0), dict.fromkeys(moves, 0)
        for number in range(share):
            move = moves[number % len(moves)]
            sums[move] += walker.finish(walker.playout([*tour, move], walker.stream()))
            visits[move] += 1
        return min(moves, key=lambda m: sums[m] / visits[m] if visits[m] else inf)

    step_by_step(walker, think)


def tree(walker: Walker, code: Code | None, reference: int | None) -> None:
    """UCT; with a code RAVE, and with a reference GRAVE. The tree is kept from step to step."""
    root = Node()

    def think(tour: list[int], share: int) -> int:
        nonlocal root
        for _ in range(share):
            simulate(walker, root, tour, code, reference)
        best = max(root.visits, key=lambda m: (root.visits[m], -root.sums[m] / root.visits[m]))
        root = root.children.get(best, Node())
        return best

    step_by_step(walker, think)


def simulate(
    walker: Walker, root: Node, start: list[int], code: Code | None, reference: int | None
) -> None:
    """One playout through the tree; a node is added where it leaves it."""
    tour, node, path, rng = list(start), root, [], walker.stream()
    source = root
    while True:
        moves = walker.moves(tour)
        if not moves:
            break
        if reference is None or node.total >= reference:
            source = node
        move = choose(walker, node, source, tour[-1], moves, code)
        path.append((node, tour[-1], move))
        tour.append(move)
        if move not in node.children:
            node.children[move] = Node()
            break
        node = node.children[move]
    before = len(start)
    tour = walker.playout(tour, rng)
    length = walker.finish(tour)
    codes = [] if code is None else [code(a, b) for a, b in pairwise(tour)]
    for depth, (place, _, move) in enumerate(path):
        place.total += 1
        place.visits[move] = place.visits.get(move, 0) + 1
        place.sums[move] = place.sums.get(move, 0.0) + length
        for seen in codes[before - 1 + depth :]:
            place.amaf_visits[seen] = place.amaf_visits.get(seen, 0) + 1
            place.amaf_sums[seen] = place.amaf_sums.get(seen, 0.0) + length


def choose(
    walker: Walker, node: Node, source: Node, here: int, moves: list[int], code: Code | None
) -> int:
    """The first maximum of value and exploration."""
    best, best_score = moves[0], -inf
    log_total = log(node.total) if node.total > 1 else 0.0
    for move in moves:
        n = node.visits.get(move, 0)
        value = walker.reward(node.sums[move] / n) if n else 0.0
        if code is not None:
            name = code(here, move)
            m = source.amaf_visits.get(name, 0)
            if m:
                beta = m / (n + m + BIAS * n * m) if n else 1.0
                value += beta * (walker.reward(source.amaf_sums[name] / m) - value)
            elif not n:
                return move
        elif not n:
            return move
        # A move that AMAF alone knows explores as one with one visit.
        score = value + EXPLORATION * sqrt(log_total / max(n, 1))
        if score > best_score:
            best, best_score = move, score
    return best


def nested(walker: Walker, level: int = 1) -> None:
    """Nested Monte Carlo search (Cazenave 2009), again and again until the playouts are spent."""

    def search(start: list[int], depth: int) -> tuple[list[int], float]:
        if depth == 0:
            tour = walker.playout(start, walker.stream())
            return tour, walker.finish(tour)
        tour, best, shortest = list(start), list(start), inf
        while len(tour) < walker.tsp.cities:
            for move in walker.moves(tour):
                found, length = search([*tour, move], depth - 1)
                if length < shortest:
                    best, shortest = found, length
            tour.append(best[len(tour)])
        return best, shortest

    while True:
        search([0], level)


def nrpa(walker: Walker, level: int = 2, alpha: float = 1.0) -> None:
    """Nested rollout policy adaptation (Rosin 2011), the iterations fitted to the playouts."""
    cities = walker.tsp.cities
    iterations = max(2, round(walker.budget ** (1 / level)))

    def rollout(policy: list[list[float]]) -> tuple[list[int], float]:
        rng, tour = walker.stream(), [0]
        left = list(range(1, cities))
        while left:
            row = policy[tour[-1]]
            weights = [exp(row[city]) for city in left]
            draw, index = uniform(rng) * sum(weights), 0
            while index < len(left) - 1 and draw >= weights[index]:
                draw -= weights[index]
                index += 1
            tour.append(left.pop(index))
        return tour, walker.finish(tour)

    def adapt(policy: list[list[float]], tour: list[int]) -> list[list[float]]:
        changed = [list(row) for row in policy]
        left = list(range(1, cities))
        for here, there in pairwise(tour):
            row = policy[here]
            weights = [exp(row[city]) for city in left]
            total = sum(weights)
            for city, weight in zip(left, weights, strict=True):
                changed[here][city] -= alpha * weight / total
            changed[here][there] += alpha
            left.remove(there)
        return changed

    def search(depth: int, policy: list[list[float]]) -> tuple[list[int], float]:
        if depth == 0:
            return rollout(policy)
        best, shortest = [0], inf
        for _ in range(iterations):
            found, length = search(depth - 1, policy)
            if length <= shortest:
                best, shortest = found, length
            policy = adapt(policy, best)
        return best, shortest

    while True:
        search(level, [[0.0] * cities for _ in range(cities)])


METHODS: dict[str, Callable[[Walker], None]] = {
    "flat": flat,
    "uct": lambda walker: tree(walker, None, None),
    "rave, city codes": lambda walker: tree(walker, city_code, None),
    "rave, edge codes": lambda walker: tree(walker, edge_code(walker.tsp.cities), None),
    "grave, edge codes": lambda walker: tree(walker, edge_code(walker.tsp.cities), REFERENCE),
    "nested": nested,
    "nrpa": nrpa,
}
"""The searches by name."""


def check_search(tsp: Tsp, method: str, playouts: int) -> None:
    """Refuse what `find_tour` cannot do, before anything runs."""
    if method not in METHODS:
        raise ValueError(f"unknown method {method!r}: expected one of: {'; '.join(METHODS)}")
    if not isinstance(playouts, int) or playouts < tsp.cities:
        raise ValueError(f"playouts must be at least the cities, {tsp.cities}, not {playouts!r}")


def find_tour(tsp: Tsp, method: str, playouts: int = 1000, *, seed: int = 0) -> Found:
    """The best tour that a search finds with so many playouts.

    >>> found = find_tour(Tsp.random(10, seed=1), "nrpa", 500, seed=1)
    >>> found.playouts, round(found.length, 3)
    (500, 3.03)
    """
    check_search(tsp, method, playouts)
    walker = Walker(tsp, playouts, seed)
    with suppress(OutOfPlayouts):
        METHODS[method](walker)
    return Found(walker.best, walker.shortest, walker.used)
