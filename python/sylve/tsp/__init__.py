"""The travelling salesman as a game for one player: what Monte Carlo search finds (docs/tsp.md).

instance.py    cities, tours, TSPLIB files
heuristics.py  nearest neighbour, 2-opt, and the exact optimum of small instances
search.py      flat, UCT, RAVE and GRAVE, nested search and NRPA, all at a number of playouts

>>> from sylve.tsp import METHODS
>>> list(METHODS)[:3]
['flat', 'uct', 'rave, city codes']
"""

from sylve.tsp.heuristics import exact, nearest_neighbour, two_opt
from sylve.tsp.instance import Tsp, read_tsplib
from sylve.tsp.search import METHODS, find_tour

__all__ = ["METHODS", "Tsp", "exact", "find_tour", "nearest_neighbour", "read_tsplib", "two_opt"]
