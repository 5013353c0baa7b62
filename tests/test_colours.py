"""Whatever reads a colour takes it as the board shows it, too."""

from __future__ import annotations

import pytest

from sylve import Position
from sylve.cli import main
from sylve.gtp.board import Board
from sylve.gtp.protocol import Refusal
from sylve.records import InvalidRecord, read_record
from sylve.records.record import read_player

FIRST = {"othello": ("x", "X", "b", "B", "black", "Black", "first", "FIRST"),
         "breakthrough": ("x", "X", "w", "W", "white", "White", "first", "FIRST")}  # fmt: skip
SECOND = {"othello": ("o", "O", "w", "W", "white", "White", "second", "Second"),
          "breakthrough": ("o", "O", "b", "B", "black", "Black", "second", "Second")}  # fmt: skip
TABLE = [
    (game, word, player)
    for player, words in enumerate((FIRST, SECOND))
    for game, listed in words.items()
    for word in listed
]


@pytest.mark.parametrize(("game", "word", "player"), TABLE)
def test_every_word_for_a_player(game: str, word: str, player: int) -> None:
    start = Position.start(game)
    assert read_player(start, word) == player
    board = Board(start.game)  # type: ignore[arg-type]
    assert board.player(board.read_colour(word)) == player
    mark = sgf_mark(game)
    head = f"GM[{mark}]SZ[8]"
    if game == "breakthrough" and player == 1:  # understood, and refused by the rules
        with pytest.raises(InvalidRecord, match="they have not taken turns"):
            read_record(f"(;{head}PL[{word}])")
    else:
        assert read_record(f"(;{head}PL[{word}])").opening.turn == player
    assert read_record(f"(;{head}RE[{word}+R])").result == f"{'xo'[player]}+R"


def sgf_mark(game: str) -> str:
    from sylve.records.sgf_names import GAMES

    return next(mark for mark, name in GAMES.items() if name == game)


@pytest.mark.parametrize("word", ["", "green", "xo", "1", "bw", "\u00d7"])
def test_other_words_name_nobody(word: str) -> None:
    start = Position.start("othello")
    assert read_player(start, word) is None
    with pytest.raises(Refusal, match="expected a colour"):
        Board(start.game).read_colour(word)  # type: ignore[arg-type]
    assert read_record(f"(;GM[2]SZ[8]RE[{word}+R])").result == ""
    if word:
        with pytest.raises(InvalidRecord, match="is no player"):
            read_record(f"(;GM[2]SZ[8]PL[{word}])")


@pytest.mark.parametrize("word", ["x", "X", "o", "O", "*"])
def test_the_side_of_a_board_in_ggf(word: str) -> None:
    rows = " ".join(["-" * 8] * 3 + ["---O*---", "---*O---"] + ["-" * 8] * 3)
    record = read_record(f"(;GM[Othello]TY[8]BO[8 {rows} {word}];)")
    assert record.opening.turn == (word in "oO")


@pytest.mark.parametrize(
    ("option", "seats"),
    [("--first", "human v one_ply"), ("--x", "human v one_ply"),
     ("--second", "one_ply v human"), ("--o", "one_ply v human")],
)  # fmt: skip
def test_the_sides_of_play(
    option: str,
    seats: str,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = tmp_path_factory.mktemp("play") / "game.json"
    words = ["sylve", "play", "tic_tac_toe", "--how", "one_ply", option, "--record", str(place)]
    monkeypatch.setattr("sys.argv", words)
    monkeypatch.setattr("builtins.input", end_of_input)
    with pytest.raises(SystemExit) as leaving:
        main()
    assert leaving.value.code == 0
    assert " v ".join(read_record(place.read_text()).players) == seats


def end_of_input(prompt: str) -> str:
    raise EOFError(prompt)
