"""Runs one configuration of `CONFIGS` on a store and notes every game that was acknowledged.

python tests/arena_driver.py STORE ACKNOWLEDGED SEED EXECUTOR

EXECUTOR is that of `sylve match --executor`. Killed at any instant by the tests of
tests/test_arena_kills.py and tests/test_arena_cluster.py.
"""

import os
import sys
from pathlib import Path

from sylve.arena.config import Config, make_config
from sylve.arena.runner import Hooks, Run
from sylve.arena.store import Store
from sylve.workers import make_pool


def make(seed: int) -> Config:
    return make_config(
        "breakthrough(columns=4, rows=4)",
        [(None, "uct(40)"), (None, "random"), (None, "flat(20)")],
        100,
        format="round_robin",
        seed=seed,
    )


def main() -> None:
    store_name, acknowledged, seed, executor = sys.argv[1:]
    store = Store.create(Path(store_name), make(int(seed)))
    log = os.open(acknowledged, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    hooks = Hooks(kept=lambda game, _: os.write(log, f"{game.slot.id}\n".encode()) and None)
    Run(store, make_pool(executor, 2), hooks).go()
    store.close()


if __name__ == "__main__":
    main()
