"""`sylve serve`: play, analyse, learn and review in a browser."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from sylve.cli.output import Json, print_json, print_text, say

PORT = 8642


def serve(
    game: Annotated[
        list[str] | None,
        typer.Option(
            "--game",
            metavar="MODULE:CLASS",
            help='Also offer a game of your own, such as "mygame:Dots(size=3)" or'
            ' "path/to/file.py:Dots".',
        ),
    ] = None,
    host: Annotated[
        str,
        typer.Option(
            "--host",
            metavar="ADDRESS",
            help="Address to listen on. Other machines are let in only with --token.",
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            metavar="N",
            min=0,
            max=65535,
            help="Port; 0 takes any free one.",
            show_default=f"{PORT}, or the next free one",
        ),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(
            "--token",
            metavar="TEXT",
            envvar="SYLVE_TOKEN",
            show_envvar=True,
            help="Secret part of the address, instead of a random one.",
        ),
    ] = None,
    memory: Annotated[
        str,
        typer.Option("--memory", metavar="SIZE", help="Memory limit for all searches together."),
    ] = "1GiB",
    shelf: Annotated[
        list[Path] | None,
        typer.Option(
            "--shelf",
            metavar="FOLDER",
            exists=True,
            file_okay=False,
            help="Show tournaments (*.sqlite) and results of the lab in this folder.",
            show_default="the current folder and lab-results",
        ),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")
    ] = True,
    json: Json = False,
) -> None:
    """Serve the page and open it in a browser; Ctrl-C ends it."""
    from sylve.engine import compiled_half
    from sylve.page.access import is_loopback, make_access
    from sylve.page.app import Page
    from sylve.page.offers import Offers, load_own
    from sylve.page.server import address, listen, run
    from sylve.page.shelf import Shelf
    from sylve.search.running.memory import read_memory

    size = read_memory(memory)
    compiled_half("sylve serve")  # only that engine keeps to the limit
    make_access(host, port or 1, token)  # what is wrong with it is said before anything is opened
    own = dict(load_own(text) for text in game or ())
    sockets = listen(host, PORT if port is None else port, exact=port is not None)
    number = sockets[0].getsockname()[1]
    access = make_access(host, number, token)
    page = Page(access, Offers(own), size, Shelf(shelf))
    url = address(host, number, access.token)

    def ready() -> None:
        if json:
            print_json({"url": url, "host": host, "port": number})
        else:
            print_text(f"{url}\n")
            say("Ctrl-C ends the server")
        if not is_loopback(host):
            say("other machines can reach it, and what they send is not encrypted")
        if browser:
            webbrowser.open(url)

    run(page, sockets, ready)
