"""Write down a game while it is played: one way for the referee and for local play."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from roundhouse.api.game.v1 import log_pb2, verdict_pb2
from roundhouse.codec import (
    encode_action,
    encode_duration,
    encode_rules,
    encode_standing,
    encode_time_control,
    encode_timestamp,
)
from roundhouse.codec.events import serialise_event
from roundhouse.codec.fields import MessageField
from roundhouse.replay.file import LOG_FORMAT
from roundhouse.rules import Action, Event, RuleSet, Standing, commitment
from roundhouse.timecontrol import TimeControl

DIGEST_BYTES = 8
"""How much of a state's digest an entry keeps: enough to notice, small enough for every entry."""

_SET_UP = MessageField(log_pb2.GameLog, "set_up")
_ENTRIES = MessageField(log_pb2.GameLog, "entries")
_EVENTS = MessageField(log_pb2.LogEntry, "events")


class Recorder:
    """Build the log of one game: set-up, then entries in order, then the end."""

    def __init__(
        self,
        *,
        game_id: str,
        rules: RuleSet,
        seats: Sequence[log_pb2.LogSeat],
        seed: bytes,
        time_control: TimeControl | None,
        host: log_pb2.Host,
        started_at: datetime,
    ) -> None:
        """Open the log. `time_control` is None where no clock runs; `started_at` knows its zone."""
        self._forfeits: list[verdict_pb2.Forfeit] = []
        self._log = log_pb2.GameLog(
            format=LOG_FORMAT,
            game_id=game_id,
            rules=encode_rules(rules),
            seats=seats,
            time_control=None if time_control is None else encode_time_control(time_control),
            seed_commitment=commitment(seed),
            seed=seed,
            host=host,
            started_at=encode_timestamp(started_at),
        )

    @property
    def forfeits(self) -> list[verdict_pb2.Forfeit]:
        """Return the forfeits in order, with what the bots printed: for their owners alone."""
        return self._forfeits

    def set_up(self, events: Iterable[Event], digest: bytes) -> None:
        """Record what happened at set-up, and the digest of the state after it."""
        self._log.MergeFromString(b"".join(_SET_UP.write(serialise_event(one)) for one in events))
        self._log.set_up_digest = digest[:DIGEST_BYTES]

    def action(  # noqa: PLR0913 - what an entry is made of
        self,
        *,
        at: timedelta,
        seat: int,
        decision_id: int,
        action: Action,
        used: timedelta,
        bank: timedelta | None,
        events: Iterable[Event],
        digest: bytes,
    ) -> None:
        """Record an answered decision; `at` counts from the start. Without a clock, no bank."""
        answer = log_pb2.SeatAction(
            seat=seat,
            decision_id=decision_id,
            action=encode_action(action),
            used=encode_duration(used),
            bank=None if bank is None else encode_duration(bank),
        )
        self._append(log_pb2.LogEntry(at=encode_duration(at), action=answer), events, digest)

    def forfeit(
        self,
        *,
        at: timedelta,
        forfeit: verdict_pb2.Forfeit,
        events: Iterable[Event],
        digest: bytes,
    ) -> None:
        """Record a forfeit. The log gets it without what the bot printed and was asked."""
        self._forfeits.append(forfeit)
        entry = log_pb2.LogEntry(at=encode_duration(at), forfeit=forfeit)
        entry.forfeit.ClearField("output_tail")
        entry.forfeit.ClearField("last_request")
        self._append(entry, events, digest)

    def finish(
        self, *, finished_at: datetime, standings: Iterable[Standing], digest: bytes
    ) -> log_pb2.GameLog:
        """Close the log and return it. The recorder must not be used any more."""
        self._log.finished_at.CopyFrom(encode_timestamp(finished_at))
        self._log.standings.extend(encode_standing(standing) for standing in standings)
        self._log.final_digest = digest
        return self._log

    def _append(self, entry: log_pb2.LogEntry, events: Iterable[Event], digest: bytes) -> None:
        entry.digest = digest[:DIGEST_BYTES]
        # As bytes: at every decision, copying messages into messages would cost the most.
        parts = [entry.SerializeToString()]
        parts += [_EVENTS.write(serialise_event(event)) for event in events]
        self._log.MergeFromString(_ENTRIES.write(b"".join(parts)))
