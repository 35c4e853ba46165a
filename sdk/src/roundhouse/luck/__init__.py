"""How lucky each seat of a game was: an estimate that never touches a rating.

`measure_luck` takes from a game's margin what its draws were worth beyond expectation (control
variates). Every draw is held against all that could have come in its place, so that the adjusted
margin has the mean of the raw one, whoever plays, and a smaller variance. docs/statistics.md has
the argument and the measurements.
"""

from roundhouse.luck.draws import Draws, Term
from roundhouse.luck.measure import SeatLuck, measure_luck, sum_terms
from roundhouse.luck.weights import FIXED, Weights, fit_weights

__all__ = [
    "FIXED",
    "Draws",
    "SeatLuck",
    "Term",
    "Weights",
    "fit_weights",
    "measure_luck",
    "sum_terms",
]
