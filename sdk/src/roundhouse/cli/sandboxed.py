"""A match under a referee, over the same calls by which the server plays."""

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import grpc
import grpc.aio

from roundhouse.api.referee.v1.match_pb2 import LaneGame, LaneSeat, PlayLaneRequest
from roundhouse.api.referee.v1.match_pb2_grpc import MatchServiceStub
from roundhouse.arena import GameResult, deal_seed
from roundhouse.channel import OPTIONS
from roundhouse.cli.failure import CommandError
from roundhouse.cli.folders import BotFolder
from roundhouse.cli.referees import describe_host
from roundhouse.cli.remote import service_metadata, speak_plainly
from roundhouse.codec import decode_standing, encode_tickets, encode_time_control
from roundhouse.package import content_hash, pack
from roundhouse.replay import load_log
from roundhouse.rules import RuleSet
from roundhouse.timecontrol import TimeControl

if TYPE_CHECKING:
    from roundhouse.api.referee.v1.match_pb2_grpc import MatchServiceAsyncStub

CHUNK_GAMES = 200
"""Games in one call: a minute or so of play, and well within what a referee takes at a time."""


def play_sandboxed(
    target: str,
    bots: Sequence[BotFolder],
    *,
    games: int,
    seed: str,
    rules: RuleSet,
    finished: Callable[[GameResult], None],
    first: int = 0,
) -> None:
    """Play the games of `play_match` under the referee at `target`, each handed over as it ends.

    `first` is the number of the first game, and must begin a deal. What `finished` raises ends all
    play and leaves this function. Lane r plays rotation r of the deals one after another, so that
    no bot process meets a deal twice. Raises `CommandError` when the referee refuses, fails, or
    aborts a game.
    """
    archives = [pack(bot.path) for bot in bots]
    lanes = [
        (numbers, _lane(bots, archives, numbers, seed, rules))
        for numbers in split(games, len(bots), first)
    ]
    at_once = max(1, describe_host(target).lanes)
    with speak_plainly("referee", target):
        asyncio.run(_play_lanes(target, lanes, at_once, finished))


def split(games: int, seats: int, first: int = 0) -> list[range]:
    """Split the games of a match, by number from `first` on, into what is asked at a time.

    Game k is deal k // n in rotation k % n, and all games of one range have the same rotation.

    >>> split(5, 2)
    [range(0, 5, 2), range(1, 5, 2)]
    """
    lanes = [range(first + rotation, first + games, seats) for rotation in range(min(seats, games))]
    return [
        lane[start : start + CHUNK_GAMES]
        for lane in lanes
        for start in range(0, len(lane), CHUNK_GAMES)
    ]


def _lane(
    bots: Sequence[BotFolder],
    archives: Sequence[bytes],
    numbers: range,
    seed: str,
    rules: RuleSet,
) -> PlayLaneRequest:
    order = seating(len(bots), numbers.start)
    versions = [content_hash(archives[index]) for index in order]
    return PlayLaneRequest(
        lane_id=f"local-{numbers.start}",
        edition=rules.edition,
        variants=rules.variants,
        own_tickets=encode_tickets(rules.tickets) if rules.has_own_tickets else (),
        time_control=encode_time_control(TimeControl()),
        seats=[
            LaneSeat(bot=bots[index].name, version=version, archive=archives[index])
            for index, version in zip(order, versions, strict=True)
        ],
        games=[
            LaneGame(
                game_id=_game_id(seed, number, versions), seed=deal_seed(seed, number // len(bots))
            )
            for number in numbers
        ],
    )


def seating(seats: int, number: int) -> tuple[int, ...]:
    """Return which bot sits in each seat of a game of the match."""
    return tuple((seat + number) % seats for seat in range(seats))


def _game_id(seed: str, number: int, versions: Sequence[str]) -> str:
    words = ["roundhouse play", seed, str(number), *versions]
    return hashlib.sha256("/".join(words).encode()).hexdigest()[:16]


async def _play_lanes(
    target: str,
    lanes: Sequence[tuple[range, PlayLaneRequest]],
    at_once: int,
    finished: Callable[[GameResult], None],
) -> None:
    room = asyncio.Semaphore(at_once)
    async with grpc.aio.insecure_channel(target, options=OPTIONS) as channel:
        stub = MatchServiceStub(channel)
        await asyncio.gather(*(_play_lane(stub, *lane, room, finished) for lane in lanes))


async def _play_lane(
    stub: "MatchServiceAsyncStub",
    numbers: range,
    lane: PlayLaneRequest,
    room: asyncio.Semaphore,
    finished: Callable[[GameResult], None],
) -> None:
    seats = len(lane.seats)
    number_of = {game.game_id: number for game, number in zip(lane.games, numbers, strict=True)}
    async with room:
        async for message in stub.PlayLane(lane, metadata=service_metadata()):
            match message.WhichOneof("kind"):
                case "game_finished":
                    game = message.game_finished
                    log = load_log(game.log)
                    deal, rotation = divmod(number_of[game.game_id], seats)
                    finished(
                        GameResult(
                            deal=deal,
                            rotation=rotation,
                            entrants=seating(seats, rotation),
                            log=log,
                            standings=tuple(decode_standing(one) for one in log.standings),
                            forfeits=tuple(game.forfeits),
                        )
                    )
                case "game_aborted":
                    raise CommandError(
                        "The referee could not play a game, by no fault of the bots: "
                        f"{message.game_aborted.sentence}"
                    )
                case _:
                    continue  # signs of life
