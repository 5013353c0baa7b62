"""Do more simulations give better moves? At the start of Connect Four only the middle column wins.

python examples/more_simulations.py [SEEDS [LARGEST]]
"""

import sys
from dataclasses import replace

import sylve

SEARCHES = ("uct", "rave", "grave", "uct(playout=decisive, rule=ucb1(c=0.8))")


def count_right(text: str, seeds: int, budgets: list[int]) -> list[int]:
    """With how many seeds the search has chosen the middle column, after each budget."""
    right = [0] * len(budgets)
    for seed in range(seeds):
        how = replace(sylve.parse_search(text), seed=seed)
        searcher = sylve.Searcher(sylve.Position.start("connect_four"), how)
        for place, budget in enumerate(budgets):
            report = searcher.run(budget - searcher.report().playouts)
            right[place] += report.best_name == "4"
    return right


def main() -> None:
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    largest = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    budgets = [10**power for power in range(3, 8) if 10**power <= largest]
    print(f"Right choices with {seeds} seeds, after simulations:")
    print(f"{'':40}", *(f"{budget:>10,}" for budget in budgets))
    for text in SEARCHES:
        print(f"{text:40}", *(f"{right:>10}" for right in count_right(text, seeds, budgets)))


if __name__ == "__main__":
    main()
