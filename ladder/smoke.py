"""The smoke game: before a version is accepted, it plays against itself on a referee."""

import secrets
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from datetime import timedelta

import grpc

from ladder.errors import InvalidError, UnavailableError
from roundhouse.api.game.v1 import verdict_pb2
from roundhouse.api.referee.v1 import match_pb2, match_pb2_grpc
from roundhouse.channel import OPTIONS, authorization
from roundhouse.codec import encode_time_control
from roundhouse.package import Package
from roundhouse.plaintext import printable
from roundhouse.timecontrol import TimeControl
from roundhouse.verdict import OUTPUT_HEADING, REASON_NAMES

GAME_DEADLINE = timedelta(minutes=4)
"""The longest that one may take: two banks, and the increments of a long game."""
PATIENCE = timedelta(seconds=60)
"""How long a submission waits for a referee that is busy with other games."""
PAUSE = timedelta(milliseconds=500)
MAX_WAITING = 8
"""Submissions at a time; each holds a thread of the server."""
TAIL_BYTES = 1_500
"""Of a bot's output. An error travels in a header, which holds 8 KiB and may triple each byte."""

_SEATS = 2
_AWAY = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED})
_OPTIONS = (*OPTIONS, ("grpc.enable_retries", 0))


class RefereeBusyError(Exception):
    """A referee plays as many lanes as it can."""


class RefereeAwayError(Exception):
    """A referee cannot be reached, or failed; the message says how."""


class SmokeTest:
    """Plays smoke games on the first referee that is there. Threads may share one."""

    def __init__(
        self, targets: Sequence[str], service_token: str, patience: timedelta = PATIENCE
    ) -> None:
        self._targets = tuple(targets)
        self._metadata = authorization(service_token)
        self._patience = patience
        self._places = threading.BoundedSemaphore(MAX_WAITING)
        self._stopped = threading.Event()
        self._calls: set[grpc.Call] = set()  # adding and discarding are atomic

    def check(self, package: Package, archive: bytes) -> None:
        """Play one game of the archive against itself; return when it behaved.

        Raises:
            InvalidError: it forfeited; the sentence says why, with the end of its output.
            UnavailableError: no game could be played, by no fault of the bot's.
        """
        if not self._places.acquire(blocking=False):
            raise UnavailableError(
                f"{MAX_WAITING} submissions are being checked already; try again in a minute."
            )
        try:
            forfeits = self._play(_lane(package, archive))
        finally:
            self._places.release()
        if forfeits:
            raise InvalidError(_sentence(package, forfeits[0]))

    def stop(self) -> None:
        """End the games that are played, and let nobody wait for a referee any longer."""
        self._stopped.set()
        for call in tuple(self._calls):
            call.cancel()

    def _play(self, lane: match_pb2.PlayLaneRequest) -> Sequence[verdict_pb2.Forfeit]:
        if not self._targets:
            raise UnavailableError(
                "No referee is known to this ladder, so no bot can be checked; "
                "its operator must set ROUNDHOUSE_REFEREE_TARGETS."
            )
        end = time.monotonic() + self._patience.total_seconds()
        while True:
            try:
                return self._offer(lane)
            except RefereeBusyError:
                if time.monotonic() >= end or self._stopped.wait(PAUSE.total_seconds()):
                    raise UnavailableError(
                        "Every referee is busy with other games; submit again in a few minutes."
                    ) from None

    def _offer(self, lane: match_pb2.PlayLaneRequest) -> Sequence[verdict_pb2.Forfeit]:
        """Ask each referee once, in order."""
        reason, is_busy = "", False
        for target in self._targets:
            try:
                return self._play_on(target, lane)
            except RefereeBusyError:
                is_busy = True
            except RefereeAwayError as error:
                reason = str(error)
        if is_busy:
            raise RefereeBusyError
        raise UnavailableError(
            f"The bot could not be checked, by no fault of its own: {reason} Submit it again later."
        )

    def _play_on(
        self, target: str, lane: match_pb2.PlayLaneRequest
    ) -> Sequence[verdict_pb2.Forfeit]:
        with closing(grpc.insecure_channel(target, options=_OPTIONS)) as channel:
            call = match_pb2_grpc.MatchServiceStub(channel).PlayLane(
                lane, metadata=self._metadata, timeout=GAME_DEADLINE.total_seconds()
            )
            self._calls.add(call)
            try:
                if self._stopped.is_set():
                    call.cancel()
                for message in call:
                    match message.WhichOneof("kind"):
                        case "game_finished":
                            return message.game_finished.forfeits
                        case "game_aborted":
                            raise RefereeAwayError(message.game_aborted.sentence)
                        case _:  # a sign of life
                            pass
            except grpc.RpcError as error:
                raise _translated(target, error) from error
            finally:
                self._calls.discard(call)
        raise RefereeAwayError(f"The referee at {target} ended the lane without a result.")


def _translated(target: str, error: grpc.RpcError) -> Exception:
    code, details = error.code(), error.details() or ""
    if code is grpc.StatusCode.RESOURCE_EXHAUSTED:
        return RefereeBusyError()
    if code is grpc.StatusCode.CANCELLED:
        return RefereeAwayError("the ladder is being stopped.")
    if code in _AWAY:
        return RefereeAwayError(f"the referee at {target} cannot be reached.")
    return RefereeAwayError(f"the referee at {target} refused the game: {details}")


def _lane(package: Package, archive: bytes) -> match_pb2.PlayLaneRequest:
    seat = match_pb2.LaneSeat(bot=package.manifest.name, version=package.hash, archive=archive)
    game = match_pb2.LaneGame(game_id=f"smoke-{secrets.token_hex(8)}", seed=secrets.token_bytes(32))
    return match_pb2.PlayLaneRequest(
        lane_id=f"smoke-{package.hash[:12]}",
        edition="classic",
        time_control=encode_time_control(TimeControl()),
        seats=[seat] * _SEATS,
        games=[game],
        rated=False,
    )


def _sentence(package: Package, forfeit: verdict_pb2.Forfeit) -> str:
    reason = REASON_NAMES.get(forfeit.reason, "forfeit")
    text = f"{package.manifest.name} was not accepted: it forfeited its smoke game ({reason}). "
    text += forfeit.sentence
    tail = printable(forfeit.output_tail[-TAIL_BYTES:].decode(errors="replace")).strip()
    return f"{text}{OUTPUT_HEADING}{tail}" if tail else text
