"""A worker process: reads jobs from stdin, one JSON object a line, and answers on stdout.

python -m sylve.workers.worker

It tells that it is alive every other second. When stdin ends its master is gone, and it goes too,
in the middle of a job, after what it keeps, such as programs that it drives.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
from contextlib import suppress
from typing import IO, Any, NoReturn

from sylve.workers.jobs import Kept, answer, close_all

BEAT = 2.0  # seconds


class Channel:
    """Whole lines to the master, from several threads."""

    def __init__(self, file: IO[str], kept: Kept) -> None:
        self.file = file
        self.kept = kept
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
        """End this process, after what it keeps. Whoever comes second waits."""
        self.leaving.acquire()
        # A job that ends because what it uses is taken away has no answer.
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.file.fileno())
        close_all(self.kept.values())
        os._exit(0)


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
    """Run jobs until there is no master."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the master's affair
    kept: Kept = {}
    # Whatever prints must not disturb the messages.
    channel = Channel(os.fdopen(os.dup(1), "w", encoding="utf-8"), kept)
    os.dup2(2, 1)
    jobs: queue.Queue[dict[str, Any]] = queue.Queue()
    threading.Thread(target=listen, args=(jobs, channel), daemon=True).start()
    channel.send({"ready": os.getpid()})
    threading.Thread(target=beat, args=(channel,), daemon=True).start()
    while True:
        message = jobs.get()
        if "stop" in message:
            channel.leave()
        channel.send({"lease": message["lease"], **answer(message["job"], kept)})


if __name__ == "__main__":
    main()
