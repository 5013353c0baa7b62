"""The page under load: `python benchmarks/page.py [PART ...]`. One JSON object, in milliseconds.

Parts: board, live, tree, learn, learn_cpu, load, leaks, browser; without a name, all of them.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "docs/pictures"))

from page_server import Live, Serving, serving  # noqa: E402
from sylve import Position  # noqa: E402
from sylve.page.lessons import make_lesson  # noqa: E402
from sylve.page.protocol import Learn  # noqa: E402

PAUSE = 0.2  # seconds between two steps of a person who hurries
LESSONS = {
    "othello": ("uct", "rave"),
    "breakthrough": ("rave",),
    "connect_four": ("grave",),
    "go": ("uct",),
}


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


def resident() -> float:
    """The memory of this process, in MiB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return round(pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20), 1)


def board(server: Serving) -> dict[str, object]:
    return {"first_board": share([timed(lambda: server.call("board", game="othello"))], 0)}


def live(server: Serving) -> dict[str, object]:
    found: dict[str, object] = {}
    with server.tab() as tab:
        tab.ask("analyse", game="othello", how="uct", playouts=50_000_000)
        found["reports_a_second"], found["bytes_a_second"] = live_rate(tab, 5.0)
        tab.ask("analyse", slot=1, game="go", how="rave", playouts=50_000_000)
        found["echo_p95_two_searches"] = share(boards(server, 100), 0.95)
    return found


def tree(server: Serving) -> dict[str, object]:
    with server.tab() as tab:
        tab.ask("analyse", game="connect_four", how="uct(solver=false)", playouts=1_000_000,
                memory=256)  # fmt: skip
        while tab.next("report", 600)["running"]:
            pass
        look = [timed(lambda: tab.ask("tree", paths=[[], [3]])) for _ in range(10)]
    return {"expand_at_1_000_000": share(look, 1.0)}


def learn(server: Serving) -> dict[str, object]:
    """Ten steps back and ten on, around simulation 19,980, after a jump there."""
    found = {}
    for game, searches in LESSONS.items():
        for how in searches:
            with server.tab() as tab:
                asked = {"game": game, "how": how, "seed": 1}
                jump = timed(lambda tab=tab, a=asked: tab.ask("learn", **a, simulation=19_980))
                time.sleep(2)
                steps = []
                for k in [*range(19_979, 19_969, -1), *range(19_971, 19_981)]:
                    steps.append(
                        timed(lambda tab=tab, a=asked, k=k: tab.ask("learn", **a, simulation=k))
                    )
                    time.sleep(PAUSE)
            found[f"{game} {how}"] = {
                "jump": round(1000 * jump), "step_p50": share(steps, 0.5),
                "step_p95": share(steps, 0.95), "step_most": share(steps, 1.0)}  # fmt: skip
    return {"learn": found}


def learn_cpu(server: Serving) -> dict[str, object]:
    """Processor time, which other work does not change: a jump, then a simulation made ready."""
    found = {}
    for game, searches in LESSONS.items():
        for how in searches:
            heard: list[object] = []
            asked = Learn(game=game, how=how, simulation=19_980)
            lesson = make_lesson(Position.start(game), asked, server.page.memory, heard.append)
            began = time.process_time()
            lesson.ask(1, 19_980)
            while not heard:
                lesson.slice()
            jumped = time.process_time()
            made = 0
            while lesson.slice():
                made += 1
            step = (time.process_time() - jumped) / made
            lesson.end()
            found[f"{game} {how}"] = {"jump": share([jumped - began], 0), "step": share([step], 0)}
    return {"learn_cpu": found}


def load(server: Serving) -> dict[str, object]:
    tabs = [server.tab() for _ in range(64)]
    for tab in tabs:
        tab.ask("analyse", game="othello", how="uct", playouts=50_000_000)
    times = boards(server, 200)
    taken = server.page.memory.total - server.page.memory.free
    found = {"load_64_p99": share(times, 0.99), "load_64_memory_share": taken}
    found["load_64_resident"] = resident()
    for tab in tabs:
        tab.__exit__()
    return found


def leaks(server: Serving) -> dict[str, object]:
    def open_and_close() -> None:
        with server.tab() as tab:
            tab.ask("analyse", game="hex", how="uct", playouts=50_000_000, memory=2)
            tab.ask("learn", game="connect_four", how="uct", simulation=20)

    for _ in range(20):  # threads and buffers that stay are there from now on
        open_and_close()
    time.sleep(1.0)
    before = (threading.active_count(), resident())
    for _ in range(200):
        open_and_close()
    time.sleep(2.0)
    return {
        "works_left_after_200_tabs": len(server.page.turns.known | server.page.lessons.known),
        "memory_left_taken": server.page.memory.total - server.page.memory.free,
        "threads_before_and_after": [before[0], threading.active_count()],
        "resident_before_and_after": [before[1], resident()],
    }


def browser(server: Serving) -> dict[str, object]:
    """In chromium: from the request to the first board; what is fetched, and from where."""
    from screenshots import make_driver

    driver = make_driver()
    try:
        driver.get(server.url)
        times = []
        for _ in range(5):
            driver.get("about:blank")
            began = time.perf_counter()
            driver.get(f"{server.origin}/#game=othello")
            while not driver.execute_script("return document.querySelectorAll('.cell').length"):
                time.sleep(0.005)
            times.append(time.perf_counter() - began)
        names = driver.execute_script(
            "return performance.getEntriesByType('resource').map((one) => one.name)"
        )
        return {
            "first_board_in_browser": share(times, 0.5),
            "requests": len(names),
            "requests_elsewhere": sum(not name.startswith(server.origin) for name in names),
        }
    finally:
        driver.quit()


PARTS = {
    part.__name__: part for part in (board, live, tree, learn, learn_cpu, load, leaks, browser)
}


def main() -> None:
    found: dict[str, object] = {}
    for name in sys.argv[1:] or PARTS:
        with serving() as server:
            found |= PARTS[name](server)
    scripts = (ROOT / "python/sylve/page/static").glob("*.js")
    found["script_bytes"] = sum(path.stat().st_size for path in scripts)
    found["load_of_the_machine"] = round(os.getloadavg()[0], 1)
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
