"""The headline rating as pure numerics: arrays in, arrays out. docs/ratings.md has the model."""

from ladder.fit.board import ANCHOR_ELO, ELO_PER_LOGIT, Board, SeatTerm, fit_board
from ladder.fit.factor import FitError
from ladder.fit.prior import Prior
from ladder.fit.results import Results
from ladder.fit.ties import Ties

__all__ = [
    "ANCHOR_ELO",
    "ELO_PER_LOGIT",
    "Board",
    "FitError",
    "Prior",
    "Results",
    "SeatTerm",
    "Ties",
    "fit_board",
]
