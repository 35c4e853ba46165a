"""What results say about strength: scores of deal groups, Elo with its error, and the gate.

A deal group is the unit: one deal in all its rotations. Its games are not independent, the groups
are. Everything here is pure and needs the standard library alone. docs/statistics.md has the
reasons, the formulas and what was measured.
"""

from roundhouse.statistics.elo import Estimate, elo_of_score, estimate, score_of_elo
from roundhouse.statistics.gate import Gate, Hypotheses, Judgement, Verdict
from roundhouse.statistics.likelihood import logistic_llr, normalised_llr
from roundhouse.statistics.scores import GroupScores, half_points

__all__ = [
    "Estimate",
    "Gate",
    "GroupScores",
    "Hypotheses",
    "Judgement",
    "Verdict",
    "elo_of_score",
    "estimate",
    "half_points",
    "logistic_llr",
    "normalised_llr",
    "score_of_elo",
]
