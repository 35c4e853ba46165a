"""What a lane is asked to be: a request, read and checked into a value."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Self

from roundhouse.codec import ProtocolError, decode_time_control, name_rules
from roundhouse.package import PackageError, read_package
from roundhouse.rules import SEED_SIZE, RulesError

if TYPE_CHECKING:
    from roundhouse.api.referee.v1.match_pb2 import LaneGame, LaneSeat, PlayLaneRequest
    from roundhouse.package import Package
    from roundhouse.rules import RuleSet
    from roundhouse.timecontrol import TimeControl

MOST_GAMES = 1000
"""In one request. A chunk is meant to take about a minute."""
LONGEST_TIME = timedelta(hours=24)
"""Of any part of a time control: a longer one is a slip of the pen and would hold a lane back."""
GAME_ID = re.compile(r"[a-z0-9-]{1,64}")
"""What is safe in file names and URLs."""


class InvalidRequestError(ValueError):
    """A lane that cannot be played as asked; the message is a sentence for whoever asked."""


@dataclass(frozen=True, slots=True)
class Seat:
    """The bot in one seat."""

    bot: str
    version: str
    """The content hash of its archive."""
    package: Package


@dataclass(frozen=True, slots=True)
class Deal:
    """One game that is to be played, and the deal of it."""

    game_id: str
    seed: bytes


@dataclass(frozen=True, slots=True)
class LaneRequest:
    """A lane: the same seats, one deal after another."""

    lane_id: str
    rules: RuleSet
    control: TimeControl
    seats: tuple[Seat, ...]
    games: tuple[Deal, ...]
    is_rated: bool

    @classmethod
    def parse(cls, message: PlayLaneRequest) -> Self:
        """Read and check a request. It unpacks every archive in memory, which may take a while.

        Raises:
            InvalidRequestError: with the first thing that is wrong.
        """
        rules = _rules(message)
        try:
            rules.require_seats(len(message.seats))
            control = decode_time_control(message.time_control)
        except (RulesError, ProtocolError) as error:
            raise InvalidRequestError(str(error)) from error
        for part in ("bank", "increment", "margin", "decision_cap", "start_up"):
            if getattr(control, part) > LONGEST_TIME:
                raise InvalidRequestError(
                    f"The {part} of the time control is longer than {LONGEST_TIME}."
                )
        return cls(
            lane_id=message.lane_id,
            rules=rules,
            control=control,
            seats=tuple(_seat(number, seat) for number, seat in enumerate(message.seats)),
            games=_games(message),
            is_rated=message.rated,
        )


def _rules(message: PlayLaneRequest) -> RuleSet:
    try:
        return name_rules(message.edition, message.variants, message.own_tickets)
    except RulesError as error:
        raise InvalidRequestError(str(error)) from error


def _seat(number: int, seat: LaneSeat) -> Seat:
    try:
        package = read_package(seat.archive)
    except PackageError as error:
        raise InvalidRequestError(
            f"The bot in seat {number} cannot be unpacked: {error}"
        ) from error
    if package.hash != seat.version:
        raise InvalidRequestError(
            f"The archive in seat {number} has the hash {package.hash}, and not"
            f" {seat.version[:64]!r} as its version says."
        )
    return Seat(seat.bot or package.manifest.name, seat.version, package)


def _games(message: PlayLaneRequest) -> tuple[Deal, ...]:
    if not 1 <= len(message.games) <= MOST_GAMES:
        raise InvalidRequestError(
            f"The lane has {len(message.games)} games; it must have 1 to {MOST_GAMES}."
        )
    games = tuple(_game(game) for game in message.games)
    ids = {game.game_id for game in games}
    if len(ids) < len(games):
        raise InvalidRequestError("The lane names a game twice.")
    return games


def _game(game: LaneGame) -> Deal:
    if not GAME_ID.fullmatch(game.game_id):
        raise InvalidRequestError(
            f"The game id {game.game_id[:80]!r} must be 1 to 64 of a-z, 0-9 and -."
        )
    if len(game.seed) != SEED_SIZE:
        raise InvalidRequestError(
            f"The seed of game {game.game_id} has {len(game.seed)} bytes; it must have {SEED_SIZE}."
        )
    return Deal(game.game_id, game.seed)
