from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.clock import NOTHING, Clock
from roundhouse.timecontrol import TimeControl

MILLISECOND = timedelta(milliseconds=1)
SECOND = timedelta(seconds=1)
MORNING = timedelta(hours=7)  # no test may depend on where the clock of the machine begins
CONTROL = TimeControl(
    bank=10 * SECOND,
    increment=SECOND / 2,
    margin=SECOND / 4,
    decision_cap=4 * SECOND,
)


@pytest.mark.parametrize(
    ("bank", "limit"),
    [(10 * SECOND, 4 * SECOND), (4 * SECOND, 4 * SECOND), (3 * SECOND, 3 * SECOND), (NOTHING,) * 2],
    ids=["cap", "equal", "bank", "empty"],
)
def test_limit_is_the_smaller_of_bank_and_cap(bank: timedelta, limit: timedelta) -> None:
    clock = Clock(CONTROL, bank)
    assert clock.limit == limit
    assert clock.start(MORNING).deadline == MORNING + limit + CONTROL.margin


@pytest.mark.parametrize("bank", [10 * SECOND, 3 * SECOND, NOTHING])
def test_a_millisecond_before_the_deadline_lives_and_one_after_loses(bank: timedelta) -> None:
    clock = Clock(CONTROL, bank).start(MORNING)
    deadline = clock.deadline
    assert deadline is not None
    assert not clock.has_flagged(deadline - MILLISECOND)
    assert not clock.has_flagged(deadline)
    assert clock.has_flagged(deadline + timedelta.resolution)
    assert clock.has_flagged(deadline + MILLISECOND)


def test_an_answer_is_charged_in_full_and_then_incremented() -> None:
    clock = Clock.full(CONTROL).start(MORNING).stop(MORNING + 3 * SECOND)
    assert clock == Clock(CONTROL, 7 * SECOND + SECOND / 2)


def test_an_overrun_within_the_margin_is_forgiven_but_empties_the_bank() -> None:
    clock = Clock(CONTROL, SECOND).start(MORNING)
    assert clock.stop(MORNING + SECOND + CONTROL.margin / 2).bank == CONTROL.increment


def test_an_overrun_of_the_cap_within_the_margin_costs_what_it_took() -> None:
    used = CONTROL.decision_cap + CONTROL.margin
    clock = Clock.full(CONTROL).start(MORNING).stop(MORNING + used)
    assert clock.bank == CONTROL.bank - used + CONTROL.increment


def test_the_bank_may_rise_above_where_it_began() -> None:
    clock = Clock.full(CONTROL).start(MORNING).stop(MORNING)
    assert clock.bank == CONTROL.bank + CONTROL.increment
    assert clock.limit == CONTROL.decision_cap


def test_an_answer_after_the_flag_cannot_be_charged() -> None:
    clock = Clock.full(CONTROL).start(MORNING)
    with pytest.raises(AssertionError, match="after the flag"):
        clock.stop(MORNING + 5 * SECOND)


def test_a_running_clock_is_not_started_again() -> None:
    clock = Clock.full(CONTROL).start(MORNING)
    with pytest.raises(AssertionError, match="running already"):
        clock.start(MORNING + MILLISECOND)


def test_a_standing_clock_never_flags_and_has_used_nothing() -> None:
    clock = Clock.full(CONTROL)
    assert clock.deadline is None
    assert not clock.has_flagged(1000 * MORNING)
    assert clock.used(MORNING) == NOTHING


def test_a_withdrawn_decision_costs_nothing() -> None:
    clock = Clock.full(CONTROL)
    assert clock.start(MORNING).withdraw() == clock


@given(st.lists(st.timedeltas(NOTHING, 5 * SECOND), max_size=60))
def test_a_seat_never_uses_more_than_bank_increments_and_margins(waits: list[timedelta]) -> None:
    clock, now, used, answers = Clock.full(CONTROL), MORNING, NOTHING, 0
    for wait in waits:
        clock = clock.start(now)
        now += wait
        if clock.has_flagged(now):
            break
        clock = clock.stop(now)
        used += wait
        answers += 1
        assert clock.bank >= CONTROL.increment
    assert used <= CONTROL.bank + answers * (CONTROL.increment + CONTROL.margin)
