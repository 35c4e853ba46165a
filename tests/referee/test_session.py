from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from referee.clock import NOTHING
from referee.entry import Acted, Left
from referee.sandbox import Usage
from referee.session import Session
from referee.verdict import Evidence, Fault, ForfeitReason
from roundhouse.api.game.v1.observation_pb2 import PHASE_TURN
from roundhouse.rules import ClaimRoute, KeepTickets, Pass, Phase, TicketsKept, edition
from roundhouse.timecontrol import Measure, TimeControl

if TYPE_CHECKING:
    from referee.decision import Decision
    from roundhouse.rules import Action

SECOND = timedelta(seconds=1)
MILLISECOND = timedelta(milliseconds=1)
MORNING = timedelta(hours=7)
CONTROL = TimeControl(
    bank=10 * SECOND, increment=SECOND / 2, margin=SECOND / 4, decision_cap=4 * SECOND
)
ALLOWED = CONTROL.decision_cap + CONTROL.margin
CRASH = Fault(ForfeitReason.CRASH, "Its process ended: exit code 1.", 1)


def deal(seats: int = 2, *, first_decision_id: int = 1, control: TimeControl = CONTROL) -> Session:
    return Session(
        edition("tiny"),
        seats,
        bytes(32),
        control,
        MORNING,
        first_decision_id=first_decision_id,
    )


def answer_all(session: Session, decisions: list[Decision], now: timedelta) -> None:
    for decision in decisions:
        action = decision.legal_actions[0]
        assert session.answer(decision.seat, decision.decision_id, action, now) == []


def opened(seats: int = 2) -> tuple[Session, Decision]:
    """A game in which all seats have answered the opening, and the first turn's decision."""
    session = deal(seats)
    answer_all(session, session.open_decisions(MORNING), MORNING + SECOND)
    (decision,) = session.open_decisions(MORNING + SECOND)
    return session, decision


def reasons(session: Session) -> dict[int, ForfeitReason]:
    return {forfeit.seat: forfeit.fault.reason for forfeit in session.forfeits}


def test_all_opening_decisions_are_open_at_once_each_with_a_clock_of_its_own() -> None:
    session = deal(3)
    decisions = session.open_decisions(MORNING)
    assert [decision.seat for decision in decisions] == [0, 1, 2]
    assert {decision.observation.phase for decision in decisions} == {Phase.OPENING}
    assert {decision.time_left for decision in decisions} == {CONTROL.decision_cap}
    assert session.open_decisions(MORNING) == []  # they are open already
    answer_all(session, decisions[:1], MORNING + SECOND)
    answer_all(session, decisions[1:], MORNING + 3 * SECOND)
    used = [entry.used for entry in session.take_entries() if isinstance(entry, Acted)]
    assert used == [SECOND, 3 * SECOND, 3 * SECOND]


def test_nobody_is_asked_again_before_all_have_answered_the_opening() -> None:
    session = deal(2)
    first, second = session.open_decisions(MORNING)
    answer_all(session, [first], MORNING)
    assert session.open_decisions(MORNING) == []
    answer_all(session, [second], MORNING)
    assert [decision.seat for decision in session.open_decisions(MORNING)] == [0]


def test_a_decision_carries_the_events_since_the_seats_last_one_as_it_may_see_them() -> None:
    session = deal(2)
    first, second = session.open_decisions(MORNING)
    assert [event.redacted(0) for event in session.set_up] == first.events
    assert not any(isinstance(event, TicketsKept) for event in second.events)
    answer_all(session, [first, second], MORNING)
    (turn,) = session.open_decisions(MORNING)
    own, other = (event for event in turn.events if isinstance(event, TicketsKept))
    assert isinstance(first.legal_actions[0], KeepTickets)
    assert own.kept == first.legal_actions[0].keep
    assert other.kept is None
    assert other.kept_count > 0


def test_the_clock_starts_when_a_decision_is_opened_and_not_when_it_falls_due() -> None:
    session = deal(2)
    answer_all(session, session.open_decisions(MORNING), MORNING)
    session.open_decisions(MORNING + SECOND)
    assert session.next_look() == MORNING + SECOND + ALLOWED


@pytest.mark.parametrize(
    ("late_by", "expected"),
    [
        (-MILLISECOND, {}),
        (NOTHING, {}),
        (MILLISECOND, {0: ForfeitReason.TIME}),
    ],
)
def test_a_millisecond_before_the_deadline_lives_and_one_after_loses(
    late_by: timedelta, expected: dict[int, ForfeitReason]
) -> None:
    by_tick, decision = opened()
    deadline = by_tick.next_look()
    assert deadline is not None
    by_tick.tick(deadline + late_by)
    assert reasons(by_tick) == expected

    by_answer, decision = opened()
    by_answer.answer(0, decision.decision_id, decision.legal_actions[0], deadline + late_by)
    assert reasons(by_answer) == expected


def test_an_answer_after_the_flag_is_not_accepted() -> None:
    session, decision = opened(3)
    late = MORNING + SECOND + ALLOWED + MILLISECOND
    (forfeit,) = session.tick(late)
    digest = session.digest
    assert session.answer(0, decision.decision_id, decision.legal_actions[0], late) == []
    assert session.digest == digest
    assert forfeit.limit == CONTROL.decision_cap
    assert forfeit.used == forfeit.passed == ALLOWED + MILLISECOND
    assert (forfeit.margin, forfeit.phase) == (CONTROL.margin, Phase.TURN)
    assert forfeit.decision_id == decision.decision_id
    assert "within 4 s, which is its decision cap, and the margin of 0.25 s" in (
        forfeit.fault.sentence
    )


def test_a_seat_that_is_given_time_back_may_answer_later_and_flags_later() -> None:
    kept = 3 * SECOND
    session, decision = opened()
    deadline = session.next_look()
    assert deadline is not None
    assert session.late(deadline + MILLISECOND) == [0]
    session.excuse(0, kept)
    assert session.late(deadline + MILLISECOND) == []
    assert session.next_look() == deadline + kept
    assert session.answer(0, decision.decision_id, decision.legal_actions[0], deadline + kept) == []
    assert session.take_entries()[-1].at == deadline + kept - MORNING

    session, decision = opened()
    session.excuse(0, kept)
    (forfeit,) = session.tick(deadline + kept + MILLISECOND)
    assert forfeit.used == ALLOWED + MILLISECOND
    assert forfeit.passed == ALLOWED + MILLISECOND + kept
    assert forfeit.fault.sentence == (
        "It did not answer within 4 s, which is its decision cap, and the margin of 0.25 s,"
        " 3.00 s of waiting for a processor left out."
    )


def test_the_sentence_of_a_seat_that_emptied_its_bank_names_the_bank() -> None:
    control = TimeControl(bank=2 * SECOND)
    session = Session(edition("tiny"), 2, bytes(32), control, MORNING)
    session.open_decisions(MORNING)
    (forfeit,) = session.tick(MORNING + 3 * SECOND)
    assert "within 2 s, which is its bank" in forfeit.fault.sentence


def test_an_answer_shows_other_seats_flags_that_no_timer_has_seen_yet() -> None:
    session = deal(3)
    first, second, third = session.open_decisions(MORNING)
    answer_all(session, [first, second], MORNING)
    late = MORNING + ALLOWED + MILLISECOND
    flagged, own = session.answer(0, first.decision_id, first.legal_actions[0], late)
    assert (flagged.seat, flagged.fault.reason) == (third.seat, ForfeitReason.TIME)
    assert (own.seat, own.fault.reason) == (0, ForfeitReason.PROTOCOL)


ILLEGAL: list[tuple[Action, str]] = [
    (ClaimRoute(99_999, None, 1), "route"),
    (KeepTickets((1, 2), ()), "not legal"),
    (Pass(), "not legal"),
]


@pytest.mark.parametrize(("action", "part"), ILLEGAL)
def test_an_illegal_action_is_a_forfeit_with_the_action_in_its_sentence(
    action: Action, part: str
) -> None:
    session, decision = opened()
    (forfeit,) = session.answer(0, decision.decision_id, action, MORNING + 2 * SECOND)
    assert forfeit.fault.reason is ForfeitReason.ILLEGAL_ACTION
    assert part in forfeit.fault.sentence
    assert session.is_over


def test_the_sentence_of_a_monstrous_action_is_cut() -> None:
    session, decision = opened()
    action = KeepTickets(tuple(range(10_000)), ())
    (forfeit,) = session.answer(0, decision.decision_id, action, MORNING + SECOND)
    assert forfeit.fault.reason is ForfeitReason.ILLEGAL_ACTION
    assert len(forfeit.fault.sentence) <= 500
    assert forfeit.fault.sentence.endswith("...")


@pytest.mark.parametrize(
    ("seat", "decision_id", "sentence"),
    [
        (0, 1, "It answered decision 1 while decision 3 was open."),
        (0, 4, "It answered decision 4 while decision 3 was open."),
        (0, 0, "It answered decision 0 while decision 3 was open."),
        (1, 2, "It answered decision 2 while it had no decision to answer."),
        (1, 3, "It answered decision 3 while it had no decision to answer."),
    ],
    ids=["old", "of the future", "none", "twice", "of another seat"],
)
def test_an_answer_to_anything_but_the_open_decision_is_a_protocol_fault(
    seat: int, decision_id: int, sentence: str
) -> None:
    session, decision = opened()
    assert decision.decision_id == 3
    (forfeit,) = session.answer(seat, decision_id, decision.legal_actions[0], MORNING + SECOND)
    assert forfeit.seat == seat
    assert forfeit.fault == Fault(ForfeitReason.PROTOCOL, sentence)


def test_with_two_seats_a_forfeit_ends_the_game_and_the_other_wins() -> None:
    session, _ = opened()
    session.fault({0: CRASH}, MORNING + SECOND)
    assert session.is_over
    assert [standing.placement for standing in session.standings] == [2, 1]
    assert session.next_look() is None
    assert session.open_decisions(MORNING + SECOND) == []


def test_with_three_seats_the_others_play_on_and_the_seat_is_never_asked_again() -> None:
    session, decision = opened(3)
    session.fault({0: CRASH}, MORNING + SECOND)
    assert not session.is_over
    now = MORNING + SECOND
    asked = set()
    while not session.is_over:
        for decision in session.open_decisions(now):
            asked.add(decision.seat)
            session.answer(decision.seat, decision.decision_id, decision.legal_actions[-1], now)
    assert asked == {1, 2}
    assert session.standings[0].placement == 3


def test_the_game_ends_with_one_seat_left() -> None:
    session, _ = opened(3)
    session.fault({0: CRASH}, MORNING + SECOND)
    session.fault({1: CRASH}, MORNING + 2 * SECOND)
    assert session.is_over
    assert [standing.placement for standing in session.standings] == [3, 2, 1]


def test_a_decision_taken_back_at_the_end_keeps_its_id_for_an_answer_on_its_way() -> None:
    session = deal(2)
    _, second = session.open_decisions(MORNING)
    session.fault({0: CRASH}, MORNING)
    assert session.is_over
    assert session.open_decision(1) == second.decision_id
    late = session.answer(1, second.decision_id, second.legal_actions[0], MORNING + SECOND)
    assert late == []
    assert reasons(session) == {0: ForfeitReason.CRASH}


def test_only_the_first_fault_of_a_seat_counts() -> None:
    session, _ = opened(3)
    session.fault({0: CRASH}, MORNING + SECOND)
    again = session.fault({0: Fault(ForfeitReason.DISCONNECT, "It closed.")}, MORNING + SECOND)
    assert again == []
    assert reasons(session) == {0: ForfeitReason.CRASH}


def test_a_fault_between_decisions_names_no_decision_and_no_time() -> None:
    session, _ = opened(3)
    (forfeit,) = session.fault({2: CRASH}, MORNING + SECOND)
    assert (forfeit.decision_id, forfeit.limit, forfeit.used) == (0, NOTHING, NOTHING)
    assert forfeit.encode(Evidence(b"Traceback")).exit_code == 1
    assert forfeit.encode(Evidence(b"Traceback")).output_tail == b"Traceback"


def test_the_message_of_a_forfeit_holds_its_evidence() -> None:
    session, decision = opened(3)
    (forfeit,) = session.tick(MORNING + 10 * SECOND)
    public = forfeit.encode()
    assert public.decision_id == decision.decision_id
    assert public.margin.ToTimedelta() == CONTROL.margin
    assert public.passed.ToTimedelta() == 9 * SECOND
    assert public.phase == PHASE_TURN
    assert not public.last_request
    assert not public.HasField("usage")
    owners = forfeit.encode(Evidence(b"said", b"asked", Usage(1.5, 4096, None, 2)))
    assert (owners.output_tail, owners.last_request) == (b"said", b"asked")
    assert owners.usage.processor.ToTimedelta() == 1.5 * SECOND
    assert (owners.usage.memory_peak, owners.usage.refused_processes) == (4096, 2)
    assert not owners.usage.HasField("memory_kills")  # not counted is not none
    assert not owners.usage.HasField("stalled")


def test_entries_carry_clock_and_the_state_that_they_led_to() -> None:
    session = deal(2)
    answer_all(session, session.open_decisions(MORNING), MORNING + SECOND)
    first, second = session.take_entries()
    assert session.take_entries() == []
    assert isinstance(first, Acted)
    assert isinstance(second, Acted)
    assert (first.at, first.used) == (SECOND, SECOND)
    assert first.bank == CONTROL.bank - SECOND + CONTROL.increment
    assert first.events == []  # it shows when all have answered
    assert len({session.set_up_digest, first.digest, second.digest}) == 3
    assert second.digest == session.digest
    session.fault({1: CRASH}, MORNING + 2 * SECOND)
    (third,) = session.take_entries()
    assert isinstance(third, Left)
    assert third.digest == session.digest


def test_decision_ids_go_on_where_the_game_before_left_off() -> None:
    before, _ = opened()
    session = deal(first_decision_id=before.next_decision_id)
    assert [decision.decision_id for decision in session.open_decisions(MORNING)] == [4, 5]


METERED = replace(CONTROL, measure=Measure.CPU)
SHOWN = {0: timedelta(minutes=1), 1: timedelta(minutes=2)}


def later(spent: timedelta) -> dict[int, timedelta]:
    """What the meters show when seat 0 has used so much more, and seat 1 nothing."""
    return {0: SHOWN[0] + spent, 1: SHOWN[1]}


def test_the_seats_that_are_due_are_those_whose_decisions_open() -> None:
    session = deal()
    assert session.due() == (0, 1)
    answer_all(session, session.open_decisions(MORNING), MORNING)
    assert session.due() == (0,)
    session.open_decisions(MORNING)
    assert session.due() == ()
    session.fault({1: CRASH}, MORNING)
    assert session.due() == ()


def test_by_the_meter_a_busy_machine_costs_a_seat_nothing() -> None:
    session = deal(control=METERED)
    first, _ = session.open_decisions(MORNING, SHOWN)
    late = MORNING + 2 * ALLOWED  # twice what the wall clock would have allowed
    assert session.tick(late, later(ALLOWED)) == []
    action = first.legal_actions[0]
    assert session.answer(0, first.decision_id, action, late, later(ALLOWED)) == []
    (entry,) = session.take_entries()
    assert isinstance(entry, Acted)
    assert (entry.used, entry.bank) == (ALLOWED, CONTROL.bank - ALLOWED + CONTROL.increment)


@pytest.mark.parametrize("by", ["tick", "answer"])
def test_by_the_meter_a_seat_that_has_used_too_much_forfeits(by: str) -> None:
    session = deal(control=METERED)
    first, _ = session.open_decisions(MORNING, SHOWN)
    late, meters = MORNING + 2 * ALLOWED, later(ALLOWED + MILLISECOND)
    if by == "tick":
        (forfeit,) = session.tick(late, meters)
    else:
        action = first.legal_actions[0]
        (forfeit,) = session.answer(0, first.decision_id, action, late, meters)
    assert (forfeit.seat, forfeit.fault.reason) == (0, ForfeitReason.TIME)
    assert (forfeit.limit, forfeit.used) == (CONTROL.decision_cap, ALLOWED + MILLISECOND)
    assert "within 4 s of processor time, or 4 times that by the wall clock" in (
        forfeit.fault.sentence
    )


def test_the_backstop_ends_a_seat_whose_meter_nobody_can_read() -> None:
    session = deal(control=METERED)
    session.open_decisions(MORNING)
    assert session.tick(MORNING + 16 * SECOND + CONTROL.margin) == []
    late = session.tick(MORNING + 16 * SECOND + CONTROL.margin + MILLISECOND)
    assert [forfeit.fault.reason for forfeit in late] == [ForfeitReason.TIME]  # one is left


def test_by_the_meter_the_next_look_follows_what_was_used() -> None:
    session = deal(control=METERED)
    session.open_decisions(MORNING, SHOWN)
    assert session.next_look() == MORNING + ALLOWED
    session.tick(MORNING + ALLOWED, {0: SHOWN[0] + SECOND, 1: SHOWN[1] + 2 * SECOND})
    assert session.next_look() == MORNING + 2 * ALLOWED - 2 * SECOND


def test_a_seat_is_late_by_the_wall_clock_alone_and_never_by_its_meter() -> None:
    session = deal(control=METERED)
    session.open_decisions(MORNING, SHOWN)
    late = MORNING + 17 * SECOND
    assert session.flagged(late, later(ALLOWED + MILLISECOND)) == [0, 1]
    assert session.late(late, later(ALLOWED + MILLISECOND)) == [1]
    assert session.late(late, later(ALLOWED)) == [0, 1]
    assert session.late(MORNING + SECOND, later(ALLOWED + MILLISECOND)) == []
