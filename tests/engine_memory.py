"""What engines that flood (tests/engines/endless.py) cost the process that holds them.

python tests/engine_memory.py SECONDS TOKEN KIND...

Prints a line of JSON for each. An engine is asked for two moves; after the first it is left alone
until it is dead, as by somebody who is busy elsewhere.
"""

from __future__ import annotations

import json
import re
import resource
import sys
import time
from pathlib import Path

from processes import engine_command
from sylve import Position
from sylve.errors import PlayerFailure
from sylve.gtp import player
from sylve.gtp.player import GtpPlayer

PATIENCE = 60.0  # seconds


def most() -> int:
    """Bytes: the most that this process has had since `forget`."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found is not None
    return int(found[1]) << 10


def forget() -> None:
    """Count the most memory anew."""
    Path("/proc/self/clear_refs").write_text("5")


def processor() -> float:
    """Seconds that this process has computed."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def one_move(engine: GtpPlayer, *, wait: bool) -> str:
    """Why it could not go on, or nothing."""
    position = Position.start("tic_tac_toe")
    try:
        engine.start("tic_tac_toe", position)
        position = position.play(engine.choose(position, 1, None)).play("c3")
        assert engine.process is not None
        deadline = time.monotonic() + PATIENCE
        while wait and engine.process.child.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
        engine.choose(position, 2, None)
    except PlayerFailure as failure:
        return failure.reason
    finally:
        engine.close()
    return ""


def main() -> None:
    seconds, token = float(sys.argv[1]), sys.argv[2]
    player.COMMAND_SECONDS = seconds  # on a busy machine a megabyte may take its time
    one_move(GtpPlayer(engine_command("simple", token), "simple", PATIENCE), wait=False)
    for kind in sys.argv[3:]:
        forget()
        before, used = most(), processor()
        command = engine_command("endless", token, kind)
        reason = one_move(GtpPlayer(command, "endless", seconds), wait=True)
        told = {"kind": kind, "reason": reason, "grown": most() - before}
        print(json.dumps({**told, "processor": processor() - used}), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
