"""Draw the pictures of this folder: `python docs/pictures/make.py`."""

from pathlib import Path

from sylve import Position

HERE = Path(__file__).parent


def even(position: Position) -> dict[int, float]:
    """Values from 0 to 1 in the order of the moves: every colour of the scale once."""
    last = max(1, len(position.moves) - 1)
    return {move: place / last for place, move in enumerate(position.moves)}


def main() -> None:
    """One picture a game, each with another kind of mark."""
    start = Position.start
    cross = start("tic_tac_toe").play_line("b2 a1 c3")
    pawns = start("breakthrough").play_line("b2-b3 d7-d6 b3-c4 d6-d5")
    discs = start("othello").play_line("f5 d6 c3 d3 c4 f4")
    drops = start("connect_four").play_line("4 4 5 3 4 2")
    hexes = start("hex(size=5)").play_line("c3 b4 d2 a5")
    stones = start("go(size=9)").play_line("E5 C3 G3 D7 F7 G5 E7 C6")
    pictures = {
        "tic_tac_toe": cross.svg(labels={move: cross.name(move) for move in cross.moves}),
        "breakthrough": pawns.svg(arrows=["c4xd5", "g2-g3"]),
        "othello": discs.svg(heat=even(discs)),
        "connect_four": drops.svg(heat=even(drops), labels={"7": "best"}),
        "hex": hexes.svg(heat=even(hexes)),
        "go": stones.svg(arrows=["E6", "G4"], labels={"C5": "1", "C4": "2"}),
    }
    for name, picture in pictures.items():
        (HERE / f"{name}.svg").write_text(picture)


if __name__ == "__main__":
    main()
