"""Workers: processes of this machine or of a Dask cluster that run jobs. They know no game.

jobs.py              what a worker can be asked to do: functions of this package, by name
pool.py              a pool of workers as those who use it see it
every.py             a list of jobs, each run to its end
local.py, worker.py  processes here: the side of the master, and what each of them runs
here.py              this process as the only worker, for players who are asked in its terminal
cluster.py           Dask
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sylve.workers.pool import Pool


def make_pool(where: str, workers: int | None = None) -> Pool:
    """The workers that are asked for: `local`, `dask` or `dask:ADDRESS`; one for each core.

    `here` is this process itself, which the command line does not offer.
    """
    if where == "here":
        from sylve.workers.here import HerePool

        return HerePool()
    count = workers if workers is not None else os.cpu_count() or 1
    kind, _, address = where.partition(":")
    if kind == "local" and not address:
        from sylve.workers.local import LocalPool

        return LocalPool(count)
    if kind == "dask":
        from sylve.workers.cluster import DaskPool

        return DaskPool(address or None, count)
    raise ValueError(f"unknown executor {where!r}: expected local, dask or dask:ADDRESS")
