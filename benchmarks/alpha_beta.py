"""Alpha-beta by depth: positions visited and seconds of CPU, one thread, the best of three runs.

python benchmarks/alpha_beta.py [GAME] [LAST DEPTH]
"""

import sys
from time import process_time

from sylve import AlphaBeta, AlphaBetaReport, Position, search


def main() -> None:
    game = sys.argv[1] if len(sys.argv) > 1 else "othello"
    last = int(sys.argv[2]) if len(sys.argv) > 2 else 13
    print(f"{game} from the start\ndepth      nodes  seconds  million/s    score  best")
    for depth in range(1, last + 1):
        seconds = []
        for _ in range(3):
            began = process_time()
            report = search(Position.start(game), AlphaBeta(depth))
            seconds.append(process_time() - began)
        assert isinstance(report, AlphaBetaReport)
        best = min(seconds)
        speed = report.nodes / best / 1e6
        print(
            f"{depth:5} {report.nodes:10,} {best:8.3f} {speed:10.2f} {report.score:8,}"
            f"  {report.best_name}"
        )


if __name__ == "__main__":
    main()
