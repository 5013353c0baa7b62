"""The command `sylve`. Results go to stdout, progress and messages to stderr.

Exit codes: 0 done, 1 failed, 2 wrong usage or bad input, 4 a test that did not accept H1 (only with
--exit-code), 130 interrupted.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from io import TextIOWrapper

import typer

from sylve.cli import (
    algorithms,
    analyze,
    bandit,
    bench,
    check,
    compare,
    convert,
    demo,
    evaluate,
    games,
    gtp,
    lab,
    match,
    perft,
    play,
    serve,
    show,
    signature,
    solve,
    table,
    tour,
    tournament,
    trace,
    train,
    tsp,
)
from sylve.cli.group import Group
from sylve.cli.output import fail, print_text, say
from sylve.errors import SourceChanged
from sylve.own import place_of

app = typer.Typer(
    name="sylve",
    cls=Group,
    help="Monte Carlo tree search, alpha-beta and exact solvers for board games.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help: the decorated one takes a tenth of a second to import
    context_settings={"help_option_names": ["-h", "--help"]},
)
COMMANDS = (
    games.games,
    show.show,
    algorithms.algorithms,
    analyze.analyze,
    trace.trace,
    compare.compare,
    evaluate.evaluate,
    check.check,
    convert.convert,
    play.play,
    match.match,
    match.sprt,
    solve.solve,
    perft.perft,
    bench.bench,
    signature.signature,
    tour.tour,
    demo.demo,
    bandit.bandit,
    tsp.tsp,
    serve.serve,
)
for command in COMMANDS:
    app.command()(command)
app.add_typer(table.app)
app.add_typer(gtp.app, name="gtp")
app.add_typer(tournament.app, name="tournament")
app.add_typer(lab.app, name="lab")
app.add_typer(train.app, name="train")


def _version(wanted: bool) -> None:
    if wanted:
        import sylve

        print_text(f"sylve {sylve.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version."
    ),
) -> None:
    """Monte Carlo tree search, alpha-beta and exact solvers for board games."""
    del version


def tell_warning(message: Warning | str, *_: object, **__: object) -> None:
    """A warning as a message of ours, without the line of code that gave it."""
    say(f"warning: {message}")


def main(ready: Callable[[], None] = lambda: None) -> None:
    """Run the command line; bad input never shows a traceback.

    `ready` is called first, when Ctrl-C does not show one any more either.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # help and usage errors in ASCII, whatever is in them
            stream.reconfigure(errors="backslashreplace")
    try:
        ready()
        with warnings.catch_warnings():
            warnings.simplefilter("always", SourceChanged)
            warnings.showwarning = tell_warning
            app()
    except ValueError as error:
        fail(str(error), 2)
    except KeyboardInterrupt:
        fail("interrupted", 130)
    except SystemExit as leaving:
        if leaving.code == 130:  # some versions of Typer leave by themselves, without a word
            fail("interrupted", 130)
        raise
    except BrokenPipeError:
        # The reader of our output has gone (`sylve games | head -1`): not our failure to report.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except FileNotFoundError as error:
        fail(f"no such file or folder: {error.filename!r}", 2)
    except OSError as error:
        where = "" if error.filename is None else f"{error.filename!r}: "
        fail(f"{where}{error.strerror or error}", 1)
    except Exception as error:
        place = place_of(error)  # a fault of the user's own game or rule is not ours
        if not place:
            raise
        fail(f"{place}: {type(error).__name__}: {error}", 1)
