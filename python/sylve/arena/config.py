"""The whole of a run, as data: what is stored, hashed, and compared when it is resumed."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sylve.arena.openings import fingerprint, read_openings
from sylve.arena.players import parse_player
from sylve.arena.sprt import Sprt
from sylve.errors import quote, shown
from sylve.evaluations import evaluations_of
from sylve.game import AnyGame, FullGame
from sylve.games import GAMES, load_game
from sylve.grammar import calls_in, read_call
from sylve.own import game_text, loaded_sources, settled
from sylve.search import Clock
from sylve.solve import Solver

Format = Literal["match", "round_robin", "gauntlet", "ladder"]
FORMATS: tuple[Format, ...] = ("match", "round_robin", "gauntlet", "ladder")
LONGEST = 1000  # plies, where the rules give no smaller bound (Go has superko only)


@dataclass(frozen=True)
class Config:
    """What is played. Everything here decides the games; how many workers play them does not."""

    game: str
    players: tuple[tuple[str, str], ...]
    """(name, text) of each player."""
    games: int
    """Of each two players that meet; even."""
    format: Format = "match"
    openings: str = "random(plies=4)"
    openings_hash: str | None = None
    seed: int = 0
    max_plies: int = LONGEST
    resign: float = 0.0
    clock: str | None = None
    sprt: Sprt | None = None
    adjudicate: int = 0
    """A game ends when the exact solver decides it within so many nodes; 0: never."""
    sources: tuple[tuple[str, str], ...] = ()
    """(module, hash of its source) of what is the user's own: the game, rules of players."""

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON."""
        content = dataclasses.asdict(self)
        content["players"] = [list(player) for player in self.players]
        content["sources"] = [list(source) for source in self.sources]
        if not self.sources:  # as it was before there were any: the hash stays the same
            del content["sources"]
        return content

    @classmethod
    def of_dict(cls, content: dict[str, Any]) -> Config:
        """The inverse of `to_dict`."""
        values = dict(content)
        values["players"] = tuple((name, text) for name, text in values["players"])
        values["sources"] = tuple((name, text) for name, text in values.get("sources", ()))
        values["sprt"] = None if values["sprt"] is None else Sprt(**values["sprt"])
        return cls(**values)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players, in order."""
        return tuple(name for name, _ in self.players)

    @property
    def hash(self) -> str:
        """One number for all of it."""
        return digest(self.to_dict())


def parse_clock(text: str) -> Clock:
    """From `60` or `60+0.5`: seconds for the whole game, and those added after each move."""
    match = re.fullmatch(
        r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(?:\+([0-9]{1,9}(?:\.[0-9]{1,9})?))?", text.strip()
    )
    if not match or not 0 < float(match[1]) <= 1e6 or float(match[2] or 0) > 1e6:
        raise ValueError(f"invalid clock {quote(text)}: expected seconds or 60+0.5")
    return Clock(float(match[1]), float(match[2] or 0))


def digest(content: object) -> str:
    """SHA-256 of the canonical JSON."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def make_config(
    game: str,
    players: list[tuple[str | None, str]],
    games: int,
    *,
    format: Format = "match",  # noqa: A002  the word of the file
    openings: str = "random(plies=4)",
    seed: int = 0,
    max_plies: int | None = None,
    resign: float = 0.0,
    clock: str | None = None,
    sprt: Sprt | None = None,
    adjudicate: int = 0,
) -> Config:
    """A configuration that was looked at from all sides: nothing in it fails later."""
    rules = load_game(game)
    full = FullGame(rules)
    if format not in FORMATS:
        raise ValueError(f"unknown format {quote(format)}: expected one of: {', '.join(FORMATS)}")
    if len(players) < 2 or (format == "match" and len(players) != 2):
        wanted = "two players" if format == "match" else "at least two players"
        raise ValueError(f"a {format} needs {wanted}, not {len(players)}")
    named = []
    for name, text in players:
        player = parse_player(text)
        own = player.name if name is None else name
        player.close()
        if not own or len(own) > 200 or not own.isprintable():
            raise ValueError(f"invalid name of a player {quote(own)}: expected printable text")
        if type(rules) not in GAMES.values():
            check_playable(text, rules)
        named.append((own, settled(text.strip())))
    if games < 2 or games % 2 or games > 10_000_000:
        raise ValueError(
            f"games must be even and from 2 to 10,000,000, as every opening is played twice:"
            f" not {shown(games)}"
        )
    whole_seed(seed)
    if max_plies is not None and not 1 <= max_plies <= 1_000_000:
        raise ValueError(f"max_plies must be from 1 to 1,000,000, not {shown(max_plies)}")
    if not 0 <= resign < 0.5:
        raise ValueError(f"resign must be from 0 to below 0.5, not {shown(resign)}")
    if clock is not None:
        parse_clock(clock)
    if not 0 <= adjudicate <= 10**12:
        raise ValueError(f"adjudicate must be from 0 to 10^12 nodes, not {shown(adjudicate)}")
    if adjudicate:
        Solver(rules)  # refuses games that cannot be solved
    opened = str(read_openings(openings))
    return Config(
        game_text(rules), distinct(named), games, format, opened, fingerprint(opened), seed,
        max(LONGEST, full.max_plies) if max_plies is None else max_plies,
        float(resign), clock, sprt, adjudicate,
        tuple(sorted(loaded_sources([game_text(rules), *(text for _, text in named)]).items())),
    )  # fmt: skip


def check_playable(player: str, rules: AnyGame) -> None:
    """Refuse a player who needs an evaluation in a game of the user's own that has none."""
    needs = any(call.name == "alpha_beta" for call in calls_in(read_call(player)))
    if needs and not evaluations_of(rules):
        raise ValueError(
            f"{quote(player)} needs an evaluation, which {quote(game_text(rules))} does not have:"
            " expected a Monte Carlo search, such as uct(1000), or a game with a method evaluate()"
        )


def whole_seed(seed: int) -> None:
    """Refuse what is no seed."""
    if not 0 <= seed < 1 << 64:
        raise ValueError(f"seed must be from 0 to {(1 << 64) - 1}, not {shown(seed)}")


def distinct(players: list[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Players of one name are told apart by a number: a search may meet itself."""
    found: list[tuple[str, str]] = []
    for name, text in players:
        taken = {other for other, _ in found}
        own, number = name, 2
        while own in taken:
            own, number = f"{name} #{number}", number + 1
        found.append((own, text))
    return tuple(found)


def difference(stored: Config, asked: Config) -> str:
    """What differs, line by line."""
    old, new = ({"sources": []} | config.to_dict() for config in (stored, asked))
    changed = changed_sources(stored, dict(asked.sources))
    lines = [
        f"  {key}: stored {json.dumps(old[key])}, asked for {json.dumps(new[key])}"
        for key in old
        if old[key] != new[key] and not (key == "sources" and changed)
    ]
    return "\n".join([*lines, *(f"  {line}" for line in changed)])


def changed_sources(config: Config, now: Mapping[str, str]) -> list[str]:
    """What is to be said of modules whose source is another one now."""
    return [
        f"the source of {module} has changed since the run began: it was {before[:12]}, now"
        f" {now[module][:12]} (SHA-256)"
        for module, before in config.sources
        if now.get(module, before) != before
    ]
