"""Rules, boards and times on the wire."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given
from hypothesis import strategies as st

from roundhouse.api.game.v1 import board_pb2, clock_pb2, ruleset_pb2
from roundhouse.codec import (
    ProtocolError,
    decode_board,
    decode_duration,
    decode_rules,
    decode_standing,
    decode_time_control,
    decode_timestamp,
    encode_board,
    encode_duration,
    encode_rules,
    encode_standing,
    encode_time_control,
    encode_timestamp,
)
from roundhouse.rules import EDITIONS, VARIANTS, Card, edition
from roundhouse.timecontrol import Measure, TimeControl
from tests.sdk.games import decisions


@pytest.mark.parametrize("name", EDITIONS)
def test_the_rules_of_every_edition_come_back(name: str) -> None:
    content = encode_rules(edition(name)).SerializeToString()

    assert decode_rules(ruleset_pb2.RuleSet.FromString(content)) == edition(name)


@pytest.mark.parametrize("name", EDITIONS)
def test_the_board_of_every_edition_comes_back(name: str) -> None:
    rules = edition(name)
    content = encode_board(rules).SerializeToString()

    board, tickets = decode_board(board_pb2.Board.FromString(content))

    assert (board.cities, board.routes, tickets) == (
        rules.board.cities,
        rules.board.routes,
        rules.tickets,
    )


def test_an_edition_that_is_not_played_is_refused() -> None:
    with pytest.raises(ProtocolError, match=r"There is no edition 'chess'; the editions are"):
        decode_rules(ruleset_pb2.RuleSet(edition="chess"))


def test_rules_that_this_version_knows_otherwise_are_refused() -> None:
    message = ruleset_pb2.RuleSet()
    message.CopyFrom(encode_rules(edition("classic")))
    message.trains = 50

    with pytest.raises(ProtocolError) as caught:
        decode_rules(message)

    assert str(caught.value) == (
        "The rules say trains = 50, but in this version of the SDK the edition classic has 45; "
        "install the version that the referee runs."
    )


@pytest.mark.parametrize(
    ("variants", "sentence"),
    [
        (["chess"], "There is no variant 'chess'"),
        (["solo", "teams"], "solo and teams contradict each other"),
        (["long"], "The rules say final_round_trains = 2"),
    ],
)
def test_variants_that_are_not_played_or_played_otherwise_are_refused(
    variants: list[str], sentence: str
) -> None:
    message = ruleset_pb2.RuleSet()
    message.CopyFrom(encode_rules(edition("classic")))
    message.variants.extend(variants)

    with pytest.raises(ProtocolError, match=sentence):
        decode_rules(message)


@pytest.mark.parametrize("variant", list(VARIANTS))
def test_the_rules_of_every_variant_come_back(variant: str) -> None:
    needed = VARIANTS[variant].needs
    rules = edition("mega", [variant, *([needed] if needed else [])])
    content = encode_rules(rules).SerializeToString()

    assert decode_rules(ruleset_pb2.RuleSet.FromString(content)) == rules


def test_the_tickets_of_an_own_box_come_back() -> None:
    base = edition("refresh-2025", ["quick"])
    rules = base.with_tickets([replace(t, value=t.value + 1) for t in base.tickets])
    content = encode_rules(rules).SerializeToString()

    assert decode_rules(ruleset_pb2.RuleSet.FromString(content)) == rules
    assert len(content) > len(encode_rules(base).SerializeToString())


def test_own_tickets_that_do_not_fit_the_board_are_refused() -> None:
    message = ruleset_pb2.RuleSet()
    message.CopyFrom(encode_rules(edition("classic")))
    message.own_tickets.extend(
        board_pb2.Ticket(id=i, city_a="Paris", city_b="Rome", value=1) for i in range(1, 31)
    )

    with pytest.raises(ProtocolError, match="does not name two cities of the board usa"):
        decode_rules(message)


def test_a_board_with_an_unknown_city_is_refused() -> None:
    message = encode_board(edition("classic"))
    message.tickets[0].city_b = "Paris"

    with pytest.raises(ProtocolError, match=r"^The board 'usa' has no city 'Paris'\.$"):
        decode_board(message)


def test_a_board_with_misnumbered_routes_is_refused() -> None:
    message = encode_board(edition("classic"))
    del message.routes[0]

    with pytest.raises(ProtocolError, match=r"numbers a route 2, not 1\."):
        decode_board(message)


def test_a_gray_route_has_no_colour() -> None:
    board = encode_board(edition("classic"))

    colours = {route.colour for route in board.routes}

    assert colours == {0, *range(1, 9)}
    assert decode_board(board)[0].routes[0].colour in {None, *Card}


SPANS = st.timedeltas(timedelta(days=-1000), timedelta(days=1000))


@given(SPANS)
def test_a_span_of_time_comes_back(span: timedelta) -> None:
    assert decode_duration(encode_duration(span)) == span


@given(st.datetimes(datetime(1970, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001 - hypothesis adds the zone
def test_a_moment_comes_back(moment: datetime) -> None:
    assert decode_timestamp(encode_timestamp(moment)) == moment


def test_times_beyond_reason_are_refused() -> None:
    with pytest.raises(ProtocolError, match="makes no sense"):
        decode_duration(Duration(seconds=2**62))
    with pytest.raises(ProtocolError, match="is not a moment in time"):
        decode_timestamp(Timestamp(seconds=2**62))


def test_a_time_control_comes_back() -> None:
    control = TimeControl(bank=timedelta(seconds=7), increment=timedelta(0))

    assert decode_time_control(encode_time_control(control)) == control


def test_a_time_control_without_a_bank_is_refused() -> None:
    with pytest.raises(ProtocolError, match=r"The bank of a time control must be longer than zero"):
        decode_time_control(clock_pb2.TimeControl())


@pytest.mark.parametrize("field", ["increment", "margin"])
def test_a_time_control_is_never_negative(field: str) -> None:
    negative: dict[str, Any] = {field: timedelta(seconds=-1)}
    with pytest.raises(ValueError, match=f"The {field} of a time control cannot be negative"):
        TimeControl(**negative)


@pytest.mark.parametrize("measure", Measure)
def test_the_measure_of_a_time_control_comes_back(measure: Measure) -> None:
    control = TimeControl(measure=measure)

    assert decode_time_control(encode_time_control(control)) == control


def test_a_time_control_that_names_no_measure_goes_by_the_wall_clock() -> None:
    message = encode_time_control(TimeControl())
    message.ClearField("measure")

    assert decode_time_control(message) == TimeControl(measure=Measure.WALL)


def test_a_measure_of_a_later_version_is_refused() -> None:
    message = encode_time_control(TimeControl())
    message.MergeFromString(b"\x30\x09")  # field 6, the number 9

    with pytest.raises(ProtocolError, match="The time measure 9 is not known"):
        decode_time_control(message)


def test_standings_come_back() -> None:
    *_, (state, _, _) = decisions(4)

    for standing in state.standings():
        assert decode_standing(encode_standing(standing)) == standing
