"""Play a chunk: lease it, find a referee, hand each finished game to the ladder as it ends."""

from __future__ import annotations

import logging
from datetime import timedelta
from enum import Enum
from typing import TYPE_CHECKING

import grpc

from roundhouse.api.game.v1.verdict_pb2 import ABORT_REASON_INTERNAL, ABORT_REASON_SANDBOX
from roundhouse.api.referee.v1 import match_pb2
from worker.faults import Fault, describe, is_away
from worker.ladder_client import LadderClient, LeaseTakenError
from worker.lease import Lease
from worker.referee_client import LaneFailedError, Referee, Referees, messages

if TYPE_CHECKING:
    import random

    from roundhouse.api.ladder.v1.dispatch_pb2 import LeaseChunkResponse
    from worker.settings import WorkerSettings

ATTEMPTS = 3
"""How often a chunk is offered to the referees before it rests. Each offer asks all of them."""
FIRST_PAUSE = timedelta(seconds=0.5)
"""Before the second offer; it doubles with each."""
FIRST_REST = timedelta(seconds=2)
LONGEST_REST = timedelta(minutes=5)
NEEDS_A_HAND = timedelta(minutes=1)
"""How long a chunk rests at least when somebody must mend something first."""

log = logging.getLogger(__name__)


class Outcome(Enum):
    """What became of a chunk."""

    PLAYED = "played"
    TAKEN = "taken"
    """Another worker holds it, or nothing of it is left: a task that ran twice."""
    RESTS = "rests"
    """Games are left, by a fault of a machine or of ours. The planner pass finds them later."""


def play_chunk(chunk_id: str, worker: str, settings: WorkerSettings, rng: random.Random) -> Outcome:
    """Play what is left of a chunk. `worker` must be a name that nobody else uses, ever.

    Raises `grpc.RpcError` when the ladder can't be reached or refuses; nothing is lost then, since
    the lease ends by itself and every game that was recorded stays recorded.
    """
    with LadderClient(settings) as ladder:
        try:
            chunk = ladder.lease(chunk_id, worker, settings.lease)
        except LeaseTakenError as error:
            log.info("%s: %s", chunk_id, error)
            return Outcome.TAKEN
        with Lease(ladder, chunk_id, worker, settings.lease) as lease, Referees(settings) as pool:
            return _Play(chunk_id, chunk, ladder, lease).run(pool, rng)


def rest_after(fault: Fault | None, aborts: int) -> timedelta:
    """Return how long a chunk rests whose games were aborted so often.

    It doubles each time, so that a game which can't be played costs little, and has an upper end,
    so that it is played soon after the fault is mended.
    """
    rest = FIRST_REST
    for _ in range(min(aborts, 16)):
        rest *= 2
    least = NEEDS_A_HAND if fault in {Fault.UNFIT, Fault.OURS} else FIRST_REST
    return min(max(rest, least), LONGEST_REST)


class _Play:
    """What is left of one chunk while it is played."""

    __slots__ = (
        "_aborts",
        "_chunk",
        "_chunk_id",
        "_failed",
        "_ladder",
        "_lease",
        "_left",
        "_refusals",
        "_request",
    )

    def __init__(
        self, chunk_id: str, chunk: LeaseChunkResponse, ladder: LadderClient, lease: Lease
    ) -> None:
        self._chunk_id = chunk_id
        self._chunk = chunk
        self._ladder = ladder
        self._lease = lease
        self._left = {game.game_id: game.seed for game in chunk.games}
        self._aborts = chunk.aborts
        self._failed: set[str] = set()  # referees that broke off or aborted a game
        self._refusals: list[str] = []  # of the last offer: from referees that may not play it
        self._request = self._lane()

    def run(self, referees: Referees, rng: random.Random) -> Outcome:
        """Offer the chunk until it is played, or the attempts are used up."""
        fault = None
        for attempt in range(ATTEMPTS):
            if attempt and not self._lease.pause(FIRST_PAUSE * 2 ** (attempt - 1)):
                return Outcome.TAKEN
            fault = self._offer(self._order(referees.freest_first(rng)))
            if self._lease.is_lost:
                return Outcome.TAKEN
            if not self._left:
                return Outcome.PLAYED
            if fault is Fault.OURS:
                break
        if self._refusals and not self._aborts:  # once: more of the same would only fill tables
            self._note_refusal(self._refusals[-1])
        rest = rest_after(fault, self._aborts)
        log.warning(
            "%s: %d games could not be played; the next try is in %.0f seconds.",
            self._chunk_id,
            len(self._left),
            rest.total_seconds(),
        )
        self._lease.rest(rest)
        return Outcome.RESTS

    def _order(self, referees: list[Referee]) -> list[Referee]:
        """Put those that failed at this chunk last."""
        return sorted(referees, key=lambda referee: referee.target in self._failed)

    def _offer(self, referees: list[Referee]) -> Fault | None:
        """Ask one referee after another until one has played the lane to its end."""
        fault = None
        self._refusals = []
        for referee in referees:
            fault = self._play_on(referee)
            if fault in {None, Fault.OURS} or not self._left or self._lease.is_lost:
                return fault
        if len(self._refusals) < len(referees):
            self._refusals = []  # somebody else may play it, later
        return fault

    def _play_on(self, referee: Referee) -> Fault | None:
        """Play what is left on one referee. Return the fault that ended it early, if any did."""
        del self._request.games[:]
        for game_id, seed in self._left.items():
            self._request.games.add(game_id=game_id, seed=seed)
        call = referee.play_lane(self._request)
        with self._lease.watch(call):
            try:
                for message in messages(call):
                    self._lease.hear()
                    self._take(message, referee)
            except LaneFailedError as error:
                level = logging.ERROR if error.fault is Fault.OURS else logging.INFO
                log.log(level, "%s on %s: %s", self._chunk_id, referee.target, error)
                if error.fault is Fault.MACHINE:
                    self._failed.add(referee.target)
                if error.fault is Fault.UNFIT:
                    self._refusals.append(error.details)
                return error.fault
            finally:
                call.cancel()  # stops the bots when the ladder failed; else it does nothing
        return None

    def _take(self, message: match_pb2.PlayLaneResponse, referee: Referee) -> None:
        match message.WhichOneof("kind"):
            case "game_finished":
                self._record(message.game_finished)
            case "game_aborted":
                abort = message.game_aborted
                log.warning(
                    "%s was aborted on %s: %s", abort.game_id, referee.target, abort.sentence
                )
                self._failed.add(referee.target)
                self._abort(abort)
            case _:  # a sign of life, or news of a newer referee
                pass

    def _record(self, game: match_pb2.GameFinished) -> None:
        try:
            is_new = self._ladder.record_game(game)
        except grpc.RpcError as error:
            if is_away(error):
                raise
            log.exception("%s was played and can't be recorded.", game.game_id)
            self._abort(
                match_pb2.GameAborted(
                    game_id=game.game_id,
                    reason=ABORT_REASON_INTERNAL,
                    sentence=f"The ladder refused the log. {describe(error)}",
                )
            )
            return
        if not is_new:
            log.info("%s had been recorded before.", game.game_id)
        self._left.pop(game.game_id, None)

    def _abort(self, abort: match_pb2.GameAborted) -> None:
        self._ladder.record_abort(abort)
        self._aborts += 1

    def _note_refusal(self, sentence: str) -> None:
        """Tell the ladder why its games wait: no referee there is may play them."""
        game_id = next(iter(self._left))
        reason = ABORT_REASON_SANDBOX
        self._abort(match_pb2.GameAborted(game_id=game_id, reason=reason, sentence=sentence))

    def _lane(self) -> match_pb2.PlayLaneRequest:
        tournament = self._chunk.tournament
        versions = self._chunk.games[0].versions
        return match_pb2.PlayLaneRequest(
            lane_id=self._chunk_id,
            edition=tournament.edition,
            variants=tournament.variants,
            time_control=tournament.time_control,
            seats=[
                match_pb2.LaneSeat(bot=bot, version=version, archive=self._ladder.archive(version))
                for bot, version in zip(self._chunk.bots, versions, strict=True)
            ],
            rated=tournament.rated,
        )
