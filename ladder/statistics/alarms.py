"""All alarms of a pool."""

from collections.abc import Collection, Sequence

import numpy as np

from ladder.domain.alarm import Alarm, WatchedGame
from ladder.fit import Results, fit_board
from ladder.statistics.collusion import Strengths, find_collusion
from ladder.statistics.environment import find_drifts, find_hosts
from ladder.statistics.intransitive import find_triples

CHANCE = 0.01
"""An alarm is raised when chance alone would raise one of its kind less often than that."""

HOUSE_BOTS = ("random", "greedy", "hoarder", "planner")
"""Bots whose versions hardly ever change."""


def anchors_with(anchor: str) -> tuple[str, ...]:
    """Return whose drift is judged: the anchor of the boards, and the house bots beside it.

    >>> anchors_with("greedy"), anchors_with("mine")[0]
    (('greedy', 'random', 'hoarder', 'planner'), 'mine')
    """
    return (anchor, *(bot for bot in HOUSE_BOTS if bot != anchor))


def find_alarms(games: Sequence[WatchedGame], anchors: Collection[str]) -> list[Alarm]:
    """Return the alarms of some games, the least likely by chance first."""
    found = [*find_triples(games), *find_drifts(games, anchors), *find_hosts(games)]
    if any(len(game.bots) > 2 for game in games):
        found += find_collusion(games, fit_strengths(games))
    raised = [alarm for alarm in found if alarm.chance < CHANCE]
    return sorted(raised, key=lambda alarm: (alarm.chance, alarm.kind, alarm.subjects))


def fit_strengths(games: Sequence[WatchedGame]) -> Strengths:
    """Fit the strengths of bots and seats to games, as the headline ratings are."""
    names = sorted({bot for game in games for bot in game.bots})
    number = {name: index for index, name in enumerate(names)}
    group = {one: index for index, one in enumerate(sorted({game.group for game in games}))}
    tables = []
    for size in sorted({len(game.bots) for game in games}):
        of_size = [game for game in games if len(game.bots) == size]
        tables.append(
            Results(
                str(size),
                np.array([[number[bot] for bot in game.bots] for game in of_size], dtype=np.int32),
                np.array([game.placements for game in of_size], dtype=np.int32),
                np.array([group[game.group] for game in of_size], dtype=np.int32),
            )
        )
    board = fit_board(tuple(tables), len(names), replicates=0)
    elo_per_unit = 400 / np.log(10)
    return Strengths(
        {name: float(strength) for name, strength in zip(names, board.strengths, strict=True)},
        {(int(term.table), term.seat): term.elo / elo_per_unit for term in board.seat_terms},
    )
