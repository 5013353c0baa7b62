"""A search that lasts: look at it while it runs, stop it when it is sure, keep its tree."""

from sylve import Grave, Position, Searcher

if __name__ == "__main__":
    searcher = Searcher(Position.start("hex(size=7)"), Grave(seed=1))
    for report in searcher.stream(interval=0.1, playouts=200_000, confidence=0.95):
        best = report[report.best]
        print(f"{report.playouts:7} playouts: {best.name} {best.mean:.3f}")
    print(f"It stopped: {report.stopped}.")
    kept = searcher.advance(report.best)
    print(f"After {report.best_name}, {sum(m.visits for m in kept.moves)} visits are kept.")
