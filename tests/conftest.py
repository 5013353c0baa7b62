"""What every test needs."""

import os
import signal
from collections.abc import Iterator

import pytest

from sylve.engine import problem

# A shell that runs the tests in the background has them ignore Ctrl-C, and with them every program
# that they start; some tests interrupt these.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def ctrl_c_stays_as_it_is() -> Iterator[None]:
    """A test that changes what Ctrl-C does fails itself, not one that comes later."""
    yield
    now = signal.signal(signal.SIGINT, signal.default_int_handler)
    assert now is signal.default_int_handler


COLLECTED = pytest.StashKey[list[str]]()
"""The names of all tests that were collected, also of those that are not run."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    config.stash[COLLECTED] = [item.nodeid for item in items]


def pytest_configure(config: pytest.Config) -> None:
    """Keep machine code of compiled games in pytest's folder; leave out what cannot be run."""
    if hasattr(config, "cache") and config.cache is not None:
        os.environ.setdefault("SYLVE_CACHE", str(config.cache.mkdir("machine_code")))
    if problem():
        from left_out import LeftOut

        config.pluginmanager.register(LeftOut())
