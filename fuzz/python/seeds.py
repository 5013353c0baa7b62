"""Where the fuzzer begins: small good inputs, and the words that it may put together."""

import json
from collections.abc import Callable

from sylve import Position, Uct, search
from sylve.records import Record, write_record
from sylve.search.running.in_python import Reference

from checks import HOW, START  # isort: skip

LINES = {
    "tic_tac_toe": "b2 a1 c3",
    "othello(size=6)": "c2",
    "connect_four": "4 4 5 3",
    "hex(size=3, swap=true)": "a1 swap-pieces b2",
    "go(size=5, komi=0.5)": "C3 pass D4",
    "breakthrough(columns=4, rows=5)": "a2-a3 b4-b3",
}
GRAMMAR = [
    "hex(size=5)", "go(size=5, komi=-0.5)", "breakthrough(columns=4, rows=6)", "othello(size=6)",
    'uct(1_000, c=sqrt2, playout=weighted(weights="3:10 7:0 b2=5"), solver=true)',
    "random(plies=4)", "rave(9, schedule=fixed(0.5))",
    "rave(100, schedule=slides(1e-5), update=suffix)", 'multi_scale_rave(9, bands="2 8")',
    "alpha_beta(depth=3, evaluation=weighted)", "ucb(rule=epsilon(.5))", 'file("name")',
    "grave(10, reference=50, schedule=mse, seconds=0.5, seed=3)",
    "f(1, true, none, x=g(h(-2.5e3)))",
]  # fmt: skip
TOML = [
    'game = "hex(size=5)"\ngames = 4\nseed = 3\n[players]\na = "uct(10)"\nb = "random"\n',
    'game = "go(size=5)"\nplayers = ["rave(9)", "solver(10, otherwise=uct(9))"]\ngames = 2\n'
    'format = "match"\nopenings = "random(plies=2)"\nclock = "60+0.5"\nresign = 0.1\n'
    'max_plies = 100\nstore = "x.sqlite"\n',
    'game = "othello"\nplayers = ["gtp(\\"gnugo --mode gtp\\", name=\\"g\\")", "random"]\n'
    "games = 2\nadjudicate = 100\nclock = 5\n",
]
ENGINE = [
    b"\x07=1 name\n\n",
    b"\x00=1 a\r\n b\t c\n\n",
    b"\xff?1 no\n\n",
    b"\x03\n\n=2 x\n\n",
    b"\x01=1\n\n=2\n\n",
]
GTP = [
    "1 boardsize 3\nclear_board\nplay b b2\nshowboard\nundo\ngg-undo 1\n",
    "set_game go(size=5)\nkomi 5.5\nfixed_handicap 2\nplay w c3\nfinal_score\nlegal_moves w\n",
    "set_position tic_tac_toe .../.x./... o\nis_legal w a1\ngogui-play_sequence w a1 b c3\n",
    "time_settings 60 10 5\ntime_left b 30 0\nfinal_status_list alive\nset_free_handicap A1 B2\n",
    "set_game hex(size=3, swap=true)\nplay b a1\nplay w swap-pieces\nsylve-position\n",
]


def records() -> list[Record]:
    """A short game of each kind, and one with an analysis."""
    found = [Record(Position.start(game), played(game, line)) for game, line in LINES.items()]
    start = Position.start("tic_tac_toe")
    rich = Record(
        start, (4,), players=("A", "B"), result="x+R", date="2026", event="e", comment="c]"
    )
    found.append(rich)
    found.append(Record(start, (), analysis={0: search(start, Uct(20, seed=1))}))
    found.append(Record(Position.parse("go(size=5)", "...../.x.../...../...../..... o - 1"), ()))
    return found


def played(game: str, line: str) -> tuple[int, ...]:
    """The moves of a line."""
    return Position.start(game).play_line(line).played


def in_form(form: str) -> list[bytes]:
    """The records in a form."""
    return [
        write_record(record, form).encode()
        for record in records()
        if form != "ggf" or "othello" in str(record.opening.game)
    ]


def saved() -> list[bytes]:
    """A header, and the body of a search."""
    runner = Reference(START, HOW)
    runner.run(12)
    header = {
        "search": "uct(40, seed=5)", "threads": 1, "parallel": "tree", "memory": None,
        "seconds": 0.5, "stopped": "playouts", "engine": "python", "game": "tic_tac_toe",
        "origin": None, "played": [4], "moves": [0, 1, 2, 3, 5, 6, 7, 8],
    }  # fmt: skip
    return [json.dumps(header).encode(), b"{}\xff\xff" + runner.save()]


SGF = [
    b"(;GM[1]FF[4]SZ[9]KM[6.5]HA[2]PW[white \\] one]AB[gc][cg]RE[W+Resign];W[ee]C[a \\\nb]"
    b"(;B[tt])(;B[]))",
    b"(;AB[aa:bb]AW[ss]PL[B];W[cc];B[dd])",
    b"(;FF[4]GM[11]SZ[5]PB[A];B[A3];W[swap-pieces];B[d3];W[resign])",
]
GGF = [
    b"(;GM[Othello]TY[8]RE[+4.000:r]BO[8 -------- -------- -------- ---O*--- ---*O--- --------"
    b" -------- -------- *]B[d3//0.01]W[c3];)",
    b"(;GM[Othello]TY[6]B[C2]W[B2];)",
]
SEEDS: dict[str, Callable[[], list[bytes]]] = {
    "sgf": lambda: SGF + in_form("sgf"),
    "ggf": lambda: GGF + in_form("ggf"),
    "json": lambda: in_form("json"),
    "moves": lambda: in_form("moves"),
    "grammar": lambda: [text.encode() for text in GRAMMAR],
    "toml": lambda: [text.encode() for text in TOML],
    "store": lambda: [b"\0\0\x10\xff", b"\0\x01\0\x05\0\x12\x34\x01", b"\x80"],
    "engine": lambda: ENGINE,
    "saved": saved,
    "gtp": lambda: [text.encode() for text in GTP],
}
WORDS: dict[str, str] = {
    "sgf": "(; ;) B[ ;W[ AB[ AW[ AE[ PL[ SZ[ GM[ KM[ RE[ SYLVE[ C[ aa:bb swap-pieces resign \\]",
    "ggf": "(;GM[Othello] BO[ TY[ RE[ B[ W[ CO[ ;) // PA -0.000 :r",
    "json": '{" ": ," [] {} "moves": "analysis": "position": "players": null 1e5 -1 \\ud800',
    "moves": "# game: position: result: first: pass swap-pieces a1 b2-b3",
    "grammar": "uct rave grave ucb( alpha_beta( hex( go( size= komi= playouts= schedule= rule= c="
    " playout= weighted( slides hand( sqrt2 true none 1e 0.5 solver= seconds= memory= batch=",
    "toml": 'game= players= games= [players] format= openings= clock= resign= """ 0x 1e nan inf',
    "engine": "=1 ?1 =2 \\n\\n \\r\\n \\t",
    "saved": '"played": "moves": "search": "game": null 1e9',
    "gtp": "play b w boardsize set_game set_position komi undo gg-undo fixed_handicap \\n",
}
