"""The page under load: `python benchmarks/page.py`. One JSON object, times in milliseconds."""

from __future__ import annotations

import json
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from page_server import Live, Serving, serving  # noqa: E402


def share(times: list[float], part: float) -> float:
    return round(1000 * sorted(times)[min(len(times) - 1, int(part * len(times)))], 1)


def timed(work) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def boards(server: Serving, count: int) -> list[float]:
    return [
        timed(lambda: server.call("board", game="othello", moves="f5 d6")) for _ in range(count)
    ]


def live_rate(tab: Live, seconds: float) -> tuple[float, float]:
    """Reports and bytes a second."""
    reports = size = 0
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        text = tab.socket.recv(timeout=10)
        reports, size = reports + 1, size + len(text)
    return round(reports / seconds, 2), round(size / seconds)


def main() -> None:
    found: dict[str, object] = {}
    with serving() as server:
        found["first_board"] = share([timed(lambda: server.call("board", game="othello"))], 0)
        with server.tab() as tab:
            tab.ask("analyse", game="othello", how="uct", playouts=50_000_000)
            found["reports_a_second"], found["bytes_a_second"] = live_rate(tab, 5.0)
            tab.ask("analyse", slot=1, game="go", how="rave", playouts=50_000_000)
            found["echo_p95_two_searches"] = share(boards(server, 100), 0.95)
        with server.tab() as tab:
            tab.ask("analyse", game="connect_four", how="uct(solver=false)", playouts=1_000_000,
                    memory=256)  # fmt: skip
            while tab.next("report", 60)["running"]:
                pass
            look = [timed(lambda: tab.ask("tree", paths=[[], [3]])) for _ in range(10)]
            found["expand_at_1_000_000"] = share(look, 1.0)
        before = threading.active_count()
        tabs = [server.tab() for _ in range(64)]
        for tab in tabs:
            tab.ask("analyse", game="othello", how="uct", playouts=50_000_000)
        found["load_64_p99"] = share(boards(server, 100), 0.99)
        for tab in tabs:
            tab.__exit__()
        for _ in range(200):
            with server.tab() as tab:
                tab.ask("analyse", game="hex", how="uct", playouts=50_000_000)
        time.sleep(1.0)
        found["works_left_after_200_tabs"] = len(server.page.turns.known)
        found["memory_left_taken"] = server.page.memory.total - server.page.memory.free
        found["threads_before_and_after"] = [before, threading.active_count()]
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
