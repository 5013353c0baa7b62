"""Print the table of docs/play.md from the stores of this folder."""

from pathlib import Path

from sylve.arena.standings import Standings
from sylve.arena.store import Store

FOLDER = Path(__file__).parent
GAMES = ("connect_four", "othello", "breakthrough")


def rows() -> list[tuple[str, str, str, str, str]]:
    """Game, level, games, score against the level below in percent, its interval of 95 %."""
    found = []
    for game in GAMES:
        for name in (game, f"{game}_top"):
            place = FOLDER / f"{name}.sqlite"
            if not place.exists():
                continue
            store = Store.read(place)
            standings = Standings.of(store.config, store.played())
            names = store.config.names
            store.connection.close()
            for at in range(1, len(names)):
                pair = standings.between(at, at - 1)
                low, high = pair.interval
                level = names[at].removeprefix("level ")
                score, span = f"{100 * pair.score:.1f}", f"{100 * low:.0f} .. {100 * high:.0f}"
                found.append((game, level, str(pair.games), score, span))
    return found


if __name__ == "__main__":
    print("| game | level | games | score | 95 % |\n| --- | --- | --- | --- | --- |")
    for row in rows():
        print(f"| {' | '.join(row)} |")
