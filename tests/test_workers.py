"""The pool of workers: which functions are jobs, and what an answer means."""

import subprocess
import sys

import pytest

from sylve.workers import make_pool
from sylve.workers.jobs import JOBS, answer, call, close_all, find, job, name_of, run_chunk
from sylve.workers.pool import Event, Kind, event_of


@job
def double(content: dict, kept: dict) -> dict:
    kept.setdefault("calls", Counter()).count += 1
    return {"twice": 2 * content["number"], "calls": kept["calls"].count}


class Counter:
    count = 0
    closed = 0

    def close(self) -> None:
        Counter.closed += 1


def test_a_job_names_its_function() -> None:
    asked = call(double, {"number": 4})
    assert asked == {"function": f"{__name__}:double", "content": {"number": 4}}
    kept: dict = {}
    assert answer(asked, kept) == {"answer": {"twice": 8, "calls": 1}}
    assert answer(asked, kept)["answer"]["calls"] == 2
    close_all(kept.values())
    assert Counter.closed == 1
    assert [one["answer"]["calls"] for one in run_chunk([asked, asked])] == [1, 2]
    assert Counter.closed == 2


@pytest.mark.parametrize(
    "name",
    [
        "os:system", "subprocess:run", "builtins:eval", "sylve.files:write_whole",
        "sylve.workers.jobs:answer", "sylve.arena.game:play_job", "sylve.nowhere:play",
        "sylve.arena.game", "double", "", 5, None, ["os:system"],
    ],
)  # fmt: skip
def test_nothing_else_is_run(name: object) -> None:
    with pytest.raises(ValueError, match="is no job"):
        find(name)
    assert "is no job" in answer({"function": name, "content": {}}, {})["error"]
    if isinstance(name, str) and ":" in name:
        assert name not in JOBS


def test_a_job_is_found_by_its_name_alone() -> None:
    """In a process that has loaded neither the arena nor the lab."""
    code = (
        "import sys; from sylve.workers import worker, local, pool, jobs\n"
        "known = [name for name in sys.modules if name.startswith(('sylve.arena', 'sylve.lab'))]\n"
        "assert not known, known\n"
        "for name in ('sylve.arena.game:play', 'sylve.lab.work:run_in_worker'):\n"
        "    assert jobs.name_of(jobs.find(name)) == name"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


@pytest.mark.parametrize(
    ("message", "event"),
    [
        ({"answer": {"a": 1}}, Event(3, Kind.DONE, {"a": 1})),
        ({"error": "it broke", "lease": 3}, Event(3, Kind.FAILED, detail="it broke")),
        *(
            (message, Event(3, Kind.LOST, detail="the worker sent nonsense"))
            for message in (None, [], {}, {"answer": 5}, {"error": None}, "answer")
        ),
    ],
)
def test_what_an_answer_means(message: object, event: Event) -> None:
    assert event_of(3, message) == event


def test_what_went_wrong_is_told() -> None:
    event = event_of(1, answer(call(double, {}), {}))
    assert (event.kind, event.detail[:18]) == (Kind.FAILED, "KeyError: 'number'")
    assert name_of(double) in JOBS


@pytest.mark.parametrize("where", ["", "local:1", "cluster", "tcp://1.2.3.4"])
def test_unknown_pools(where: str) -> None:
    with pytest.raises(ValueError, match="expected local, dask or dask:ADDRESS"):
        make_pool(where, 1)
