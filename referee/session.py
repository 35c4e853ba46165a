"""One game, refereed, without any input or output.

The caller brings what happens (an answer, a fault, the passing of time) together with the moment at
which it happened, and afterwards asks what there is to do: decisions to send, forfeits to tell, a
game that is over, entries for the log. A moment is the time since some origin of the caller's, and
moments never run backwards. Where processor time is measured, what the seats' meters show comes
with it, by seat; a seat whose meter is not brought is judged by the wall clock's backstop alone.

    session = Session(rules, seats, seed, control, now)
    while not session.is_over:
        send(session.open_decisions(now))
        tell(session.answer(seat, decision_id, action, now))  # or fault(...), or tick(...)
        keep(session.take_entries())
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from referee.clock import NOTHING, Clock
from referee.decision import Decision
from referee.entry import Acted, Left
from referee.verdict import Fault, Forfeit, ForfeitReason
from roundhouse.rules import RulesError, start_game
from roundhouse.timecontrol import BACKSTOP_FACTOR, Measure
from roundhouse.verdict import illegal_action_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import timedelta

    Meters = Mapping[int, timedelta]

    from roundhouse.rules import Action, Event, RuleSet, Standing
    from roundhouse.timecontrol import TimeControl

NO_METERS: Meters = MappingProxyType({})
LONGEST_SENTENCE = 500
"""Characters. An action may name ten thousand tickets, and its sentence repeats them."""


@dataclass(slots=True)
class _Seat:
    clock: Clock
    decision_id: int = 0  # the open decision, or 0
    seen: int = 0  # how many of the game's events it has been told
    forfeit: Forfeit | None = None


class Session:
    """The authoritative game between seats of whatever kind: bots now, people later."""

    def __init__(
        self,
        rules: RuleSet,
        seats: int,
        seed: bytes,
        control: TimeControl,
        now: timedelta,
        *,
        first_decision_id: int = 1,
    ) -> None:
        """Deal the game.

        Decision ids count on from `first_decision_id`, so that they can rise through a whole lane
        and an answer to an earlier game's decision never fits a later one.

        Raises:
            RulesError: the rules are not played, or not with that many seats.
        """
        self._rules = rules
        self._state, self._events = start_game(rules, seats, seed)
        self._seats = [_Seat(Clock.full(control)) for _ in range(seats)]
        self._start = now
        self._next_decision_id = first_decision_id
        self._entries: list[Acted | Left] = []
        self._unsealed: Acted | Left | None = None
        self.set_up = tuple(self._events)
        self.set_up_digest = self._state.digest()

    @property
    def is_over(self) -> bool:
        """Say whether the game has ended."""
        return self._state.is_over()

    @property
    def standings(self) -> tuple[Standing, ...]:
        """Return the standings by seat; the game must be over."""
        return self._state.standings()

    @property
    def forfeits(self) -> tuple[Forfeit, ...]:
        """Return all forfeits so far, by seat."""
        return tuple(seat.forfeit for seat in self._seats if seat.forfeit is not None)

    @property
    def next_decision_id(self) -> int:
        """Return the id that the next decision will get."""
        return self._next_decision_id

    def open_decision(self, seat: int) -> int:
        """Return the id of the decision that the seat has not answered, or 0.

        After the end it is the one that was taken back: its answer may still be on its way.
        """
        return self._seats[seat].decision_id

    @property
    def digest(self) -> bytes:
        """Return the digest of the present state."""
        return self._state.digest()

    def next_look(self) -> timedelta | None:
        """Return the moment after which `tick` may find a flag fallen, if any clock runs."""
        if self.is_over:
            return None
        return min((d for seat in self._seats if (d := seat.clock.next_look)), default=None)

    def due(self) -> tuple[int, ...]:
        """Return the seats whose decisions `open_decisions` will open."""
        if self.is_over:
            return ()
        acting = self._state.seats_to_act()
        return tuple(number for number in acting if not self._seats[number].decision_id)

    def open_decisions(self, now: timedelta, meters: Meters = NO_METERS) -> list[Decision]:
        """Open every decision that is due and start its seat's clock.

        Call it right before sending: a decision that was opened counts as delivered.
        """
        return [self._open(number, now, meters.get(number, NOTHING)) for number in self.due()]

    def answer(
        self,
        number: int,
        decision_id: int,
        action: Action,
        now: timedelta,
        meters: Meters = NO_METERS,
    ) -> list[Forfeit]:
        """Take a seat's answer, and return the forfeits that are due now.

        An answer that comes after the flag, after the end or from a seat that has left changes
        nothing. An answer to any decision but the open one is a fault, and so is an action that is
        not legal.
        """
        forfeits = self.tick(now, meters)
        seat = self._seats[number]
        if self.is_over or seat.forfeit is not None:
            return forfeits
        if decision_id != seat.decision_id:
            fault = _wrong_decision(decision_id, seat.decision_id)
            return forfeits + self.fault({number: fault}, now, meters)
        self._seal()
        try:
            events = self._state.apply(action, number)
        except RulesError as error:
            sentence = illegal_action_sentence(action, error, self._rules.board)
            fault = Fault(ForfeitReason.ILLEGAL_ACTION, _cut(sentence))
            return forfeits + self.fault({number: fault}, now, meters)
        used = seat.clock.used(now, meters.get(number))
        seat.clock = seat.clock.stop(now, meters.get(number))
        seat.decision_id = 0
        self._events += events
        self._unsealed = Acted(
            now - self._start, number, decision_id, action, used, seat.clock.bank, events, b""
        )
        self._stop_clocks_at_end()
        return forfeits

    def fault(
        self, faults: Mapping[int, Fault], now: timedelta, meters: Meters = NO_METERS
    ) -> list[Forfeit]:
        """Let seats forfeit, all in the same moment, and return their forfeits.

        They leave in the order given, until one seat is left (R-24). Faults of seats that have left
        already, or that come after the end, change nothing.
        """
        forfeits = []
        for number, fault in faults.items():
            self._seal()
            seat = self._seats[number]
            if self.is_over or seat.forfeit is not None:
                continue
            phase = self._state.observe(number).phase
            events = self._state.forfeit(number)
            seat.forfeit = Forfeit(
                number,
                fault,
                seat.decision_id,
                seat.clock.limit if seat.decision_id else NOTHING,
                seat.clock.used(now, meters.get(number)),
                margin=seat.clock.control.margin,
                passed=seat.clock.passed(now),
                phase=phase,
            )
            seat.clock = seat.clock.withdraw()
            forfeits.append(seat.forfeit)
            self._events += events
            self._unsealed = Left(now - self._start, seat.forfeit, events, b"")
        self._stop_clocks_at_end()
        return forfeits

    def flagged(self, now: timedelta, meters: Meters = NO_METERS) -> list[int]:
        """Return the seats whose flags have fallen and that have not forfeited yet, in order."""
        flagged = [
            (deadline, number)
            for number, seat in enumerate(self._seats)
            if (deadline := seat.clock.deadline) is not None
            and seat.clock.has_flagged(now, meters.get(number))
        ]
        return [number for _, number in sorted(flagged)]

    def late(self, now: timedelta, meters: Meters = NO_METERS) -> list[int]:
        """Return the seats whose flags have fallen by the wall clock alone, in order."""
        return [
            number
            for number in self.flagged(now)
            if not self._seats[number].clock.has_overdrawn(meters.get(number))
        ]

    def excuse(self, number: int, kept: timedelta) -> None:
        """Give a seat back what the machine has kept from it since its decision was opened."""
        seat = self._seats[number]
        seat.clock = seat.clock.excuse(kept)

    def tick(self, now: timedelta, meters: Meters = NO_METERS) -> list[Forfeit]:
        """Let every seat forfeit whose flag has fallen, and return their forfeits."""
        flagged = self.flagged(now, meters)
        if flagged:
            faults = {number: _overrun(self._seats[number].clock) for number in flagged}
            return self.fault(faults, now, meters)
        for number, seat in enumerate(self._seats):
            seat.clock = seat.clock.looked(now, meters.get(number))
        return []

    def take_entries(self) -> list[Acted | Left]:
        """Return the log's entries since the last call.

        The digest of the last one is made here, and not when it happened, so that a caller can send
        the next decisions first.
        """
        self._seal()
        entries, self._entries = self._entries, []
        return entries

    def news(self, number: int) -> list[Event]:
        """Return the events since the seat was last told, as far as it may see them."""
        seat = self._seats[number]
        news = [event.redacted(number) for event in self._events[seat.seen :]]
        seat.seen = len(self._events)
        return news

    def _open(self, number: int, now: timedelta, meter: timedelta) -> Decision:
        seat = self._seats[number]
        seat.decision_id = self._next_decision_id
        self._next_decision_id += 1
        seat.clock = seat.clock.start(now, meter)
        return Decision(
            number,
            seat.decision_id,
            self.news(number),
            self._state.observe(number),
            self._state.legal_actions(number),
            seat.clock.limit,
            seat.clock.bank,
        )

    def _seal(self) -> None:
        if self._unsealed is not None:
            self._entries.append(replace(self._unsealed, digest=self._state.digest()))
            self._unsealed = None

    def _stop_clocks_at_end(self) -> None:
        if self.is_over:
            for seat in self._seats:
                seat.clock = seat.clock.withdraw()


def _cut(sentence: str) -> str:
    return (
        sentence if len(sentence) <= LONGEST_SENTENCE else sentence[: LONGEST_SENTENCE - 3] + "..."
    )


def _wrong_decision(answered: int, is_open: int) -> Fault:
    when = f"decision {is_open} was open" if is_open else "it had no decision to answer"
    sentence = f"It answered decision {answered} while {when}."
    return Fault(ForfeitReason.PROTOCOL, sentence)


def _overrun(clock: Clock) -> Fault:
    by = "bank" if clock.bank <= clock.control.decision_cap else "decision cap"
    within = f"{clock.limit.total_seconds():g} s"
    if clock.control.measure is Measure.CPU:
        within += f" of processor time, or {BACKSTOP_FACTOR} times that by the wall clock"
    margin = f"the margin of {clock.control.margin.total_seconds():g} s"
    if clock.excused:
        margin += f", {clock.excused.total_seconds():.2f} s of waiting for a processor left out"
    sentence = f"It did not answer within {within}, which is its {by}, and {margin}."
    return Fault(ForfeitReason.TIME, sentence)
