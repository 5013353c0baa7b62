"""The same games on a Dask cluster, also when its workers are killed."""

import os
import random
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from own_module import module as module
from sylve.arena.config import Config, make_config
from sylve.arena.game import play_job
from sylve.arena.runner import Hooks, Run
from sylve.arena.schedule import job, schedule
from sylve.arena.standings import Standings
from sylve.arena.store import Played, Store
from sylve.arena.verify import verify
from sylve.workers.cluster import DaskPool
from sylve.workers.pool import WorkersFail
from test_arena_kills import kill_often

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]


def make() -> Config:
    return make_config(
        "breakthrough(columns=5, rows=5)", [(None, "uct(300)"), (None, "rave(300)")], 120, seed=2
    )


def here(config: Config) -> tuple[list, list]:
    games = [Played(slot, play_job(job(config, slot), {}), False) for slot in schedule(config)]
    return Standings.of(config, games).table(), [g.record.moves for g in games]


@pytest.fixture(scope="module")
def own() -> Iterator[DaskPool]:
    """A cluster that we started."""
    started = DaskPool(None, 2)
    yield started
    started.close(now=True)


def test_an_own_cluster_listens_on_loopback_only(own: DaskPool) -> None:
    pids = {os.getpid(), *own.client.run(os.getpid).values()}
    assert own.client.scheduler.address.startswith("tcp://127.0.0.1:")
    assert set(listening(pids)) == {"127.0.0.1"}


def test_the_same_table_though_a_worker_is_killed(own: DaskPool) -> None:
    """A cluster given by its address; killed when a quarter is done: nothing lost or doubled."""
    config = make()
    store = Store.create(None, config)
    pool = DaskPool(own.client.scheduler.address, 2)
    killed: list[int] = []

    def kept(game: Played, standings: Standings) -> None:
        if standings.games >= 30 and not killed:
            pids = list(pool.client.run(os.getpid).values())
            killed.append(pids[0])
            os.kill(pids[0], signal.SIGKILL)

    run = Run(store, pool, Hooks(kept=kept))
    assert run.go() == "complete"
    assert killed
    assert verify(store) == []
    table, moves = here(config)
    assert run.standings.table() == table
    assert [game.record.moves for game in store.played()] == moves
    done = store.connection.execute("SELECT count(*) FROM attempt WHERE outcome = 'done'")
    assert done.fetchone() == (120,)


def test_the_same_table_though_the_driver_is_killed(own: DaskPool, tmp_path: Path) -> None:
    address = f"dask:{own.client.scheduler.address}"
    kill_often(2, tmp_path, random.Random(1), address, ("runner",))


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", ["given", "its own"])
def test_twenty_kills_of_the_driver(own: DaskPool, kind: str, tmp_path: Path) -> None:
    """The workers of a cluster of its own end with it; a cluster that was given goes on."""
    address = f"dask:{own.client.scheduler.address}" if kind == "given" else "dask"
    kill_often(20, tmp_path, random.Random(2), address, ("runner",))


@pytest.mark.parametrize("found", [True, False], ids=["found", "missing"])
def test_a_game_of_ones_own(
    own: DaskPool, module: str, found: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers find the module in its folder. One that does not ends the run; it goes on later."""
    players = [(None, "uct(20)"), (None, "random")]
    config = make_config(f"{module}:Dots(columns=2, rows=1)", players, 6)
    store = Store.create(None, config)
    address = own.client.scheduler.address
    if not found:
        with monkeypatch.context() as patch:
            patch.setattr("sylve.workers.own_sources.homes", lambda texts: [])
            message = f"worker .*, process [0-9]+: cannot import module '{module}'"
            with pytest.raises(WorkersFail, match=message):
                Run(store, DaskPool(address, 2)).go()
        assert store.count() == (0, 6)
    run = Run(store, DaskPool(address, 2))
    assert run.go() == "complete"
    assert verify(store) == []
    assert run.standings.table() == here(config)[0]


def listening(pids: set[int]) -> list[str]:
    """The addresses on which these processes listen, from Linux's tables."""
    inodes = set()
    for pid in pids:
        for file in Path(f"/proc/{pid}/fd").iterdir():
            try:
                target = str(file.readlink())
            except OSError:
                continue
            if target.startswith("socket:["):
                inodes.add(target[8:-1])
    found = []
    for table, width in (("tcp", 4), ("tcp6", 16)):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in inodes:
                raw = bytes.fromhex(fields[1].partition(":")[0])
                words = b"".join(raw[i : i + 4][::-1] for i in range(0, width, 4))
                family = socket.AF_INET if width == 4 else socket.AF_INET6
                found.append(socket.inet_ntop(family, words))
    assert found
    return found


def test_no_scheduler_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sylve.workers.cluster.CONNECT", 1.0)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    with pytest.raises(WorkersFail, match=f"no Dask scheduler at tcp://127.0.0.1:{port}"):
        DaskPool(f"tcp://127.0.0.1:{port}", 1)
