"""Check a log: does its seed, played with its actions, give the game that it tells?"""

from collections.abc import Sequence
from dataclasses import dataclass

from roundhouse.api.game.v1 import event_pb2, log_pb2
from roundhouse.codec import decode_event, encode_events, encode_standing
from roundhouse.errors import LogError, ProtocolError
from roundhouse.replay.recorder import DIGEST_BYTES
from roundhouse.replay.steps import Step, describe_entry, steps
from roundhouse.rules import Board, RulesError, State, commitment, format_event


@dataclass(frozen=True, slots=True)
class Verification:
    """Whether a log holds, how many of its entries were played again, and one sentence on it.

    When it does not hold, the sentence names the first difference.
    """

    ok: bool
    entries: int
    sentence: str


def verify(log: log_pb2.GameLog) -> Verification:
    """Play a logged game again from seed and actions, and compare all that the log says.

    Compared are the commitment, every event, the digest of every state, and the standings. Never
    raises: a log that cannot be played again does not hold.
    """
    if log.seed and commitment(log.seed) != log.seed_commitment:
        return Verification(
            ok=False,
            entries=0,
            sentence=f"The commitment {log.seed_commitment.hex()} is not the seed's, which is "
            f"{commitment(log.seed).hex()}.",
        )
    step: Step | None = None
    try:
        for step in steps(log):
            difference = _difference_at(log, step)
            if difference:
                return Verification(ok=False, entries=step.index, sentence=difference)
    except LogError as error:
        return Verification(
            ok=False, entries=0 if step is None else step.index, sentence=str(error)
        )
    assert step is not None, "the set-up is always a step"
    difference = _difference_at_end(log, step.state)
    sentence = difference or (
        f"The log holds: {step.index} entries played again from the seed give the same events, "
        "states and standings."
    )
    return Verification(ok=not difference, entries=step.index, sentence=sentence)


def _difference_at(log: log_pb2.GameLog, step: Step) -> str:
    """Say in a sentence where one step differs from the log; nothing when it does not."""
    logged = log.set_up if step.entry is None else step.entry.events
    digest = log.set_up_digest if step.entry is None else step.entry.digest
    ours = encode_events(step.events)
    board = step.state.rules.board
    for number in range(max(len(ours), len(logged))):
        if ours[number : number + 1] != logged[number : number + 1]:
            return (
                f"{describe_entry(log, step.index)}: event {number + 1} in the log is "
                f"{_describe(logged, number, board)}, but the seed and the actions give "
                f"{_describe(ours, number, board)}."
            )
    digest_now = step.state.digest()[:DIGEST_BYTES]
    if digest != digest_now:
        return (
            f"{describe_entry(log, step.index)}: the state's digest in the log is "
            f"{digest.hex() or 'missing'}, but the seed and the actions give {digest_now.hex()}."
        )
    return ""


def _difference_at_end(log: log_pb2.GameLog, state: State) -> str:
    if not state.is_over():
        return f"The log ends after {len(log.entries)} entries, before the game is over."
    ours = [encode_standing(standing) for standing in state.standings()]
    for standing in ours:
        seat = standing.seat
        if seat >= len(log.standings) or log.standings[seat] != standing:
            return f"The standing of seat {seat} in the log is not what the game gives."
    if len(log.standings) != len(ours):
        return f"The log has {len(log.standings)} standings for {len(ours)} seats."
    if log.final_digest != state.digest():
        return (
            f"The digest of the last state in the log is {log.final_digest.hex() or 'missing'}, "
            f"but the game gives {state.digest().hex()}."
        )
    return ""


def _describe(events: Sequence[event_pb2.Event], number: int, board: Board) -> str:
    if number >= len(events):
        return "nothing"
    try:
        event = decode_event(events[number])
        return "of an unknown kind" if event is None else repr(format_event(event, board))
    except (ProtocolError, RulesError, ValueError, LookupError):
        return "not readable"
