"""Many games between the same bots, and how each did."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from roundhouse.api.game.v1 import log_pb2, verdict_pb2
from roundhouse.arena.game import LocalGame
from roundhouse.bot import Bot
from roundhouse.codec import decode_standing
from roundhouse.rules import RuleSet, Standing, edition

Seed = bytes | int | str
"""What deals are derived from: any word or number."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot that takes part: its name, how an object of it is made, and its version, if any."""

    name: str
    make: Callable[[], Bot]
    version: str = ""


@dataclass(frozen=True, slots=True)
class GameResult:
    """One game that was played: `entrants` says by seat which entrant sat there."""

    deal: int
    rotation: int
    entrants: tuple[int, ...]
    log: log_pb2.GameLog
    standings: tuple[Standing, ...]
    forfeits: tuple[verdict_pb2.Forfeit, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """How one entrant did. A win is the first placement alone, a draw one that is shared."""

    name: str
    games: int
    wins: int
    draws: int
    losses: int
    mean_score: float
    mean_placement: float
    forfeits: int


def deal_seed(seed: Seed, deal: int) -> bytes:
    """Return the seed of one deal, 32 bytes; the number 7 and the word "7" mean the same."""
    return _derive(seed, f"deal {deal}")


def play_game(
    bots: Sequence[Bot],
    *,
    seed: bytes,
    rules: RuleSet | None = None,
    names: Sequence[str] | None = None,
    game_id: str | None = None,
) -> log_pb2.GameLog:
    """Play one game of the deal that the seed gives, and return its log.

    `bots` sit in the order given. Without `rules` the edition is classic. A bot that raises or
    answers illegally forfeits. Raises `RulesError` when these rules do not allow so many seats, or
    the seed is not 32 bytes.
    """
    seats = names or [type(bot).__name__ for bot in bots]
    game = LocalGame(
        game_id=game_id or f"local-{hashlib.sha256(seed).hexdigest()[:16]}",
        rules=rules or edition("classic"),
        seed=seed,
        seats=[log_pb2.LogSeat(bot=name) for name in seats],
    )
    return game.play(bots)


def play_match(
    entrants: Sequence[Entrant], *, games: int, seed: Seed, rules: RuleSet | None = None
) -> Iterator[GameResult]:
    """Play games between the same entrants, and yield each as it ends.

    Each deal is played in every rotation of the seats before the next one begins. The games of one
    rotation have bot objects of their own, so that no bot meets the same deal twice. With the same
    seed the same games are played, as far as the bots take chance from `Bot.rng`.
    """
    chosen = rules or edition("classic")
    chosen.require_seats(len(entrants))
    count = len(entrants)
    lanes = [[entrant.make() for entrant in entrants] for _ in range(min(count, games))]
    for number in range(games):
        deal, rotation = divmod(number, count)
        bots = lanes[rotation]
        yield _play_one(entrants, bots, chosen, deal=deal, rotation=rotation, seed=seed)


def summarise(results: Iterable[GameResult]) -> tuple[Tally, ...]:
    """Count how each entrant did, in the order of the entrants; nothing when nothing was played."""
    played = list(results)
    if not played:
        return ()
    first = played[0]
    names = {one: first.log.seats[seat].bot for seat, one in enumerate(first.entrants)}
    return tuple(_tally(names[number], number, played) for number in sorted(names))


def _play_one(
    entrants: Sequence[Entrant],
    bots: list[Bot],
    rules: RuleSet,
    *,
    deal: int,
    rotation: int,
    seed: Seed,
) -> GameResult:
    seating = tuple((seat + rotation) % len(entrants) for seat in range(len(entrants)))
    cards = deal_seed(seed, deal)
    game_id = _derive(cards, f"game {[entrants[one].name for one in seating]}").hex()[:16]
    for seat, one in enumerate(seating):
        bots[one].rng = Random(_derive(cards, f"bot {rotation} {seat}"))  # noqa: S311 - a bot's
    game = LocalGame(
        game_id=game_id,
        rules=rules,
        seed=cards,
        seats=[
            log_pb2.LogSeat(bot=entrants[one].name, version=entrants[one].version)
            for one in seating
        ],
    )
    log = game.play([bots[one] for one in seating])
    for forfeit in game.forfeits:  # the referee starts a new process, too
        bots[seating[forfeit.seat]] = entrants[seating[forfeit.seat]].make()
    return GameResult(
        deal=deal,
        rotation=rotation,
        entrants=seating,
        log=log,
        standings=tuple(decode_standing(standing) for standing in log.standings),
        forfeits=tuple(game.forfeits),
    )


def _tally(name: str, number: int, played: Sequence[GameResult]) -> Tally:
    wins = draws = forfeits = 0
    scores: list[int] = []
    placements: list[int] = []
    for result in played:
        seat = result.entrants.index(number)
        standing = result.standings[seat]
        scores.append(standing.total)
        placements.append(standing.placement)
        forfeits += standing.forfeited
        if standing.placement == 1:
            side = 2 if "teams" in result.log.rules.variants else 1  # partners win together (V-7)
            is_shared = sum(other.placement == 1 for other in result.standings) > side
            draws += is_shared
            wins += not is_shared
    games = len(played)
    return Tally(
        name=name,
        games=games,
        wins=wins,
        draws=draws,
        losses=games - wins - draws,
        mean_score=sum(scores) / games,
        mean_placement=sum(placements) / games,
        forfeits=forfeits,
    )


def _derive(seed: Seed, label: str) -> bytes:
    content = seed if isinstance(seed, bytes) else str(seed).encode()
    # The hash of the seed has a fixed length, so that seed and label cannot run into each other.
    return hashlib.sha256(hashlib.sha256(content).digest() + label.encode()).digest()
