from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.clock import NOTHING, SHORTEST_LOOK, Clock
from roundhouse.timecontrol import BACKSTOP_FACTOR, Measure, TimeControl

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


@pytest.mark.parametrize(
    ("bank", "used", "left"),
    [
        (60, 2, 58.5),
        (60, 15.249, 45.251),
        (60, 15.25, 45.25),
        (60, 15.251, None),
        (0.5, 0.7, 0.5),
        (0.5, 0.751, None),
    ],
)
def test_the_examples_of_the_page_hold(bank: float, used: float, left: float | None) -> None:
    clock = Clock(TimeControl(), timedelta(seconds=bank)).start(MORNING)
    now = MORNING + timedelta(seconds=used)
    assert clock.has_flagged(now) is (left is None)
    if left is not None:
        assert clock.stop(now).bank == timedelta(seconds=left)


@pytest.mark.parametrize("measure", Measure)
@pytest.mark.parametrize("bank", [10 * SECOND, 3 * SECOND], ids=["cap", "bank"])
def test_without_a_margin_the_limit_itself_is_the_line(measure: Measure, bank: timedelta) -> None:
    control = replace(CONTROL, margin=NOTHING, measure=measure)
    clock = Clock(control, bank).start(MORNING, MORNING)
    for late_by, has_flagged in ((-MILLISECOND, False), (NOTHING, False), (MILLISECOND, True)):
        now = MORNING + clock.limit + late_by
        assert clock.has_flagged(now, now) is has_flagged  # on one core the meter shows as much


def test_nothing_but_an_answer_or_the_end_stops_a_clock() -> None:
    clock = Clock.full(CONTROL).start(MORNING)
    for second in range(1, 4):  # whatever was sent, closed or dialled meanwhile
        now = MORNING + second * SECOND
        assert clock.looked(now).deadline == MORNING + CONTROL.decision_cap + CONTROL.margin
        assert clock.looked(now).passed(now) == second * SECOND


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


METERED = replace(CONTROL, measure=Measure.CPU)
SHOWN = timedelta(minutes=3)  # a meter does not begin at zero either: the bot has started


def test_processor_time_is_charged_and_not_the_time_that_passed() -> None:
    clock = Clock.full(METERED).start(MORNING, SHOWN)
    stopped = clock.stop(MORNING + 3 * SECOND, SHOWN + SECOND)
    assert stopped == Clock(METERED, 9 * SECOND + SECOND / 2)


def test_a_seat_that_sleeps_is_charged_a_part_of_the_time_that_passed() -> None:
    clock = Clock.full(METERED).start(MORNING, SHOWN)
    assert clock.used(MORNING + 8 * SECOND, SHOWN) == 2 * SECOND
    assert clock.used(MORNING + 8 * SECOND) == 2 * SECOND  # nobody has read its meter
    assert clock.stop(MORNING + 8 * SECOND, SHOWN).bank == 8 * SECOND + SECOND / 2


ALLOWED = METERED.decision_cap + METERED.margin
BACKSTOP = BACKSTOP_FACTOR * METERED.decision_cap + METERED.margin


@pytest.mark.parametrize(
    ("passed", "metered", "has_flagged"),
    [
        (ALLOWED, ALLOWED - MILLISECOND, False),
        (ALLOWED, ALLOWED, False),
        (ALLOWED + MILLISECOND, ALLOWED, False),
        (ALLOWED + MILLISECOND, ALLOWED + MILLISECOND, True),
        (3 * ALLOWED, ALLOWED + MILLISECOND, True),
        (BACKSTOP - MILLISECOND, NOTHING, False),
        (BACKSTOP, NOTHING, False),
        (BACKSTOP + MILLISECOND, NOTHING, True),
        (BACKSTOP + MILLISECOND, ALLOWED, True),
    ],
)
def test_the_flag_falls_by_the_meter_or_by_the_backstop(
    passed: timedelta, metered: timedelta, *, has_flagged: bool
) -> None:
    clock = Clock.full(METERED).start(MORNING, SHOWN)
    assert clock.deadline == MORNING + BACKSTOP
    assert clock.has_flagged(MORNING + passed, SHOWN + metered) is has_flagged


def test_by_the_wall_clock_a_meter_changes_nothing() -> None:
    clock = Clock.full(CONTROL).start(MORNING, SHOWN)
    assert not clock.has_flagged(MORNING + SECOND, SHOWN + 100 * SECOND)
    assert clock.used(MORNING + SECOND, SHOWN + 100 * SECOND) == SECOND
    assert clock.next_look == clock.deadline
    assert clock.looked(MORNING + SECOND) == clock


@given(st.lists(st.floats(0, 1), max_size=30))
def test_the_next_look_is_never_later_than_a_flag_on_one_core(shares: list[float]) -> None:
    clock, now, meter = Clock.full(METERED).start(MORNING, SHOWN), MORNING, SHOWN
    for share in shares:
        assert clock.next_look is not None
        meter += (clock.next_look - now) * share
        now = clock.next_look
        assert clock.metered(meter) <= ALLOWED + SHORTEST_LOOK
        if clock.has_flagged(now, meter):
            break
        later = clock.looked(now, meter).next_look
        assert later is not None
        assert now < later <= MORNING + BACKSTOP or now == MORNING + BACKSTOP
        clock = clock.looked(now, meter)


def test_a_look_that_comes_early_leaves_the_next_one_where_it_was() -> None:
    clock = Clock.full(METERED).start(MORNING, SHOWN)
    assert clock.looked(MORNING + SECOND, SHOWN) == clock
    assert Clock.full(METERED).looked(MORNING) == Clock.full(METERED)


@given(st.lists(st.tuples(st.timedeltas(NOTHING, 20 * SECOND), st.floats(0, 1)), max_size=60))
def test_all_time_that_passes_is_bounded_by_the_bank_whatever_the_meter_shows(
    waits: list[tuple[timedelta, float]],
) -> None:
    clock, now, meter, passed, answers = Clock.full(METERED), MORNING, SHOWN, NOTHING, 0
    for wait, share in waits:
        clock = clock.start(now, meter)
        now, meter = now + wait, meter + wait * share
        if clock.has_flagged(now, meter):
            break
        clock = clock.stop(now, meter)
        passed += wait
        answers += 1
    most = METERED.bank + answers * (METERED.increment + METERED.margin)
    assert passed <= BACKSTOP_FACTOR * most


@pytest.mark.parametrize("kept", [NOTHING, SECOND, 9 * SECOND])
def test_time_that_is_given_back_moves_the_deadline_and_is_not_charged(kept: timedelta) -> None:
    clock = Clock.full(CONTROL).start(MORNING).excuse(kept)
    deadline = MORNING + CONTROL.decision_cap + CONTROL.margin + kept
    assert clock.deadline == clock.next_look == deadline
    assert not clock.has_flagged(deadline)
    assert clock.has_flagged(deadline + MILLISECOND)
    assert clock.used(MORNING + kept + SECOND) == SECOND
    assert clock.passed(MORNING + kept + SECOND) == kept + SECOND
    stopped = clock.stop(MORNING + kept + SECOND)
    assert stopped == Clock(CONTROL, 9 * SECOND + SECOND / 2)
    assert stopped.start(MORNING).deadline == MORNING + CONTROL.decision_cap + CONTROL.margin


def test_what_is_given_back_is_all_so_far_and_not_added_up() -> None:
    clock = Clock.full(CONTROL).start(MORNING)
    assert clock.excuse(SECOND).excuse(2 * SECOND) == clock.excuse(2 * SECOND)


def test_nothing_is_given_back_while_the_clock_stands() -> None:
    assert Clock.full(CONTROL).excuse(SECOND) == Clock.full(CONTROL)


def test_time_given_back_moves_the_backstop_but_not_what_the_meter_allows() -> None:
    clock = Clock.full(METERED).start(MORNING).excuse(40 * SECOND)
    allowed = METERED.decision_cap + METERED.margin
    late = MORNING + 40 * SECOND + BACKSTOP_FACTOR * METERED.decision_cap + METERED.margin
    assert not clock.has_flagged(late, allowed)
    assert clock.has_flagged(late + MILLISECOND, allowed)
    assert clock.has_flagged(MORNING, allowed + MILLISECOND)
    assert clock.used(MORNING + 44 * SECOND) == 4 * SECOND / BACKSTOP_FACTOR
