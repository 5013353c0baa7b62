"""Every command of `sylve` with a short cheap call, run in this process."""

from __future__ import annotations

import io
import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from typer.main import get_command

import sylve.cli
from sylve import Position
from sylve.lab import Claim, Experiment, Table, Verdict, run
from sylve.records import Record, write_record

ENGINE = """
import sys
sys.path.insert(0, {folder!r})
from simple import Simple
class Named(Simple):
    def respond(self, number, text):
        super().respond(number, text or {answer!r})
Named().run()
"""
WITHOUT_TABLES = {"gtp", "serve"}  # a protocol on stdin and stdout, and a server


@dataclass(frozen=True)
class Printed:
    """What a command wrote."""

    code: int
    out: str
    err: str


def all_commands() -> dict[str, Any]:
    """Every command by its words, groups that do something by themselves included."""
    found: dict[str, Any] = {}

    def walk(command: Any, words: tuple[str, ...]) -> None:
        below = getattr(command, "commands", None)
        if below is None or command.invoke_without_command:
            found[" ".join(words)] = command
        for name, child in (below or {}).items():
            walk(child, (*words, name))

    walk(get_command(sylve.cli.app), ())
    return found


class Stage:
    """A folder with everything that the commands read, under names of the test's choice."""

    def __init__(self, folder: Path, names: list[str], text: str = "text") -> None:
        folder.mkdir(parents=True)
        self.folder, self.names, self.text = folder, names, text
        players = "\n".join(f'{quoted(name)} = "random"' for name in names)
        self.cup = folder / "cup.toml"
        self.cup.write_text(
            'game = "tic_tac_toe"\ngames = 2\nopenings = "random(plies=1)"\n'
            f"[players]\n{players}\n",
            encoding="utf-8",
        )
        self.record = folder / "game.json"
        self.record.write_text(record_text(text), encoding="utf-8")
        self.tour = folder / "ring.tsp"
        ring = (Path(__file__).parent / "data" / "ring8.tsp").read_text(encoding="utf-8")
        named = ring.replace("NAME : ring8", f"NAME : {text}")
        self.tour.write_text(named, encoding="utf-8", newline="")
        engine = folder / "engine.py"
        engine.write_text(ENGINE.format(folder=str(Path(__file__).parent / "engines"), answer=text))
        self.engine = shlex.join([sys.executable, "-E", str(engine)])
        self.lab = folder / "lab"
        self.experiment = toy(text)
        run(self.experiment, size="quick", out=self.lab)
        self.number = 0

    def new_file(self, suffix: str) -> str:
        """A file that is not there yet."""
        self.number += 1
        return str(self.folder / f"new{self.number}{suffix}")

    def calls(self) -> dict[str, list[list[str]]]:
        """Short calls of every command that prints for people."""
        small = "breakthrough(columns=5, rows=5)"
        tiny = "breakthrough(columns=2, rows=4)"
        table = str(self.folder / "tiny.table")
        cup, store = str(self.cup), str(self.folder / "match.sqlite")
        players = ["uct(5, rule=ucb1(c=0.25))", "random", "--game", "tic_tac_toe", "--games", "2"]
        watched = ["one_ply", "uct(5, rule=ucb1(c=0.25))", "--record", self.new_file(".json")]
        lab = ["--out", str(self.lab)]
        return {
            "games": [["games"]],
            "show": [["show", "othello", "--moves", "f5d6c3"], ["show", "go"]],
            "algorithms": [["algorithms"]],
            "analyze": [
                ["analyze", small, "--playouts", "100", "--how", "amaf_uct", "--explain"],
                ["analyze", small, "--playouts", "30", "--all", "--explain"],
                ["analyze", "othello", "--how", "alpha_beta(depth=1, multi=true)", "--explain"],
            ],
            "trace": [
                ["trace", small, "--how", "rave(c=0.4)", "--simulation", "1..3"],
                ["trace", small, "--how", "multi_scale_rave(playout=mast)", "--simulation", "50"],
                ["trace", "othello", "--how", "grave", "--simulation", "90", "--top", "3"],
            ],
            "compare": [["compare", small, "--playouts", "20"]],
            "evaluate": [["evaluate", "othello", "--moves", "f5"]],
            "check": [["check", "tic_tac_toe", "--games", "5"]],
            "convert": [["convert", str(self.record), "--to", "moves"]],
            "play": [["play", "tic_tac_toe", "--watch", *watched]],
            "match": [["match", *players, "--store", store, "--workers", "1"]],
            "sprt": [["sprt", *players, "--store", store + "2", "--workers", "1"]],
            "solve": [["solve", "tic_tac_toe", "--moves", "b2a1"]],
            "perft": [["perft", "tic_tac_toe", "3", "--divide"]],
            "bench": [["bench", "tic_tac_toe", "--seconds", "0.01"]],
            "signature": [["signature"]],
            "tour": [["tour", "--seconds", "0.01"]],
            "demo": [["demo", "--playouts", "50"]],
            "bandit": [
                ["bandit", "red=0.3", "0.5", "--pulls", "30"],
                ["bandit", "0.3", "0.5", "--rule", "tuned", "--rule", "thompson", "--runs", "2"],
            ],
            "tsp": [["tsp", str(self.tour), "--playouts", "20"]],
            "table build": [["table", "build", tiny, "--out", table]],
            "table info": [["table", "info", table]],
            "table probe": [["table", "probe", table]],
            "gtp check": [["gtp", "check", self.engine, "--game", "tic_tac_toe"]],
            "tournament run": [["tournament", "run", cup, "--workers", "1"]],
            "tournament status": [["tournament", "status", cup]],
            "tournament verify": [["tournament", "verify", cup]],
            "tournament backup": [["tournament", "backup", cup, self.new_file(".sqlite")]],
            "tournament export": [["tournament", "export", cup, self.new_file(".csv")]],
            "tournament report": [["tournament", "report", cup, self.new_file(".html")]],
            "lab list": [["lab", "list"]],
            "lab run": [["lab", "run", "regret", "--quick", *lab]],
            "lab report": [["lab", "report", *lab]],
            "train othello": [
                [
                    "train",
                    "othello",
                    "--small",
                    "--games",
                    "40",
                    "--rounds",
                    "1",
                    "--pairs",
                    "2",
                    "--workers",
                    "1",
                    "--out",
                    str(self.lab),
                ]
            ],
        }

    def call(self, *words: str, columns: int | None = None, encoding: str = "utf-8") -> Printed:
        """Run a command as from a shell that pipes its output; a column count is told to it."""
        with patch("sylve.lab.experiment.load", lambda _: self.experiment):
            return call(*words, columns=columns, encoding=encoding)


def call(*words: str, columns: int | None = None, encoding: str = "utf-8") -> Printed:
    """Run a command in this process."""
    # With `python -m pytest` Click would call it `python -m pytest.sylve`.
    named = patch.object(sys.modules["__main__"], "__package__", None)
    with (
        terminal(columns, encoding) as (out, err),
        patch.object(sys, "argv", ["sylve", *words]),
        named,
    ):
        code = 0
        try:
            sylve.cli.main()
        except SystemExit as leaving:
            code = leaving.code if isinstance(leaving.code, int) else 1 if leaving.code else 0
    return Printed(code, out.getvalue().decode(encoding), err.getvalue().decode(encoding))


@contextmanager
def terminal(columns: int | None, encoding: str) -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    """Stdout and stderr of an encoding; `columns` is COLUMNS of the environment."""
    out, err = io.BytesIO(), io.BytesIO()
    streams = [io.TextIOWrapper(raw, encoding, "strict", write_through=True) for raw in (out, err)]
    environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
    if columns is not None:
        environment["COLUMNS"] = str(columns)
    with (
        patch.dict(os.environ, environment, clear=True),
        patch.object(sys, "stdout", streams[0]),
        patch.object(sys, "stderr", streams[1]),
    ):
        yield out, err
        for stream in streams:
            stream.detach()


def quoted(name: str) -> str:
    """A key of TOML, its control characters escaped."""
    shown = "".join(
        char if char.isprintable() and char not in '"\\' else f"\\U{ord(char):08X}" for char in name
    )
    return f'"{shown}"'


def record_text(text: str) -> str:
    """A record with this text wherever a text may be."""
    start = Position.start("tic_tac_toe")
    who = (text, "b")
    record = Record(start, (4,), players=who, date=text, event=text, comment=text)
    return write_record(record, "json")


def toy(text: str) -> Experiment:
    """An experiment that takes no time, under a name of the list."""

    def figure(rows: Any) -> Any:
        from sylve.lab.style import line, panels

        drawing, (axis,) = panels()
        line(axis, 0, [row["x"] for row in rows], [row["x"] for row in rows], "x")
        return drawing

    long = "a reason of many words that does not fit into a line of any usual terminal, " * 3
    return Experiment(
        name="regret",
        claims=[Claim(f"claim {text}", "a book")],
        method="Count.",
        cells=lambda size: [{"x": x} for x in range(2 if size == "quick" else 3)],
        run_cell=lambda cell, seed: [{"x": cell["x"], "name": text}],
        verdicts=lambda rows: [Verdict("holds", f"{len(rows)} of them: {long}")],
        tables=lambda rows: [
            Table(f"All {text}", ["name", "x"], [[r["name"], r["x"]] for r in rows])
        ],
        figure=figure,
        caption=f"Caption {text}",
    )
