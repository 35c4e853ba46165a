"""Durations, moments, and the time control."""

from datetime import UTC, datetime, timedelta

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from roundhouse.api.game.v1 import clock_pb2
from roundhouse.errors import ProtocolError
from roundhouse.timecontrol import Measure, TimeControl

_MEASURES = {
    clock_pb2.TIME_MEASURE_WALL: Measure.WALL,
    clock_pb2.TIME_MEASURE_CPU: Measure.CPU,
}
_MEASURE_NUMBERS = {measure: number for number, measure in _MEASURES.items()}


def encode_duration(duration: timedelta) -> Duration:
    """Return the message for a span of time."""
    message = Duration()
    message.FromTimedelta(duration)
    return message


def decode_duration(message: Duration) -> timedelta:
    """Return the span of time, cut to microseconds. Raise `ProtocolError` beyond 270 years."""
    try:
        return timedelta(seconds=message.seconds, microseconds=message.nanos // 1000)
    except OverflowError as error:
        raise ProtocolError(f"A duration of {message.seconds} seconds makes no sense.") from error


def encode_timestamp(moment: datetime) -> Timestamp:
    """Return the message for a moment, which must know its time zone."""
    message = Timestamp()
    message.FromDatetime(moment)
    return message


def decode_timestamp(message: Timestamp) -> datetime:
    """Return the moment in UTC. Raise `ProtocolError` when no calendar has it."""
    try:
        return message.ToDatetime(UTC)
    except (ValueError, OverflowError) as error:
        raise ProtocolError(f"{message.seconds} seconds is not a moment in time.") from error


def encode_time_control(control: TimeControl) -> clock_pb2.TimeControl:
    """Return the message for a time control."""
    return clock_pb2.TimeControl(
        bank=encode_duration(control.bank),
        increment=encode_duration(control.increment),
        margin=encode_duration(control.margin),
        decision_cap=encode_duration(control.decision_cap),
        start_up=encode_duration(control.start_up),
        measure=_MEASURE_NUMBERS[control.measure],
    )


def decode_time_control(message: clock_pb2.TimeControl) -> TimeControl:
    """Return the time control. Raise `ProtocolError` when a part makes no sense."""
    try:
        return TimeControl(
            bank=decode_duration(message.bank),
            increment=decode_duration(message.increment),
            margin=decode_duration(message.margin),
            decision_cap=decode_duration(message.decision_cap),
            start_up=decode_duration(message.start_up),
            measure=decode_measure(message.measure),
        )
    except ValueError as error:
        raise ProtocolError(str(error)) from error


def decode_measure(number: clock_pb2.TimeMeasure.ValueType) -> Measure:
    """Return the measure; none at all is the wall clock's, as in version 1.0.

    Raise `ProtocolError` for one of a later version: nobody knows what it would charge.
    """
    try:
        return _MEASURES[number or clock_pb2.TIME_MEASURE_WALL]
    except KeyError as error:
        raise ProtocolError(f"The time measure {number} is not known to this version.") from error
