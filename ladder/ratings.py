"""Live Elo over the placements of 2 to 5 players: the same to the last digit everywhere.

A table of n is n(n-1)/2 pairs. In each pair the better placed scores 1, an equal placement 1/2, and

    step = K / (n-1) * (score - expected),  expected = 1 / (1 + 10^((R_other - R_own) / 400))

is added to one and taken from the other. All expectations use the ratings from before the game. K
falls with the games that a bot has played in the pool (32 for the first 30, 16 up to 100, then 8),
and a pair uses the mean of its two, so that what one gains the other loses.

**Why whole numbers.** A rating is an `int` that counts 1e-9 Elo. Sums of floats depend on their
order, so a pool of floats is zero-sum only nearly, and `pow` of two C libraries may differ in the
last bit. Here each pair's step is computed once, in decimal arithmetic of 34 digits (whose `exp` is
rounded correctly by definition, on every platform), and rounded to a whole unit once, half to even.
Steps are added and taken away as integers: a pool's sum never changes, and a rebuild gives the same
bits on any machine. The unit is far below what shows (0.01 Elo), and 1e-9 of rounding in a step
cannot drift: it is as often up as down. A 64-bit column holds 9 billion Elo.

>>> change = rating_changes([Standing(START, 0, 1), Standing(START, 0, 2)])
>>> [to_elo(units) for units in change]
[16.0, -16.0]
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from itertools import combinations

UNITS_PER_ELO = 10**9
"""How many units make one Elo."""

START = 1500 * UNITS_PER_ELO
"""What a bot enters a pool with. Only differences mean anything; people expect 1500."""

_K_STEPS = ((30, 32), (100, 16))
"""Below so many games, this K. Numbers and reasons: the rating notes that the docs cite."""
_K_SETTLED = 8

_CONTEXT = Context(prec=34, rounding=ROUND_HALF_EVEN)
_LN10_OVER_400_ELO = Decimal("2.302585092994045684017991454684364208") / (400 * UNITS_PER_ELO)


@dataclass(frozen=True, slots=True)
class Standing:
    """What a seat brings into the computation, and how it ended."""

    rating: int
    """Before the game, in units."""
    games: int
    """Rated games in the pool, before this one."""
    placement: int
    """From 1; equal ones share. A forfeit is last by its placement and needs no rule here."""


def pool_of(edition: str, seats: int) -> str:
    """Name the pool in which a game is rated: two seats are another game than a full table.

    >>> pool_of("classic", 2), pool_of("classic", 4)
    ('classic/2', 'classic/multi')
    """
    return f"{edition}/{'2' if seats == 2 else 'multi'}"


def k_factor(games: int) -> int:
    """Return K, in Elo, of a bot that has played so many rated games in the pool."""
    return next((k for below, k in _K_STEPS if games < below), _K_SETTLED)


def rating_changes(table: Sequence[Standing]) -> tuple[int, ...]:
    """Return by how many units each seat's rating changes.

    The changes sum to zero exactly. Who is placed above all others does not lose, who is placed
    below all does not gain. The order of the seats does not matter.

    Raises:
        ValueError: fewer than two seats.
    """
    if len(table) < 2:
        raise ValueError(f"A rated game has at least two seats, not {len(table)}.")
    changes = [0] * len(table)
    for i, j in combinations(range(len(table)), 2):
        step = pair_step(table[i], table[j], len(table))
        changes[i] += step
        changes[j] -= step
    return tuple(changes)


def pair_step(own: Standing, other: Standing, seats: int) -> int:
    """Return what one pair of a table adds to the rating of `own`, and takes from the other's."""
    if own.rating < other.rating:
        return -pair_step(other, own, seats)  # one way of computing a pair, so that seats can swap
    with localcontext(_CONTEXT):
        off = pair_score(own.placement, other.placement) - expected_score(own.rating, other.rating)
        k_sum = k_factor(own.games) + k_factor(other.games)
        exact = off * (k_sum * UNITS_PER_ELO) / (2 * (seats - 1))
        return int(exact.to_integral_value())


def expected_score(own: int, other: int) -> Decimal:
    """Return the share of a point that a rating, in units, is expected to make of another."""
    with localcontext(_CONTEXT):
        return 1 / (1 + (_LN10_OVER_400_ELO * (other - own)).exp())


def pair_score(own: int, other: int) -> Decimal:
    """Return what a placement makes of another: 1, 1/2 or 0."""
    return Decimal((own < other) + (own <= other)) / 2


def to_elo(units: int) -> float:
    """Return units as Elo, for showing; nothing is ever computed from the result."""
    return units / UNITS_PER_ELO
