"""Play a logged game again, one entry after another."""

from collections.abc import Iterator
from dataclasses import dataclass

from roundhouse.api.game.v1 import log_pb2
from roundhouse.codec import decode_action, decode_rules
from roundhouse.errors import LogError, ProtocolError
from roundhouse.rules import Event, RulesError, State, format_action, start_game


@dataclass(frozen=True, slots=True)
class Step:
    """The game after one entry of its log; entry None is the set-up, with index 0.

    `state` is the one state that all steps share: copy it to keep it. `events` are what the engine
    says happened, which `verify` compares with what the log says.
    """

    index: int
    entry: log_pb2.LogEntry | None
    state: State
    events: list[Event]


def steps(log: log_pb2.GameLog) -> Iterator[Step]:
    """Play the game of a log again, from its seed and its actions.

    Raises `LogError` when that cannot be: the seed is not revealed, the rules are not played by
    this version, or an entry is not legal. What the log says of the outcome is not looked at.
    """
    if not log.seed:
        raise LogError("The seed of this game is not revealed yet.")
    try:
        state, events = start_game(decode_rules(log.rules), len(log.seats), log.seed)
    except (ProtocolError, RulesError) as error:
        raise LogError(f"The game cannot be set up: {error}") from error
    yield Step(0, None, state, events)
    for index, entry in enumerate(log.entries, start=1):
        try:
            events = _play(state, entry)
        except (ProtocolError, RulesError) as error:
            raise LogError(f"{describe_entry(log, index)} cannot be played: {error}") from error
        yield Step(index, entry, state, events)


def describe_entry(log: log_pb2.GameLog, index: int) -> str:
    """Name an entry of the log in a sentence; 0 is the set-up."""
    if index == 0:
        return "The set-up"
    entry = log.entries[index - 1]
    if entry.WhichOneof("kind") == "forfeit":
        return f"Entry {index} (forfeit of seat {entry.forfeit.seat})"
    seat = entry.action.seat
    try:
        text = format_action(decode_action(entry.action.action), decode_rules(log.rules).board)
    except (ProtocolError, RulesError):
        return f"Entry {index} (seat {seat})"
    return f"Entry {index} (seat {seat}: {text})"


def _play(state: State, entry: log_pb2.LogEntry) -> list[Event]:
    match entry.WhichOneof("kind"):
        case "action":
            return state.apply(decode_action(entry.action.action), entry.action.seat)
        case "forfeit":
            return state.forfeit(entry.forfeit.seat)
        case _:
            raise ProtocolError("it is neither an action nor a forfeit.")
