"""How strong the house bots are, pair by pair, and how long they think.

    python bench/house_bots.py [--deals N] [--seed S]

Every deal is played in both rotations of the seats, so the unit of statistics is the deal group:
the error is one standard error of the mean over deal groups. Then one table of four.
"""

import argparse
import math
import statistics
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations

from roundhouse.arena import Entrant, GameResult, play_match, summarise
from roundhouse.cli.folders import HOUSE_BOTS, find_bots, load_bot


def main() -> None:
    """Play all pairs and one table of four, and print what came of them."""
    parser = argparse.ArgumentParser(description="Measure the house bots.")
    parser.add_argument("--deals", type=int, default=150, help="deals for each pair")
    parser.add_argument("--seed", default="house bots")
    options = parser.parse_args()
    bots = {bot.name: Entrant(bot.name, load_bot(bot)) for bot in find_bots(HOUSE_BOTS)}
    thinking: dict[str, list[float]] = defaultdict(list)
    print(f"2 players, {options.deals} deal groups of 2 games, seed {options.seed!r}")
    for weak, strong in combinations(HOUSE_BOTS, 2):
        pair = [bots[strong], bots[weak]]
        results = list(play_match(pair, games=2 * options.deals, seed=options.seed))
        print(f"  {strong:8} against {weak:8} {describe(results)}")
        collect(results, thinking)
    table = [bots[name] for name in HOUSE_BOTS]
    deals = max(1, options.deals // 4)
    results = list(play_match(table, games=4 * deals, seed=options.seed))
    print(f"4 players, {deals} deal groups of 4 games")
    for tally in summarise(results):
        print(
            f"  {tally.name:8} first in {tally.wins + tally.draws} of {tally.games}, "
            f"mean placement {tally.mean_placement:.2f}, mean score {tally.mean_score:.1f}"
        )
    collect(results, thinking)
    print("time for one decision, ms of the wall clock: other load on the machine adds to it")
    for name in HOUSE_BOTS:
        used = sorted(thinking[name])
        print(
            f"  {name:8} median {1000 * statistics.median(used):.2f}, "
            f"99 % within {1000 * used[len(used) * 99 // 100]:.2f}"
        )


def describe(results: Sequence[GameResult]) -> str:
    """Return the share of points of the first entrant, with its error, and both mean scores."""
    groups: dict[int, list[float]] = defaultdict(list)
    for result in results:
        mine, other = (result.standings[result.entrants.index(one)].placement for one in (0, 1))
        groups[result.deal].append(0.5 if mine == other else float(mine < other))
    shares = [statistics.fmean(group) for group in groups.values()]
    error = statistics.stdev(shares) / math.sqrt(len(shares)) if len(shares) > 1 else math.nan
    first, second = summarise(results)
    return (
        f"{100 * statistics.fmean(shares):5.1f} % +- {100 * error:.1f}   "
        f"{first.wins}/{first.draws}/{first.losses}   "
        f"mean score {first.mean_score:.1f} to {second.mean_score:.1f}, "
        f"forfeits {first.forfeits + second.forfeits}"
    )


def collect(results: Sequence[GameResult], thinking: dict[str, list[float]]) -> None:
    """Add the time of every decision, by bot."""
    for result in results:
        names = [seat.bot for seat in result.log.seats]
        for entry in result.log.entries:
            if entry.HasField("action"):
                used = entry.action.used.ToTimedelta().total_seconds()
                thinking[names[entry.action.seat]].append(used)


if __name__ == "__main__":
    main()
