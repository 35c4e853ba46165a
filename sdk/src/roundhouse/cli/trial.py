"""A gate while it is played: counts deal groups as they end, and tells when it is over."""

import math

from roundhouse.arena import DealGroups, GameResult
from roundhouse.statistics import Gate, GroupScores, Judgement, Verdict, estimate

_MOST_ELO = 1000
"""Beyond that nearly every game is won, and the figure says nothing any more."""


class VerdictReached(Exception):  # noqa: N818 - it is no error
    """Ends all play: the gate has its verdict."""


class Trial:
    """A gate that is being played: takes games as they end, and tells when it is over."""

    def __init__(self, gate: Gate, seats: int) -> None:
        self.gate = gate
        self.scores = GroupScores.empty(seats)
        self.judgement: Judgement = gate.judge(self.scores)
        self.results: list[GameResult] = []
        self._groups = DealGroups()

    def take(self, result: GameResult) -> None:
        """Count a game. Raise `VerdictReached` at the group that decides."""
        self.results.append(result)
        for points in self._groups.add(result):
            self.scores = self.scores.with_group(points)
            self.judgement = self.gate.judge(self.scores)
            if self.judgement.verdict is not Verdict.OPEN:
                raise VerdictReached

    def line(self) -> str:
        """Say in one line where it stands."""
        low, high = self.gate.hypotheses.bounds
        found = estimate(self.scores)
        superiority = f"LOS {100 * found.superiority:.1f} %"
        ratio = f"LLR {self.judgement.llr:+.2f} ({low:.2f} to {high:.2f})"
        if abs(found.elo) > _MOST_ELO:
            return f"{ratio}, Elo beyond {math.copysign(_MOST_ELO, found.elo):+.0f}, {superiority}"
        elo = round(found.elo, 1) + 0.0  # no minus before a nought
        return f"{ratio}, Elo {elo:+.1f} ± {found.elo_error:.1f}, {superiority}"
