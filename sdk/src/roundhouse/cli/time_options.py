"""The options that name a time control."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, TypeVar

import click

from roundhouse.cli.failure import CommandError, ExitCode
from roundhouse.timecontrol import Measure, TimeControl

_DEFAULT = TimeControl()
_Command = TypeVar("_Command", bound=Callable[..., Any])


class Seconds(click.ParamType[timedelta]):
    """A span of time in seconds, with fractions; bounds are the time control's to judge."""

    name = "seconds"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> timedelta:
        """Read the text of an option."""
        if isinstance(value, timedelta):
            return value
        try:
            return timedelta(seconds=float(str(value)))
        except (ValueError, OverflowError):
            self.fail(f"{value!r} is not a number of seconds.", param, ctx)


def _seconds(name: str, default: timedelta, text: str) -> Callable[[_Command], _Command]:
    return click.option(
        name,
        type=Seconds(),
        metavar="SECONDS",
        help=f"{text}  [default: {default.total_seconds():g}]",
    )


_OPTIONS = (
    _seconds("--bank", _DEFAULT.bank, "What a seat holds at the start of each game."),
    _seconds("--increment", _DEFAULT.increment, "Added after every answer."),
    _seconds("--decision-cap", _DEFAULT.decision_cap, "The longest that one decision may take."),
    click.option(
        "--measure",
        type=click.Choice([measure.value for measure in Measure]),
        help="What is charged: the time that passes, or the processor time that the bot uses."
        "  [default: wall]",
    ),
)


def time_options(command: _Command) -> _Command:
    """Give a command the options of a time control; `read_time_control` takes their values."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def read_time_control(
    bank: timedelta | None,
    increment: timedelta | None,
    decision_cap: timedelta | None,
    measure: str | None,
) -> TimeControl | None:
    """Return the time control that the options name, or None where all are left to the ladder.

    Raises:
        CommandError: it makes no sense.
    """
    given = {"bank": bank, "increment": increment, "decision_cap": decision_cap}
    if measure is None and not any(part is not None for part in given.values()):
        return None
    parts = {name: part for name, part in given.items() if part is not None}
    try:
        return TimeControl(**parts, measure=Measure(measure or _DEFAULT.measure))
    except ValueError as error:
        raise CommandError(str(error), ExitCode.USAGE) from error
