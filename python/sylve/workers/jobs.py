"""Jobs: what a worker can be asked to do.

A job is plain JSON: the name of a function, and its content. Only functions of this package that
are marked with `@job` are ever run: no message and no file can choose another one.
"""

from __future__ import annotations

import os
import threading
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module
from importlib.metadata import version
from socket import gethostname
from typing import Any, Protocol

from sylve.errors import quote_value

Job = dict[str, Any]
Content = dict[str, Any]
Kept = dict[str, Any]
"""What a worker keeps from one job to the next, such as a program that plays. Each has `close`."""
Function = Callable[[Content, Kept], Content]
JOBS: dict[str, Function] = {}
HERE = f"sylve {version('sylve')}"
"""The program that answers, for those who keep what it did."""


class CannotRun(Exception):
    """This worker can do no such job, and would not be able to later: something is missing."""


def job(function: Function) -> Function:
    """Mark a function that workers may run."""
    JOBS[name_of(function)] = function
    return function


def name_of(function: Function) -> str:
    """Such as `sylve.arena.game:play`."""
    return f"{function.__module__}:{function.__name__}"


def call(function: Function, content: Content) -> Job:
    """The job that runs a function."""
    return {"function": name_of(function), "content": content}


def find(name: object) -> Function:
    """The function that a job names; a ValueError if it is no job."""
    if isinstance(name, str) and name not in JOBS and name.startswith("sylve."):
        with suppress(ModuleNotFoundError):
            import_module(name.partition(":")[0])
    if not isinstance(name, str) or name not in JOBS:
        raise ValueError(f"{quote_value(name)} is no job")
    return JOBS[name]


def answer(job: Job, kept: Kept) -> dict[str, Any]:
    """What a job gives, or what went wrong: `pool.event_of` reads it."""
    try:
        return {"answer": find(job["function"])(job["content"], kept)}
    except CannotRun as error:
        return {"unable": f"worker {gethostname()}, process {os.getpid()}: {error}"}
    except Exception as error:  # told to the master, which decides
        place = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"{type(error).__name__}: {error} ({place.name}, line {place.lineno})"
        return {"error": reason}


def run_chunk(jobs: list[Job]) -> list[dict[str, Any]]:
    """The answers to some jobs, in order: what a worker of a cluster runs."""
    kept: Kept = {}
    try:
        return [answer(job, kept) for job in jobs]
    finally:
        close_all(kept.values())


class Closable(Protocol):
    """Something that must be closed."""

    def close(self) -> None:
        """Close it."""


def close_all(things: Iterable[Closable]) -> None:
    """Close all at once: one that does not want to go does not hold up the others."""

    def close(thing: Closable) -> None:
        with suppress(Exception):  # the job at hand may be in the middle of a word with it
            thing.close()

    threads = [threading.Thread(target=close, args=(thing,)) for thing in list(things)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
