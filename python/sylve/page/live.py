"""A live search: a `Searcher` that has turns, reports ten times a second and can be looked into."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic
from typing import Any

from sylve.grammar import read_call
from sylve.own import check_known
from sylve.page import limits
from sylve.page.protocol import Analyse, Refused, Tree
from sylve.page.turns import Memory, problem
from sylve.position import Position
from sylve.search.reference.alpha_beta import AlphaBeta
from sylve.search.reference.searches import Search, SequentialHalving, TreeSearch
from sylve.search.reports.report import MoveReport, Report
from sylve.search.reports.view import Branch
from sylve.search.running.searcher import Searcher
from sylve.search.text import parse_search

ROWS = 12  # of the table, in a report on the way
LINE = 8  # moves of the line
HALVING_PLAYOUTS = 200_000  # it divides all its playouts, and so it runs in one piece

Push = Callable[[dict[str, Any]], None]


def read_how(text: str, seed: int, **more: object) -> Search | AlphaBeta:
    """The search of a text, with a seed where it states none."""
    call = read_call(text)
    check_known(call)
    if "seed" not in call.keywords and call.name != AlphaBeta.name():
        more = {"seed": seed, **more}
    return parse_search(call, **more)


def monte_carlo(text: str, seed: int) -> Search:
    """The same, where only Monte Carlo searches will do."""
    how = read_how(text, seed)
    if not isinstance(how, Search):
        raise Refused("input", f"{how.name()} has no playouts to show: choose another search")
    return how


class Live:
    """The search of one slot of a tab."""

    def __init__(self, position: Position, asked: Analyse, memory: Memory, push: Push) -> None:
        how = monte_carlo(asked.how, asked.seed)
        self.whole = isinstance(how, SequentialHalving)
        self.target = asked.playouts
        if self.whole and self.target > HALVING_PLAYOUTS:
            raise Refused("input", f"{how.name()}: at most {HALVING_PLAYOUTS} playouts here")
        self.slot, self.number, self.push = asked.slot, asked.number, push
        self.share = memory.take(asked.memory * limits.MIB)
        try:
            self.searcher = Searcher(
                position,
                how,
                threads=asked.threads,
                parallel="tree" if isinstance(how, TreeSearch) else "root",
                memory=self.share.size,
            )
        except BaseException:
            self.share.end()
            raise
        self.lock = threading.Lock()
        """Held by whoever uses the searcher."""
        self.guests = 0
        """How many wait to look into the tree: the slice ends for them."""
        self.paused = self.ended = False
        self.said = 0.0
        self.done = 0

    def slice(self) -> bool:
        """Search a little; report if it is time."""
        with self.lock:
            if self.ended or self.paused:
                return False
            if self.guests:
                return True
            left = self.target - self.done
            if left > 0:
                now = monotonic()
                until_report = max(0.005, self.said + limits.REPORT_SECONDS - now)
                if self.whole:
                    self.searcher.run(left)
                else:
                    self.searcher.run(left, seconds=min(limits.SLICE_SECONDS, until_report))
            report = self.searcher.report()
            self.done = report.playouts
            over = report.stopped in ("proven", "only move") or report.playouts >= self.target
            if over:
                self.paused = True
            if over or monotonic() >= self.said + limits.REPORT_SECONDS - 0.002:
                self.said = monotonic()
                self.push(self.told(report, over))
            return not over

    def failed(self, error: Exception) -> None:
        """The game has failed, or memory was refused."""
        self.paused = True
        self.push({"do": "report", "slot": self.slot, "error": problem(error)})

    def pause(self) -> None:
        """No more slices; all rows of the table are told."""
        self.paused = True
        self.searcher.stop()
        with self.lock:
            if not self.ended:
                self.push(self.told(self.searcher.report(), True))

    def resume(self, more: int) -> None:
        """Go on, with a higher target."""
        with self.lock:
            self.target = min(limits.PLAYOUTS, self.target + more)
            self.paused = False

    def end(self) -> None:
        """Nobody wants it any more."""
        self.ended = True
        self.searcher.stop()
        with self.lock:
            self.share.end()
            self.push = ignore

    def look(self, asked: Tree) -> list[dict[str, Any]]:
        """The children of nodes of the tree, best first."""
        self.guests += 1
        try:
            self.searcher.stop()
            with self.lock:
                if self.ended:
                    raise Refused("gone", "this search has ended")
                root = self.searcher.tree(depth=1, top=asked.top)
                found, rows = [], 0
                for path in asked.paths:
                    children = children_of(root, path)
                    told = [row(child.entry) for child in children[: asked.top]]
                    rows += len(told)
                    if rows > limits.TREE_NODES:
                        break
                    found.append({"path": list(path), "more": len(children), "children": told})
                return found
        finally:
            self.guests -= 1

    def told(self, report: Report, last: bool) -> dict[str, Any]:
        """A report in a message: short on the way, whole at the end."""
        ranked = report.ranked
        return {
            "do": "report",
            "slot": self.slot,
            "playouts": report.playouts,
            "target": self.target,
            "nodes": report.nodes,
            "bytes": report.bytes,
            "share": self.share.size,
            "full": report.full,
            "seconds": round(report.seconds, 3),
            "stopped": report.stopped if last else "running",
            "running": not last,
            "search": str(report.search) if last else None,
            "line": list(report.line_names[:LINE]),
            "rows": [row(entry) for entry in (ranked if last else ranked[:ROWS])],
            "heat": [rounded(value_of(entry, self.number)) for entry in report.moves],
            "number": self.number,
        }


def ignore(message: dict[str, Any]) -> None:
    """For a tab that has gone."""
    del message


def children_of(root: Branch, path: tuple[int, ...]) -> list[Branch]:
    """The branches after these moves; none where the tree ends or never was."""
    branch = root
    for move in path:
        found = next((child for child in branch.children if child.path[-1] == move), None)
        if found is None:
            return []
        branch = found
    return branch.children


def value_of(entry: MoveReport, number: str) -> float | None:
    """The number that colours a move; None: not known, or it does not apply."""
    if number == "visits":
        return entry.visits
    return {
        "mean": entry.mean if entry.visits else None,
        "amaf": entry.amaf_mean,
        "beta": entry.beta,
        "exploration": entry.exploration,
    }[number]


def rounded(value: float | None) -> float | None:
    """Three decimals: more cannot be seen."""
    return value if value is None or isinstance(value, int) else round(value, 3)


def row(entry: MoveReport | None) -> list[Any]:
    """A move of a table, without the names of its fields: reports come ten times a second."""
    assert entry is not None
    return [
        entry.move,
        entry.name,
        entry.visits,
        rounded(entry.mean),
        rounded(entry.stderr),
        entry.amaf_visits,
        rounded(entry.amaf_mean),
        None if entry.beta is None else float(f"{entry.beta:.3g}"),
        rounded(entry.exploration),
        rounded(entry.score),
        entry.proven,
    ]
