"""Players that are weak as people are: they see a win at once, and overlook other things."""

from __future__ import annotations

from sylve.arena.player import PlainPlayer, Player
from sylve.position import Position
from sylve.rng import Rng
from sylve.search.running.clock import Clock

CHANCES = 1 << 32  # a share is rounded to this many parts


class OnePlyPlayer(PlainPlayer):
    """A move that wins at once, if there is one; else a random move."""

    def __init__(self) -> None:
        self.name = "one_ply"

    def choose(self, position: Position, seed: int, clock: Clock | None) -> int:
        """The first winning move, or any."""
        del clock
        winning = winning_move(position)
        if winning is not None:
            return winning
        return position.moves[Rng(seed).below(len(position.moves))]


class CarelessPlayer:
    """Another player who overlooks everything but a win at once, in a share of the moves."""

    def __init__(self, share: float, otherwise: Player) -> None:
        self.name = f"careless({share:g}, otherwise={otherwise.name})"
        self.share = share
        self.otherwise = otherwise
        self.blind = OnePlyPlayer()

    def start(self, game: str, opening: Position) -> None:
        """A new game."""
        self.otherwise.start(game, opening)

    def choose(self, position: Position, seed: int, clock: Clock | None) -> int:
        """The other player's move, or one that was not thought about."""
        rng = Rng(seed)
        careless = rng.below(CHANCES) < self.share * CHANCES
        player = self.blind if careless else self.otherwise
        return player.choose(position, rng.next(), clock)

    def close(self) -> None:
        """No game will follow."""
        self.otherwise.close()


def winning_move(position: Position) -> int | None:
    """The first move after which the player to move has won."""
    for move in position.moves:
        outcome = position.play(move).outcome
        if outcome is not None and outcome.winner == position.turn:
            return move
    return None
