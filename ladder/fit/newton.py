"""Newton's method with step halving; for large pools its steps come from one factor."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse.linalg import LinearOperator, cg

from ladder.fit.factor import Factor, FitError
from ladder.fit.posterior import Posterior
from ladder.fit.results import Floats

TOLERANCE = 1e-9
"""The largest entry of the gradient, in games, at which a fit has converged."""
SMALL = 1500
"""Up to so many parameters every step has its own matrix, in double precision: 18 MB."""
_STEPS = 100
_HALVINGS = 40
_NOTHING = 1e-6
"""Information, in games, that no rating is left with unless it runs off to infinity."""
_NEAR = 0.1
"""At steps below this, in logits, one factor is good enough for the steps that follow."""


@dataclass(frozen=True, slots=True)
class Maximum:
    """Where a posterior is greatest."""

    parameters: Floats
    factor: Factor
    """Of the information there; at a large pool, of the information some 0.001 logits beside it."""


def maximise(posterior: Posterior, start: Floats | None = None) -> Maximum:
    """Find where the function is greatest.

    Raises:
        FitError: it has no maximum: without a prior, somebody won or lost all, or two groups of
            bots never met.
    """
    x = np.zeros(posterior.parameters) if start is None else start
    if posterior.parameters <= SMALL:
        x = _climb(posterior, x, None)
        _require_finite(posterior, x)
        return Maximum(x, factor_at(posterior, x))
    x = _approach(posterior, x)
    factor = factor_at(posterior, x)
    return Maximum(_climb(posterior, x, factor), factor)


def factor_at(posterior: Posterior, x: Floats) -> Factor:
    """Factor the information at `x`.

    Raises:
        FitError: it is singular.
    """
    is_small = posterior.parameters <= SMALL
    matrix = posterior.padded_information(x, np.float64 if is_small else np.float32)
    if posterior.is_centred:
        matrix[: posterior.bots, : posterior.bots] += 1 / posterior.bots
    return Factor(matrix)


def _climb(posterior: Posterior, x: Floats, factor: Factor | None) -> Floats:
    """Climb to the top, with a fresh factor for every step or with the same for all."""
    value = posterior.value(x)
    for _ in range(_STEPS):
        gradient = posterior.gradient(x)
        step = (factor or factor_at(posterior, x)).solve(gradient)
        if np.abs(gradient).max(initial=0) < TOLERANCE:
            return x + step  # the last one squares the error once more, for nothing
        x, value = _halved(posterior, x, value, step)
    raise FitError(
        f"The fit has not converged in {_STEPS} steps; its gradient is still "
        f"{np.abs(gradient).max():.2g}."
    )


def _require_finite(posterior: Posterior, x: Floats) -> None:
    """Notice that a rating ran away until its games said nothing any more."""
    if posterior.parameters and posterior.diagonal(x).min() < _NOTHING:
        raise FitError(
            "Somebody won or lost all games, and without a prior that rating is infinite."
        )


def _approach(posterior: Posterior, x: Floats) -> Floats:
    """Come near the top by rough steps of conjugate gradients, which need no matrix."""
    shape = (posterior.parameters, posterior.parameters)
    value = posterior.value(x)
    for _ in range(_STEPS):
        inverse = 1 / posterior.diagonal(x)
        step, _ = cg(
            LinearOperator(shape, matvec=posterior.product(x), dtype=np.float64),
            posterior.gradient(x),
            rtol=0.2,
            maxiter=50,
            M=LinearOperator(shape, matvec=inverse.__mul__, dtype=np.float64),
        )
        x, value = _halved(posterior, x, value, step)
        if np.abs(step).max() < _NEAR:
            break
    return x


def _halved(posterior: Posterior, x: Floats, value: float, step: Floats) -> tuple[Floats, float]:
    """Take the step, or half of it and so on, until the function does not fall."""
    # Close to the top the gain is smaller than what the value can show.
    slack = 1e-13 * (abs(value) + 1)
    for _ in range(_HALVINGS):
        moved = posterior.value(x + step)
        if moved >= value - slack:
            return x + step, moved
        step = step / 2
    return x, value
