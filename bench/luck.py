"""How much variance the luck of the draws explains: games of the house bots, in deal groups.

    python -m bench.luck [--deals N] [--seed S]

For each pair: the mean of the luck with its error (0 by construction), the variance of the margin
without luck beside that of the raw margin, single games and deal groups, with the fixed weights and
with weights fitted on four fifths of the deals and applied to the others. And how much the
duplicate deals alone saved: the variance of a group's margin beside that of independent games.
"""

import argparse
import math
import statistics
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from roundhouse.arena import Entrant, GameResult, play_match
from roundhouse.cli.folders import find_bots, load_bot
from roundhouse.luck import FIXED, Term, Weights, fit_weights, sum_terms

PAIRS = (
    ("planner", "hoarder"),
    ("planner", "greedy"),
    ("greedy", "hoarder"),
    ("planner", "random"),
    ("greedy", "random"),
    ("hoarder", "random"),
)
FOLDS = 5


@dataclass(frozen=True)
class Game:
    """The margin of the first bot, and the terms of both."""

    deal: int
    rotation: int
    margin: float
    own: Sequence[float]
    other: Sequence[float]


def main() -> None:
    """Play the pairs and print a line for each."""
    parser = argparse.ArgumentParser(description="Measure the luck of the draws.")
    parser.add_argument("--deals", type=int, default=150, help="deal groups for each pair")
    parser.add_argument("--seed", default="luck")
    options = parser.parse_args()
    print(f"{options.deals} deal groups of 2 games a pair, seed {options.seed!r}")
    print(
        "variance left: of a game and of a deal group, fixed weights | fitted on other deals; "
        "groups beside independent games"
    )
    for names in PAIRS:
        entrants = [Entrant(bot.name, load_bot(bot)) for bot in find_bots(names)]
        results = play_match(entrants, games=2 * options.deals, seed=options.seed)
        games = [describe(result) for result in results]
        luck = [luck_of(game) for game in games]
        groups = by_deal(games, luck)
        mean, error = statistics.fmean(groups), statistics.stdev(groups) / math.sqrt(len(groups))
        fixed = variance_left(games, luck)
        fitted = variance_left(games, cross_fit(games))
        margins = [game.margin for game in games]
        print(
            f"{' against '.join(names):24} margin {statistics.fmean(margins):+6.1f} "
            f"(sd {statistics.stdev(margins):.1f})  "
            f"luck {mean:+.2f} +- {error:.2f}  "
            f"{fixed[0]:.2f} {fixed[1]:.2f} | {fitted[0]:.2f} {fitted[1]:.2f};  "
            f"{duplicate_ratio(games):.2f}",
            flush=True,
        )


def describe(result: GameResult) -> Game:
    """Return what matters of a game between two."""
    own, other = result.entrants.index(0), result.entrants.index(1)
    terms = sum_terms(result.log)
    return Game(
        deal=result.deal,
        rotation=result.rotation,
        margin=result.standings[own].total - result.standings[other].total,
        own=terms[own],
        other=terms[other],
    )


def luck_of(game: Game, own: Weights = FIXED, other: Weights = FIXED) -> float:
    """Return the luck of the first bot."""
    return sum(own[term] * game.own[term] - other[term] * game.other[term] for term in Term)


def cross_fit(games: Sequence[Game]) -> list[float]:
    """Return the luck of each game by weights that were fitted on other deals."""
    weights = []
    for fold in range(FOLDS):
        fitted = [game for game in games if game.deal % FOLDS != fold]
        weights.append(
            fit_weights(
                [game.own for game in fitted],
                [game.other for game in fitted],
                [game.margin for game in fitted],
            )
        )
    return [luck_of(game, *weights[game.deal % FOLDS]) for game in games]


def by_deal(games: Sequence[Game], values: Sequence[float]) -> list[float]:
    """Return the mean of values over each deal group."""
    groups: defaultdict[int, list[float]] = defaultdict(list)
    for game, value in zip(games, values, strict=True):
        groups[game.deal].append(value)
    return [statistics.fmean(group) for group in groups.values()]


def variance_left(games: Sequence[Game], luck: Sequence[float]) -> tuple[float, float]:
    """Return the share of the variance that is left, of single games and of deal groups."""
    raw = [game.margin for game in games]
    adjusted = [margin - one for margin, one in zip(raw, luck, strict=True)]
    return (
        statistics.variance(adjusted) / statistics.variance(raw),
        statistics.variance(by_deal(games, adjusted)) / statistics.variance(by_deal(games, raw)),
    )


def duplicate_ratio(games: Sequence[Game]) -> float:
    """Return the variance of a group's margin beside that of two independent games."""
    margins = [[game.margin for game in games if game.rotation == rotation] for rotation in (0, 1)]
    independent = sum(statistics.variance(one) for one in margins) / 4
    return statistics.variance(by_deal(games, [game.margin for game in games])) / independent


if __name__ == "__main__":
    main()
