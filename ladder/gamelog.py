"""What the ladder reads from a log: the result that it records."""

import hashlib

from ladder.domain.game import ForfeitReason, GameResult, SeatResult
from ladder.errors import InvalidError
from roundhouse.api.game.v1 import log_pb2
from roundhouse.codec import decode_time_control, decode_timestamp
from roundhouse.replay import load_log, verify
from roundhouse.verdict import REASON_NAMES


def read_result(data: bytes, *, is_verified: bool = True) -> GameResult:
    """Read the result of a game from its log, and check that it holds together.

    The game is played again from seed and actions, which takes some 20 ms: what does not verify is
    never recorded, and so every log that the ladder gives out can be trusted. `is_verified=False`
    leaves that out, for a log that was recorded before.

    Raises:
        LogError: the bytes are no log.
        ProtocolError: a part of it means nothing.
        InvalidError: it contradicts itself, is unfinished, or holds what is not for everybody.
    """
    log = load_log(data)
    if not log.HasField("finished_at"):
        raise InvalidError(f"The log of game {log.game_id} has no end.")
    if log.rules.own_tickets:
        raise InvalidError(
            f"The log of game {log.game_id} has the tickets of an own box, which no tournament of "
            "this ladder has."
        )
    if len(log.seed) != 32 or hashlib.sha256(log.seed).digest() != log.seed_commitment:
        raise InvalidError(f"The seed in the log of game {log.game_id} is not the committed one.")
    seats = _seats(log)
    if is_verified and not (verification := verify(log)).ok:
        raise InvalidError(f"The log of game {log.game_id} is wrong: {verification.sentence}")
    return GameResult(
        game_id=log.game_id,
        edition=log.rules.edition,
        variants=tuple(log.rules.variants),
        time_control=decode_time_control(log.time_control),
        bots=tuple(seat.bot for seat in log.seats),
        versions=tuple(seat.version for seat in log.seats),
        seed=log.seed,
        is_isolated=log.host.isolated,
        host=log.host.name,
        started_at=decode_timestamp(log.started_at),
        finished_at=decode_timestamp(log.finished_at),
        seats=seats,
    )


def _seats(log: log_pb2.GameLog) -> tuple[SeatResult, ...]:
    seats = range(len(log.seats))
    if [standing.seat for standing in log.standings] != list(seats):
        raise InvalidError(f"The log of game {log.game_id} does not have one standing a seat.")
    forfeits = _forfeits(log)
    if {standing.seat for standing in log.standings if standing.forfeited} != set(forfeits):
        raise InvalidError(
            f"The standings in the log of game {log.game_id} do not agree with its forfeits."
        )
    placements = [standing.placement for standing in log.standings]
    if any(own != 1 + sum(other < own for other in placements) for own in placements):
        raise InvalidError(
            f"The placements in the log of game {log.game_id} are not 1 to {len(placements)} "
            f"with ties sharing one: {placements}."
        )
    return tuple(
        SeatResult(standing.placement, standing.total, forfeits.get(standing.seat))
        for standing in log.standings
    )


def _forfeits(log: log_pb2.GameLog) -> dict[int, ForfeitReason]:
    forfeits: dict[int, ForfeitReason] = {}
    for entry in log.entries:
        if not entry.HasField("forfeit"):
            continue
        forfeit = entry.forfeit
        if forfeit.output_tail or forfeit.last_request or forfeit.HasField("usage"):
            raise InvalidError(
                f"The log of game {log.game_id} holds a bot's output, which is its owner's alone."
            )
        name = REASON_NAMES.get(forfeit.reason)
        if name is None or name not in ForfeitReason.__members__:
            raise InvalidError(
                f"The log of game {log.game_id} has a forfeit without a reason that we know "
                f"({forfeit.reason})."
            )
        forfeits[forfeit.seat] = ForfeitReason[name]
    return forfeits
