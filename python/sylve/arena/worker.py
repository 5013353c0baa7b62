"""A worker process: reads jobs from stdin, one JSON object a line, and answers on stdout.

python -m sylve.arena.worker

It tells that it is alive every other second. When stdin ends its master is gone, and it goes too,
in the middle of a game, after the programs that it drives.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Iterable
from contextlib import suppress
from typing import IO, Any, NoReturn

from sylve.arena.game import play_job
from sylve.arena.player import Player

BEAT = 2.0  # seconds


class Channel:
    """Whole lines to the master, from several threads."""

    def __init__(self, file: IO[str], players: dict[str, Player]) -> None:
        self.file = file
        self.players = players
        self.lock = threading.Lock()
        self.leaving = threading.Lock()

    def send(self, content: dict[str, Any]) -> None:
        """One message; without a master there is nothing left to do."""
        with self.lock:
            try:
                self.file.write(json.dumps(content) + "\n")
                self.file.flush()
            except (BrokenPipeError, ValueError):
                self.leave()

    def leave(self) -> NoReturn:
        """End this process, after the programs that it drives. Whoever comes second waits."""
        self.leaving.acquire()
        # A game that ends because its players are taken away is no result.
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.file.fileno())
        close_all(self.players.values())
        os._exit(0)


def close_all(players: Iterable[Player]) -> None:
    """Close all players at once: one that does not want to go does not hold up the others."""

    def close(player: Player) -> None:
        with suppress(Exception):  # the game at hand may be in the middle of a word with it
            player.close()

    threads = [threading.Thread(target=close, args=(player,)) for player in list(players)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def listen(jobs: queue.Queue[dict[str, Any]], channel: Channel) -> None:
    """Take jobs until the master goes."""
    for line in sys.stdin:
        jobs.put(json.loads(line))
    channel.leave()


def beat(channel: Channel) -> None:
    """Tell that this process is alive."""
    pause = threading.Event()
    while not pause.wait(BEAT):
        channel.send({"beat": True})


def main() -> None:
    """Play games until there is no master."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the master's affair
    players: dict[str, Player] = {}
    # Whatever prints must not disturb the messages.
    channel = Channel(os.fdopen(os.dup(1), "w", encoding="utf-8"), players)
    os.dup2(2, 1)
    jobs: queue.Queue[dict[str, Any]] = queue.Queue()
    threading.Thread(target=listen, args=(jobs, channel), daemon=True).start()
    channel.send({"ready": os.getpid()})
    threading.Thread(target=beat, args=(channel,), daemon=True).start()
    while True:
        message = jobs.get()
        if "stop" in message:
            channel.leave()
        channel.send({"lease": message["lease"], **answer(message["job"], players)})


def answer(job: dict[str, Any], players: dict[str, Player]) -> dict[str, Any]:
    """The record of a game, or of a cell of the lab, or what went wrong in our own code."""
    try:
        if "experiment" in job:
            from sylve.lab.work import run_job

            return {"record": run_job(job)}
        return {"record": play_job(job, players).to_dict()}
    except Exception as error:  # told to the master, which decides
        place = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"{type(error).__name__}: {error} ({place.name}, line {place.lineno})"
        return {"error": reason}


if __name__ == "__main__":
    main()
