"""A game as it happens: the session, the players that it hears and tells, and the log."""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta
from typing import TYPE_CHECKING

from referee.entry import Acted
from referee.session import NO_METERS, Session
from referee.verdict import AbortError, AbortReason, Fault, ForfeitReason
from referee.wire import read_answer, write_decision, write_game_over, write_game_started
from roundhouse.codec import ProtocolError
from roundhouse.timecontrol import Measure

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from referee.player import Player
    from referee.session import Meters
    from referee.verdict import Forfeit
    from roundhouse.replay import Recorder
    from roundhouse.rules import RuleSet
    from roundhouse.timecontrol import TimeControl

FLAG_DELAY = timedelta(milliseconds=1)
"""How long after a deadline its flag is looked at. An event loop's timers may fire a little early,
and an answer that came in time may still be waiting to be read."""


class Game:
    """One game between players.

    Everything happens in callbacks, each of which is over before the next begins: a player's
    message, a player's end, or a timer. There is no task per game that a slow player could block.
    """

    def __init__(
        self,
        game_id: str,
        rules: RuleSet,
        control: TimeControl,
        seed: bytes,
        players: Sequence[Player],
        recorder: Recorder,
        *,
        first_decision_id: int,
    ) -> None:
        """Deal the game; `play` plays it."""
        self.game_id = game_id
        self.decisions = 0
        self._players = players
        self._margin = control.margin
        self._begun: list[int] = []
        self._asked: dict[int, bytes] = {}
        self._is_metered = control.measure is Measure.CPU
        self._recorder = recorder
        self._started = write_game_started(game_id, rules, len(players), control, seed)
        self.session = Session(
            rules, len(players), seed, control, now(), first_decision_id=first_decision_id
        )
        self._loop = asyncio.get_running_loop()
        self._over: asyncio.Future[None] = self._loop.create_future()
        self._timer: asyncio.TimerHandle | None = None
        self._is_to_settle = False

    async def play(self) -> None:
        """Play the game to its end.

        Raises:
            AbortError: it cannot be played to its end, by a fault of ours.
        """
        session = self.session
        self._recorder.set_up(list(session.set_up), session.set_up_digest)
        faults = {}
        for seat, player in enumerate(self._players):
            fault = player.enter(self)
            if fault is None:
                player.send(self._started[seat])
            else:
                faults[seat] = fault
        try:
            self._go_on(session.fault(faults, now()))
            await self._over
        finally:
            if self._timer is not None:
                self._timer.cancel()
            for seat, player in enumerate(self._players):
                player.leave(owed=session.open_decision(seat))
        self._record()

    def last_request(self, seat: int) -> bytes:
        """Return the last decision that a seat was asked for, as it was sent; empty before any."""
        return self._asked.get(seat, b"")

    def heard(self, seat: int, message: bytes) -> None:
        """Take a player's message."""
        moment = now()
        try:
            try:
                decision_id, action = read_answer(message)
            except ProtocolError as error:
                fault = Fault(ForfeitReason.PROTOCOL, str(error))
                meters = self._meters((seat,))
                self._go_on(self.session.fault({seat: fault}, moment, meters))
            else:
                meters = self._meters((seat,))
                self._excuse(moment, meters)
                self._go_on(self.session.answer(seat, decision_id, action, moment, meters))
        except Exception as error:  # noqa: BLE001 - whatever it is, no seat shall pay for it
            self._fail(error)

    def failed(self, seat: int, fault: Fault) -> None:
        """Take a player's end."""
        try:
            self._go_on(self.session.fault({seat: fault}, now(), self._meters((seat,))))
        except Exception as error:  # noqa: BLE001 - whatever it is, no seat shall pay for it
            self._fail(error)

    def broke(self, error: AbortError) -> None:
        """Take a failure of ours."""
        self._fail(error)

    def _look_at_clocks(self) -> None:
        self._timer = None
        try:
            moment = now()
            meters = self._meters(range(len(self._players)))
            self._excuse(moment, meters)
            self._go_on(self.session.tick(moment, meters))
        except Exception as error:  # noqa: BLE001 - whatever it is, no seat shall pay for it
            self._fail(error)

    def _go_on(self, forfeits: list[Forfeit]) -> None:
        """Do what the session says is due: tell verdicts, ask for decisions, end the game."""
        session = self.session
        for forfeit in forfeits:
            self._players[forfeit.seat].dismiss(forfeit.fault)
        if session.is_over:
            self._end()
            return
        for seat in session.due():
            self._players[seat].thaw()
        meters = self._meters(session.due())
        for decision in session.open_decisions(now(), meters):
            message = self._asked[decision.seat] = write_decision(decision)
            self._players[decision.seat].send(message)
            self._begun.append(decision.seat)
        if not self._is_to_settle:  # while the decisions are on their way
            self._is_to_settle = True
            self._loop.call_soon(self._settle)

    def _end(self) -> None:
        if self._over.done():
            return
        session = self.session
        gone = {forfeit.seat for forfeit in session.forfeits}
        for seat, player in enumerate(self._players):
            if seat not in gone:
                news = session.news(seat)
                player.send(write_game_over(self.game_id, news, session.standings))
        self._over.set_result(None)

    def _settle(self) -> None:
        """Do what no bot waits for: freeze, keep the log, and have a timer for the next flag."""
        self._is_to_settle = False
        if not self._over.done():
            self._freeze()
        for seat in self._begun:
            self._players[seat].begin_time()
        self._begun.clear()
        self._record()
        if not self._over.done():
            self._watch_clocks()

    def _meters(self, seats: Iterable[int]) -> Meters:
        """Read the meters of seats, as far as any is needed."""
        if not self._is_metered:
            return NO_METERS
        shown = ((seat, self._players[seat].meter()) for seat in seats)
        return {seat: meter for seat, meter in shown if meter is not None}

    def _excuse(self, moment: timedelta, meters: Meters) -> None:
        """See to it that no flag falls by a fault of the machine; a meter's flag never does."""
        for seat in self.session.late(moment, meters):
            self.session.excuse(seat, self._players[seat].kept_waiting(self._margin))

    def _freeze(self) -> None:
        """Hold every bot still that has nothing to decide. Whoever has an open decision runs."""
        for seat, player in enumerate(self._players):
            if not self.session.open_decision(seat):
                player.freeze()

    def _watch_clocks(self) -> None:
        """Have a timer fire no later than the next flag can fall.

        One that fires too early is cheap and sets itself anew; so it is left alone as long as it
        is not late, which spares two operations on the loop's heap at every decision.
        """
        look = self.session.next_look()
        if look is None:
            return
        due = self._loop.time() + (look - now() + FLAG_DELAY).total_seconds()
        if self._timer is not None:
            if self._timer.when() <= due:
                return
            self._timer.cancel()
        self._timer = self._loop.call_at(due, self._look_at_clocks)

    def _record(self) -> None:
        try:
            for entry in self.session.take_entries():
                if isinstance(entry, Acted):
                    self.decisions += 1
                    self._recorder.action(
                        at=entry.at,
                        seat=entry.seat,
                        decision_id=entry.decision_id,
                        action=entry.action,
                        used=entry.used,
                        bank=entry.bank,
                        events=entry.events,
                        digest=entry.digest,
                    )
                else:
                    self._recorder.forfeit(
                        at=entry.at,
                        forfeit=entry.forfeit.encode(),
                        events=entry.events,
                        digest=entry.digest,
                    )
        except Exception as error:  # noqa: BLE001 - whatever it is, no seat shall pay for it
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        if not self._over.done():
            if not isinstance(error, AbortError):
                sentence = f"The referee failed: {type(error).__name__}: {error}."
                error = AbortError(AbortReason.INTERNAL, sentence)
            self._over.set_exception(error)


def now() -> timedelta:
    """Read the clock by which all time in a lane is measured."""
    return timedelta(microseconds=time.monotonic_ns() // 1000)
