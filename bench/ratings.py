"""The headline rating: do its intervals hold the truth, and what does a fit cost?

    python -m bench.ratings coverage [--replicates N]
    python -m bench.ratings cost [--games N ...]

`coverage` simulates pools with known strengths and seats and counts how often the 95 % intervals,
against the anchor and against the mean, hold them; the last lines have games that depend on one
another inside a deal group. `cost` fits pools of tables of two to five, each size in a process of
its own with one thread, and prints its time and its peak memory. Where more time passes than the
processor works, it was either read from a disk (pages) or given to other processes (preempted).
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import numpy as np

from ladder.fit import Results, fit_board
from ladder.fit.simulation import Truth, simulate_all

if TYPE_CHECKING:
    from ladder.fit.results import Floats

SEATS = np.array([0.0, -15.0, -25.0, -35.0, -45.0])
POOLS = (
    # sizes, bots, deals of each size
    ((2,), 6, 100),
    ((3,), 6, 60),
    ((4,), 6, 45),
    ((5,), 6, 36),
    ((2, 3, 4, 5), 6, 25),
    ((2, 3, 4, 5), 20, 100),
    ((2, 3, 4, 5), 6, 250),
)
BOTS_OF_GAMES = {10**4: 100, 10**5: 1_000, 10**6: 10_000}
SIZES = (2, 3, 4, 5)
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def coverage(replicates: int) -> None:
    """Print how often the intervals hold the truth."""
    print("sizes      bots  deals   against the anchor   against the mean   dispersion")
    for sizes, bots, deals in POOLS:
        elo = np.random.default_rng(bots).normal(0, 120, bots)
        elo -= elo[0]
        truth = Truth(elo, SEATS)
        held, held_mean, dispersion = [], [], []
        for seed in range(replicates):
            results = simulate_all(truth, sizes, deals, np.random.default_rng(seed))
            board = fit_board(results, bots, anchor=0, replicates=0)
            miss = board.elo - 1500 - elo
            held.append(np.abs(miss)[1:] <= board.margin[1:])
            held_mean.append(np.abs(miss - miss.mean()) <= board.mean_margin)
            dispersion.append(board.dispersion)
        print(
            f"{','.join(map(str, sizes)):10} {bots:4}  {deals:5}   {np.mean(held):18.3f}"
            f"   {np.mean(held_mean):16.3f}   {np.mean(dispersion):10.2f}",
            flush=True,
        )
    print()
    print("With luck that the rotations of a deal share (300 Elo a seat), strengths show less than")
    print("the truth; what can be compared is how the estimates scatter and what the margins say.")
    print("sizes      deals   scatter   from the margin   if games were independent")
    for sizes, deals in (((2,), 200), ((4,), 100)):
        elo = np.array([0.0, 160.0, 90.0, 30.0, -20.0, -110.0])
        boards = [
            fit_board(
                simulate_all(Truth(elo, SEATS, 300), sizes, deals, np.random.default_rng(seed)),
                len(elo),
                anchor=0,
                replicates=0,
            )
            for seed in range(replicates)
        ]
        scatter = np.std([board.elo[1:] for board in boards], axis=0).mean()
        shown = np.mean([board.margin[1:] / 1.96 for board in boards])
        naive = np.mean([board.margin[1:] / 1.96 / board.dispersion**0.5 for board in boards])
        print(
            f"{','.join(map(str, sizes)):10} {deals:5}   {scatter:7.1f}   {shown:15.1f}"
            f"   {naive:25.1f}",
            flush=True,
        )


def strengths(bots: int) -> Floats:
    """Return what the bots of a pool are worth, in Elo."""
    return np.random.default_rng(bots).normal(0, 150, bots)


def make_pool(games: int) -> tuple[Results, ...]:
    """Play about so many games, a quarter at each table size; a deal has as many as seats."""
    truth = Truth(strengths(BOTS_OF_GAMES[games]), SEATS)
    rng = np.random.default_rng(1)
    results = []
    start = 0
    for size in SIZES:
        (table,) = simulate_all(truth, (size,), games // len(SIZES) // size, rng)
        table.groups[:] += start
        start = int(table.groups.max()) + 1
        results.append(table)
    return tuple(results)


def cost(games: int) -> None:
    """Fit one pool and print a line."""
    bots = BOTS_OF_GAMES[games]
    results = make_pool(games)
    before, began = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    board = fit_board(results, bots, anchor=0)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF)
    system = after.ru_stime - before.ru_stime
    cpu = system + after.ru_utime - before.ru_utime
    faults = after.ru_majflt - before.ru_majflt
    taken = after.ru_nivcsw - before.ru_nivcsw
    peak = after.ru_maxrss / 1024
    miss = board.elo - strengths(
        bots
    )  # against the mean: the error of one anchor would be in all intervals
    held = np.mean(np.abs(miss - miss.mean()) <= board.mean_margin)
    print(
        f"{sum(table.games for table in results):9,}  {bots:6,}  {cpu:8.2f}  {system:8.2f}"
        f"  {wall:8.2f}  {faults:6}  {taken:7,}  {peak:8.0f}  {held:.3f}",
        flush=True,
    )


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["coverage", "cost", "cost-of-one"])
    parser.add_argument("--replicates", type=int, default=1000)
    parser.add_argument("--games", type=int, action="append", choices=BOTS_OF_GAMES)
    arguments = parser.parse_args()
    if arguments.what == "coverage":
        coverage(arguments.replicates)
        return
    if arguments.what == "cost-of-one":
        cost(arguments.games[0])
        return
    print("    games    bots  CPU in s   of that      in s  pages     times             intervals")
    print("                            in system   all in   read  preempted   peak MB  that hold")
    for games in arguments.games or BOTS_OF_GAMES:
        subprocess.run(
            [sys.executable, "-m", "bench.ratings", "cost-of-one", "--games", str(games)],
            env=os.environ | ONE_THREAD,
            check=True,
        )


if __name__ == "__main__":
    main()
