"""What each message must come to, said before it is sent, and held against what came of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bench.fuzz.reading import read_action, read_answer
from referee.verdict import ForfeitReason

if TYPE_CHECKING:
    from bench.fuzz.reading import Said
    from roundhouse.api.game.v1.verdict_pb2 import Forfeit
    from roundhouse.api.referee.v1.play_pb2 import Decision

ACCEPTED = "accepted"
LONGEST_SENTENCE = 600
MOST_EVIDENCE = 200
"""Bytes of a message that a failure shows."""


def judge(message: bytes, decision: Decision) -> ForfeitReason | None:
    """Say what a message must come to while the decision is open; None is accepted."""
    said = read_answer(message)
    if said is None or said.deed is None or said.decision_id != decision.decision_id:
        return ForfeitReason.PROTOCOL
    legal = {read_action(action.SerializeToString()) for action in decision.legal_actions}
    return None if said.deed in legal else ForfeitReason.ILLEGAL_ACTION


def answers_one_to_come(message: bytes, decision: Decision) -> bool:
    """Say whether a message fits a decision that may be open by the time it is read."""
    said: Said | None = read_answer(message)
    return said is not None and decision.decision_id < said.decision_id


@dataclass(frozen=True, slots=True)
class Debt:
    """A forfeit that is due."""

    reasons: frozenset[ForfeitReason]
    """Two if an earlier word may still be on its way."""
    is_certain: bool
    """Whether it must come, unless the game ends before the message is read."""
    told_by: str
    """What was done, and the bytes."""


@dataclass(slots=True)
class Ledger:
    """All that was sent, what it must come to, and whatever came differently."""

    messages: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    games: int = 0
    aborts: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    _due: dict[tuple[str, int], Debt] = field(default_factory=dict)
    _shut_out: set[tuple[str, int]] = field(default_factory=set)

    def sent(self, kind: str) -> None:
        """Count a message."""
        self.messages += 1
        self.kinds[kind] += 1

    def owe(
        self, game: str, seat: int, reason: ForfeitReason, told_by: str, *, is_certain: bool = True
    ) -> None:
        """Note a forfeit that is due; the first of a seat in a game is the one that counts."""
        known = self._due.get((game, seat))
        if known is None:
            self._due[game, seat] = Debt(frozenset((reason,)), is_certain, told_by)
        elif not known.is_certain:
            reasons = known.reasons | {reason}
            self._due[game, seat] = Debt(reasons, is_certain, f"{known.told_by}, {told_by}")

    def shut_out(self, lane: str, seat: int) -> None:
        """Note a bot that was refused for good; it forfeits the next game of its lane."""
        self._shut_out.add((lane, seat))

    def accepted(self) -> None:
        """Note an answer that must stand; if it does not, a forfeit that is not due tells."""
        self.verdicts[ACCEPTED] += 1

    def fail(self, sentence: str) -> None:
        """Note something that must not be."""
        self.failures.append(sentence)

    def forget(self, game: str, seats: int) -> None:
        """Expect nothing more of a game, which was aborted."""
        for seat in range(seats):
            self._due.pop((game, seat), None)

    def settle(self, game: str, seats: int, forfeits: list[Forfeit]) -> None:
        """Hold a game's forfeits against what was due in it."""
        self.games += 1
        gone = {forfeit.seat: forfeit for forfeit in forfeits}
        is_decided = len(gone) >= seats - 1  # the last one can do nothing wrong any more
        lane = game.rpartition("-")[0]
        for seat in range(seats):
            if (lane, seat) in self._shut_out:
                self._shut_out.discard((lane, seat))
                self.owe(game, seat, ForfeitReason.PROTOCOL, "its greeting")
            debt = self._due.pop((game, seat), None)
            forfeit = gone.get(seat)
            if forfeit is None:
                if debt is not None and debt.is_certain and not is_decided:
                    self.fail(f"{game}: seat {seat} should forfeit by {debt}")
                continue
            reason = ForfeitReason(forfeit.reason)
            self.verdicts[reason.name] += 1
            if debt is None or reason not in debt.reasons:
                self.fail(
                    f"{game}: seat {seat} forfeited by {reason.name} for {debt}: {forfeit.sentence}"
                )
            if not 0 < len(forfeit.sentence) <= LONGEST_SENTENCE:
                self.fail(
                    f"{game}: seat {seat} has a sentence of {len(forfeit.sentence)} characters"
                )


def shown(kind: str, message: bytes) -> str:
    """Say what was sent, for whoever has to look into it."""
    rest = "..." if len(message) > MOST_EVIDENCE else ""
    return f"{kind}: {message[:MOST_EVIDENCE].hex()}{rest}"
