"""Why a search chose a move: the estimates it went by, and how wrong AMAF is here."""

from sylve import Position, Rave, Uct, compare_estimates, search

if __name__ == "__main__":
    position = Position.start("breakthrough(columns=5, rows=5)").play_line("b2-b3 c4xb3")
    for how in (Uct(5000, seed=1), Rave(5000, seed=1)):
        report = search(position, how)
        print(report)
        print(report.explain())
    print(compare_estimates(position, playouts=20_000))
