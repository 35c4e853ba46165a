"""Whatever happens, in whatever order, a game ends in one verdict and a log that holds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.clock import NOTHING
from referee.entry import Acted, Left
from referee.session import Session
from referee.verdict import Fault, ForfeitReason
from roundhouse.api.game.v1.log_pb2 import Host, LogSeat
from roundhouse.replay import Recorder, verify
from roundhouse.rules import (
    Action,
    Card,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    KeepTickets,
    Pass,
    TakeCard,
    edition,
)
from roundhouse.timecontrol import TimeControl

if TYPE_CHECKING:
    from referee.decision import Decision

MILLISECOND = timedelta(milliseconds=1)
CONTROL = TimeControl(
    bank=timedelta(seconds=2),
    increment=50 * MILLISECOND,
    margin=20 * MILLISECOND,
    decision_cap=timedelta(seconds=1),
)
NUMBERS = st.one_of(st.integers(0, 200), st.sampled_from([2**31 - 1, 2**32 - 1]))
TICKETS = st.lists(NUMBERS, max_size=4).map(tuple)
ANY_ACTION: st.SearchStrategy[Action] = st.one_of(
    st.builds(TakeCard, NUMBERS),
    st.builds(DrawCard),
    st.builds(DrawTickets),
    st.builds(KeepTickets, TICKETS, TICKETS),
    st.builds(ClaimRoute, NUMBERS, st.none() | st.sampled_from(Card), NUMBERS),
    st.builds(Pass),
)


class Table:
    """A session with everything that came out of it, checked on the way."""

    def __init__(self, seats: int, seed: bytes) -> None:
        self.now = timedelta(hours=3)
        self.seats = seats
        self.rules = edition("tiny")
        self.session = Session(self.rules, seats, seed, CONTROL, self.now)
        self.decisions: dict[int, Decision] = {}
        self.recorder = Recorder(
            game_id="any",
            rules=self.rules,
            seats=[LogSeat(bot=f"bot-{seat}") for seat in range(seats)],
            seed=seed,
            time_control=CONTROL,
            host=Host(driver="trusted"),
            started_at=datetime(2026, 1, 1, tzinfo=UTC),
        )
        self.recorder.set_up(list(self.session.set_up), self.session.set_up_digest)

    def happen(self, data: st.DataObject) -> None:
        """Let one thing happen: mostly a legal answer, else anything at all."""
        session = self.session
        for decision in session.open_decisions(self.now):
            assert decision.legal_actions
            assert decision.observation.seat == decision.seat
            self.decisions[decision.seat] = decision
        before = {forfeit.seat for forfeit in session.forfeits}
        self.now += data.draw(st.timedeltas(NOTHING, 30 * MILLISECOND))
        seat = data.draw(st.integers(0, self.seats - 1))
        kind = data.draw(st.sampled_from(["legal"] * 40 + ["any", "stray", "fault", "wait"]))
        if kind == "legal":
            decision = self.decisions[data.draw(st.sampled_from(sorted(self.decisions)))]
            action = decision.legal_actions[
                data.draw(st.integers(0, len(decision.legal_actions) - 1))
            ]
            told = session.answer(decision.seat, decision.decision_id, action, self.now)
        elif kind == "any":
            told = session.answer(
                seat, session.open_decision(seat), data.draw(ANY_ACTION), self.now
            )
        elif kind == "stray":
            told = session.answer(seat, data.draw(NUMBERS), data.draw(ANY_ACTION), self.now)
        elif kind == "fault":
            reason = data.draw(st.sampled_from(ForfeitReason))
            told = session.fault({seat: Fault(reason, "It failed.")}, self.now)
        else:
            self.now += data.draw(st.timedeltas(NOTHING, 2 * CONTROL.decision_cap))
            told = session.tick(self.now)
        assert {forfeit.seat for forfeit in session.forfeits} == before | {f.seat for f in told}
        assert not before & {forfeit.seat for forfeit in told}
        for number in list(self.decisions):
            if session.open_decision(number) != self.decisions[number].decision_id:
                del self.decisions[number]
        self.record()

    def record(self) -> None:
        for entry in self.session.take_entries():
            match entry:
                case Acted():
                    assert entry.bank >= CONTROL.increment
                    assert NOTHING <= entry.used <= CONTROL.decision_cap + CONTROL.margin
                    self.recorder.action(
                        at=entry.at,
                        seat=entry.seat,
                        decision_id=entry.decision_id,
                        action=entry.action,
                        used=entry.used,
                        bank=entry.bank,
                        events=entry.events,
                        digest=entry.digest,
                    )
                case Left():
                    self.recorder.forfeit(
                        at=entry.at,
                        forfeit=entry.forfeit.encode(),
                        events=entry.events,
                        digest=entry.digest,
                    )


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 3), st.binary(min_size=32, max_size=32), st.data())
def test_every_sequence_of_happenings_ends_in_a_consistent_verdict(
    seats: int, seed: bytes, data: st.DataObject
) -> None:
    table = Table(seats, seed)
    session = table.session
    while not session.is_over:
        table.happen(data)
    assert session.next_look() is None
    assert session.tick(table.now + timedelta(days=1)) == []
    gone = {forfeit.seat for forfeit in session.forfeits}
    assert gone == {standing.seat for standing in session.standings if standing.forfeited}
    assert len(gone) < seats  # with one seat left nothing can happen to it any more
    best_gone = min((s.placement for s in session.standings if s.forfeited), default=seats + 1)
    assert all(s.placement < best_gone for s in session.standings if not s.forfeited)
    log = table.recorder.finish(
        finished_at=datetime(2026, 1, 2, tzinfo=UTC),
        standings=session.standings,
        digest=session.digest,
    )
    verification = verify(log)
    assert verification.ok, verification.sentence


@settings(max_examples=200, deadline=None)
@given(ANY_ACTION, st.integers(0, 3))
def test_no_action_whatever_fails_us_instead_of_the_seat(action: Action, turns: int) -> None:
    table = Table(2, bytes(32))
    session = table.session
    for _ in range(turns):
        for decision in session.open_decisions(table.now):
            legal = decision.legal_actions[0]
            session.answer(decision.seat, decision.decision_id, legal, table.now)
    session.open_decisions(table.now)
    seat = 0 if session.open_decision(0) else 1
    for forfeit in session.answer(seat, session.open_decision(seat), action, table.now):
        assert forfeit.fault.reason is ForfeitReason.ILLEGAL_ACTION
        assert len(forfeit.fault.sentence) < 1000
