"""Forfeits in words: one wording for the referee and for local play."""

from types import MappingProxyType

from roundhouse.api.game.v1 import verdict_pb2
from roundhouse.plaintext import one_line
from roundhouse.rules import Action, Board, RulesError, format_action

REASON_NAMES = MappingProxyType(
    {
        value.number: value.name.removeprefix("FORFEIT_REASON_")
        for value in verdict_pb2.ForfeitReason.DESCRIPTOR.values
        if value.number
    }
)
"""The short names of the wire's reasons, such as TIME, for tables and documents."""

OUTPUT_HEADING = "\nThe end of its output:\n"
"""What divides the sentence of a refusal from what the bot printed, where one text has both."""

_LONGEST_MESSAGE = 300  # characters of an exception's message that a sentence repeats


def illegal_action_sentence(action: Action, error: RulesError, board: Board) -> str:
    """Say which action was refused and why."""
    return f"It answered with {_in_notation(action, board)!r}, which is not legal: {error}"


def crash_sentence(error: BaseException) -> str:
    """Say what a bot raised, in place of an answer."""
    message = one_line(str(error), _LONGEST_MESSAGE).rstrip(".")
    return (
        f"It raised {type(error).__name__}: {message}."
        if message
        else (f"It raised {type(error).__name__}.")
    )


def _in_notation(action: Action, board: Board) -> str:
    try:
        return format_action(action, board)
    except (RulesError, LookupError):  # a route that the board does not have has no name
        return repr(action)
