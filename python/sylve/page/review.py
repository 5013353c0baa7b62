"""What a record's analysis says about its moves: a value before each, and what each has lost."""

from __future__ import annotations

from typing import Any

from sylve.game import Player
from sylve.position import Position
from sylve.records import Record
from sylve.search.reports.report import Report

POINTS = {"win": 1.0, "draw": 0.5, "loss": 0.0}


def value_before(report: Report) -> tuple[float | None, bool]:
    """The value of the best move for the side to move, and whether it is proven."""
    best = report.ranked[0]
    if best.proven is not None:
        return POINTS[best.proven], True
    return best.mean, False


def final_value(position: Position, player: Player) -> float | None:
    """The value of a finished game for a player."""
    outcome = position.outcome
    return None if outcome is None else outcome.points(player) / 2


def value_at(record: Record, ply: int, player: Player) -> tuple[float | None, bool]:
    """The value of a position of the game for a player, and whether it is exact."""
    position = record.positions[ply]
    over = final_value(position, player)
    if over is not None:
        return over, True
    report = record.analysis.get(ply)
    if report is None:
        return None, False
    value, proven = value_before(report)
    if value is not None and position.turn != player:
        value = 1 - value
    return value, proven


def reviewed(record: Record) -> dict[str, Any] | None:
    """The curve for the first player, and a row for each move; None without any analysis.

    The loss of a move is the value of the position before it less the value after it, both for the
    player who made it, and at least 0: what two searches say differs a little by chance.
    """
    if not record.analysis:
        return None
    curve = [value_at(record, ply, Player.FIRST) for ply in range(len(record.positions))]
    rows = []
    for ply, (move, name) in enumerate(zip(record.moves, record.names, strict=True)):
        position, report = record.positions[ply], record.analysis.get(ply)
        if report is None:
            continue
        before, proven = value_at(record, ply, position.turn)
        after, proven_after = value_at(record, ply + 1, position.turn)
        if move == report.best and not proven_after:
            after = before  # the search's own choice: the rest is chance
        known = before is not None and after is not None
        loss = max(0.0, before - after) if before is not None and after is not None else None
        rows.append(
            {
                "ply": ply,
                "player": int(position.turn),
                "name": name,
                "best": report.best_name,
                "before": before,
                "after": after,
                "loss": None if not known or loss is None else round(loss, 4),
                "exact": proven and proven_after,
                "playouts": report.playouts,
            }
        )
    return {
        "curve": [[None if value is None else round(value, 4), exact] for value, exact in curve],
        "rows": rows,
        "exact_from": exact_from(curve),
    }


def exact_from(curve: list[tuple[float | None, bool]]) -> int | None:
    """The ply from which on every value is exact."""
    ply = len(curve)
    while ply > 0 and curve[ply - 1][1]:
        ply -= 1
    return None if ply == len(curve) else ply
