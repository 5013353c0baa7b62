"""What the page is told of one simulation, and of one event of alpha-beta."""

from __future__ import annotations

from itertools import pairwise, zip_longest
from typing import Any

from sylve.search.reference.alpha_beta import INFINITY
from sylve.search.reports.trace import Change, Choice, Trace, TracedMove
from sylve.search.running.walking import Frame, Walk

MOVES = 130  # of a node: all of them, but in Go on large boards
CHANGES = 400


def told_trace(trace: Trace) -> dict[str, Any]:
    """A simulation: what `Trace.to_dict` has, without what the page does not show."""
    winner = None if trace.outcome is None else trace.outcome.winner
    return {
        "kind": "simulation",
        "simulation": trace.simulation,
        "search": str(trace.search),
        "path": list(trace.path),
        "nodes": [told_choice(choice) for choice in trace.descent],
        "ended": trace.ended,
        "playout": [
            [ply.name, ply.code, None if ply.player is None else int(ply.player)]
            for ply in trace.playout
        ],
        "winner": None if winner is None else int(winner),
        "estimate": rounded(trace.estimate),
        "changes": [told_change(change) for change in trace.changes[:CHANGES]],
        "more_changes": max(0, len(trace.changes) - CHANGES),
        "proofs": [[proof.node, proof.name, proof.proven] for proof in trace.proofs],
    }


def told_choice(choice: Choice) -> dict[str, Any]:
    """A node that was passed; the chosen move first, then by score."""
    ordered = choice.ordered
    return {
        "turn": int(choice.position.turn),
        "visits": choice.visits,
        "new": choice.new,
        "lender": choice.reference,
        "chosen": choice.chosen_name,
        "why": choice.why,
        "rows": [told_move(entry) for entry in ordered[:MOVES]],
        "more": max(0, len(ordered) - MOVES),
    }


def told_move(entry: TracedMove) -> list[Any]:
    """Name, visits, mean, AMAF visits and mean, beta, exploration, score, proof, formulas, code."""
    return [
        entry.name,
        entry.visits,
        rounded(entry.mean if entry.visits else None),
        entry.amaf_visits,
        rounded(entry.amaf_mean),
        rounded(entry.beta),
        rounded(entry.exploration),
        rounded(entry.score),
        entry.proven,
        entry.formula,
        entry.beta_formula,
        entry.code,
    ]


def told_change(change: Change) -> list[Any]:
    """Kind, node, move, code, band, before, after."""
    before, after = list(change.before), list(change.after)
    return [change.kind, change.node, change.name, change.code, change.band, before, after]


def rounded(value: float | None) -> float | None:
    """Four figures, as the formulas have; None also for what is not finite."""
    if value is None or value != value or abs(value) == float("inf"):
        return None
    return float(f"{value:.4g}")


def told_walk(walk: Walk, number: int, frames: list[Frame]) -> dict[str, Any]:
    """An event of alpha-beta, and the line of positions that are open after it."""
    event = walk.events[number - 1]
    names = [frame.position.name(below.move) for frame, below in pairwise(frames)]
    left = event.score is not None
    if left and frames:
        names.append(frames[-1].position.name(event.move))
    over = walk.found if number == len(walk.events) else None
    return {
        "kind": "alpha_beta",
        "simulation": number,
        "depth": walk.depth,
        "whole": walk.found is not None,
        "left": left,
        "path": names,
        "window": [bound(event.alpha), bound(event.beta)],
        "score": event.score,
        "left_out": event.left_out,
        "leaf": event.moves == 0,
        "frames": [told_frame(*pair) for pair in zip_longest(frames, names[: len(frames)])],
        "line": line_names(walk, over[1]) if over else None,
        "value": over[0] if over else None,
    }


def told_frame(frame: Frame, next_name: str | None) -> dict[str, Any]:
    """An open position: its window now, and its moves with the scores of those that were tried."""
    tried = dict(frame.tried)
    names = zip(frame.position.moves, frame.position.names, strict=True)
    return {
        "turn": int(frame.position.turn),
        "maximizing": frame.maximizing,
        "window": [bound(frame.alpha), bound(frame.beta)],
        "best": frame.best,
        "tried": len(tried),
        "moves": frame.moves,
        "next": next_name,
        "rows": [[name, tried.get(move)] for move, name in names][:MOVES] if frame.moves else [],
    }


def bound(value: int) -> int | None:
    """A side of the window; None is infinity."""
    return None if abs(value) == INFINITY else value


def line_names(walk: Walk, line: tuple[int, ...]) -> list[str]:
    """The moves that both players want."""
    position, names = walk.position, []
    for move in line:
        names.append(position.name(move))
        position = position.play(move)
    return names
