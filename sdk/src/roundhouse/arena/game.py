"""One game between bots in this process."""

import platform
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from time import monotonic
from traceback import format_exception

from roundhouse import __version__
from roundhouse.api.game.v1 import log_pb2, verdict_pb2
from roundhouse.bot import Bot, GameInfo
from roundhouse.codec import decode_action, encode_action, encode_duration
from roundhouse.errors import BotError
from roundhouse.replay import Recorder
from roundhouse.rules import (
    Action,
    Event,
    RulesError,
    RuleSet,
    Standing,
    commitment,
    start_game,
)
from roundhouse.verdict import crash_sentence, illegal_action_sentence

_TAIL_BYTES = 64 * 1024  # as much of a bot's output as the referee keeps


class _Fault(Exception):  # noqa: N818 - it never leaves this module
    """A bot's own fault, on its way to the forfeit."""

    def __init__(
        self, reason: verdict_pb2.ForfeitReason.ValueType, sentence: str, trace: str = ""
    ) -> None:
        super().__init__(sentence)
        self.reason = reason
        self.trace = trace


class LocalGame:
    """Play one game, write its log, and let a bot that fails forfeit as it would on the ladder."""

    def __init__(
        self,
        *,
        game_id: str,
        rules: RuleSet,
        seed: bytes,
        seats: Sequence[log_pb2.LogSeat],
    ) -> None:
        """Deal the game. Raise `RulesError` when the rules do not allow it."""
        self._state, self._history = start_game(rules, len(seats), seed)
        self._game_id = game_id
        self._rules = rules
        self._seed = seed
        self._start = monotonic()
        self._seen = [0] * len(seats)  # by seat: how much of the history its bot has been told
        self._decisions = 0
        self._recorder = Recorder(
            game_id=game_id,
            rules=rules,
            seats=seats,
            seed=seed,
            time_control=None,
            host=log_pb2.Host(
                referee_version=__version__,
                driver="in-process",
                isolated=False,
                missing=["isolation", "clocks"],
                name=platform.node(),
            ),
            started_at=datetime.now(UTC),
        )
        self._recorder.set_up(self._history, self._state.digest())

    @property
    def forfeits(self) -> list[verdict_pb2.Forfeit]:
        """Return the forfeits so far."""
        return self._recorder.forfeits

    def play(self, bots: Sequence[Bot]) -> log_pb2.GameLog:
        """Play to the end and return the log.

        Raises `BotError` when a bot raises after the game is over: it has nothing left to forfeit.
        """
        for seat, bot in enumerate(bots):
            self._greet(seat, bot)
        while not self._state.is_over():
            seat = self._state.seats_to_act()[0]
            self._decide(seat, bots[seat])
        standings = self._state.standings()
        left = {forfeit.seat for forfeit in self.forfeits}
        for seat, bot in enumerate(bots):
            if seat not in left:  # on the ladder the process of one that left would be gone
                self._take_leave(seat, bot, standings)
        return self._recorder.finish(
            finished_at=datetime.now(UTC), standings=standings, digest=self._state.digest()
        )

    def _greet(self, seat: int, bot: Bot) -> None:
        info = GameInfo(
            game_id=self._game_id,
            rules=self._rules,
            seat=seat,
            seats=len(self._seen),
            time_control=None,
            seed_commitment=commitment(self._seed),
        )
        bot.time_left = None
        try:
            with _watched():
                bot.game_started(info)
        except _Fault as fault:
            self._forfeit(seat, fault, decision_id=0, used=0.0)

    def _decide(self, seat: int, bot: Bot) -> None:
        self._decisions += 1
        decision_id = self._decisions
        start = monotonic()
        try:
            with _watched():
                self._catch_up(seat, bot)
                # Over the wire and back, so that what arrives is what would arrive at the referee.
                action = decode_action(encode_action(bot.choose(self._state.observe(seat))))
            used = monotonic() - start
            events = self._apply(seat, action)
        except _Fault as fault:
            self._forfeit(seat, fault, decision_id=decision_id, used=monotonic() - start)
            return
        self._history += events
        self._recorder.action(
            at=self._now(),
            seat=seat,
            decision_id=decision_id,
            action=action,
            used=timedelta(seconds=used),
            bank=None,
            events=events,
            digest=self._state.digest(),
        )

    def _apply(self, seat: int, action: Action) -> list[Event]:
        try:
            return self._state.apply(action, seat)
        except RulesError as error:
            sentence = illegal_action_sentence(action, error, self._rules.board)
            raise _Fault(verdict_pb2.FORFEIT_REASON_ILLEGAL_ACTION, sentence) from error

    def _catch_up(self, seat: int, bot: Bot) -> None:
        """Tell a bot what happened since it was last told, as far as it may see it."""
        news = self._history[self._seen[seat] :]
        self._seen[seat] = len(self._history)
        for event in news:
            bot.see(event.redacted(seat))

    def _take_leave(self, seat: int, bot: Bot, standings: Sequence[Standing]) -> None:
        try:
            with _watched():
                self._catch_up(seat, bot)
                bot.game_over(standings)
        except _Fault as fault:
            name = type(bot).__name__
            raise BotError(f"{name} failed at the end of game {self._game_id}: {fault}") from fault

    def _forfeit(self, seat: int, fault: _Fault, *, decision_id: int, used: float) -> None:
        if self._state.is_over():  # the others have left before the game began
            return
        events = self._state.forfeit(seat)
        self._history += events
        self._recorder.forfeit(
            at=self._now(),
            forfeit=verdict_pb2.Forfeit(
                seat=seat,
                reason=fault.reason,
                sentence=str(fault),
                decision_id=decision_id,
                used=encode_duration(timedelta(seconds=used)),
                output_tail=fault.trace.encode()[-_TAIL_BYTES:],
            ),
            events=events,
            digest=self._state.digest(),
        )

    def _now(self) -> timedelta:
        return timedelta(seconds=monotonic() - self._start)


@contextmanager
def _watched() -> Iterator[None]:
    """Turn whatever a bot raises, `sys.exit` included, into its fault."""
    try:
        yield
    except (Exception, SystemExit) as error:
        trace = "".join(format_exception(error))
        raise _Fault(verdict_pb2.FORFEIT_REASON_CRASH, crash_sentence(error), trace) from error
