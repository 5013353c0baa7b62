"""Cities in the plane, tours through all of them, and TSPLIB files (EUC_2D)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from io import StringIO
from math import sqrt
from pathlib import Path

from sylve.errors import quote
from sylve.inputs import read_number, read_text
from sylve.rng import Rng
from sylve.search.reference.arithmetic import uniform

LARGEST = 1 << 20  # bytes of a file
MOST_KEYS = 100
MOST_CITIES = 2500  # their distances take 200 MB


@dataclass(frozen=True)
class Tsp:
    """Cities by their coordinates. A tour is a tuple of all cities; it begins at city 0.

    >>> from sylve.tsp import Tsp
    >>> square = Tsp(((0, 0), (0, 1), (1, 1), (1, 0)))
    >>> square.length((0, 1, 2, 3))
    4.0
    """

    points: tuple[tuple[float, float], ...]
    rounded: bool = False
    """Whether distances are rounded to whole numbers, as TSPLIB does."""
    name: str = ""
    distances: tuple[tuple[float, ...], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 4 <= len(self.points) <= MOST_CITIES:
            raise ValueError(f"a tour has from 4 to {MOST_CITIES} cities, not {len(self.points)}")
        table = tuple(tuple(self._distance(a, b) for b in self.points) for a in self.points)
        object.__setattr__(self, "distances", table)

    def _distance(self, a: tuple[float, float], b: tuple[float, float]) -> float:
        length = sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2)
        return float(int(length + 0.5)) if self.rounded else length

    @classmethod
    def random(cls, cities: int, seed: int = 0) -> Tsp:
        """Cities drawn uniformly from the unit square."""
        rng = Rng.stream(seed, cities)
        points = tuple((uniform(rng), uniform(rng)) for _ in range(cities))
        return cls(points, name=f"random {cities}, seed {seed}")

    @property
    def cities(self) -> int:
        """How many."""
        return len(self.points)

    def length(self, tour: Sequence[int]) -> float:
        """The length of the closed tour."""
        if sorted(tour) != list(range(self.cities)):
            raise ValueError(f"a tour visits each of {self.cities} cities once, not {list(tour)}")
        distances = self.distances
        return sum(distances[a][b] for a, b in zip(tour, (*tour[1:], tour[0]), strict=True))


def read_tsplib(path: str | Path) -> Tsp:
    r"""Read a TSPLIB file with two-dimensional Euclidean distances.

    >>> from pathlib import Path
    >>> from sylve.tsp import read_tsplib
    >>> head = "NAME : four\nDIMENSION : 4\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n"
    >>> _ = Path("four.tsp").write_text(head + "1 0 0\n2 0 10\n3 10 10\n4 10 0\nEOF\n")
    >>> read_tsplib("four.tsp").cities
    4
    """
    header: dict[str, str] = {}
    lines = StringIO(read_text(path, LARGEST))
    for line in lines:
        word = line.strip()
        if word == "NODE_COORD_SECTION":
            break
        key, colon, value = word.partition(":")
        if word and not colon:
            raise ValueError(f"{path}: expected KEY : VALUE, not {quote(word)}")
        header[key.strip()] = value.strip()
        if len(header) > MOST_KEYS:
            raise ValueError(f"{path}: more than {MOST_KEYS} lines before NODE_COORD_SECTION")
    kind = header.get("EDGE_WEIGHT_TYPE")
    if kind != "EUC_2D":
        raise ValueError(f"{path}: EDGE_WEIGHT_TYPE must be EUC_2D, not {quote(kind or '')}")
    points = []
    for line in lines:
        parts = line.split(maxsplit=3)
        if not parts or parts[0] == "EOF":
            break
        try:
            _, x, y = parts
            point = (read_number(x), read_number(y))
        except ValueError:
            raise ValueError(f"{path}: expected NUMBER X Y, not {quote(line.strip())}") from None
        points.append(point)
        if len(points) > MOST_CITIES:
            raise ValueError(f"{path}: more than {MOST_CITIES} cities")
    wanted = header.get("DIMENSION", "")
    if wanted != str(len(points)):
        raise ValueError(
            f"{path}: DIMENSION is {quote(wanted)}, but there are {len(points)} cities"
        )
    return Tsp(tuple(points), rounded=True, name=header.get("NAME", Path(path).stem))
