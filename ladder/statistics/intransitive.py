"""Intransitive triples: A beats B, B beats C, and C beats A, each beyond chance."""

import math
import statistics
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from ladder.domain.alarm import Alarm, AlarmKind, WatchedGame
from ladder.statistics.shift import one_sided

LEAST_GROUPS = 20
"""Deal groups in which two bots must have met, for their score to count."""

_SMALLEST_VARIANCE = 1 / 16
"""Of a group's score. Where one always wins a sample has none, and that is not certainty."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """How one bot did against another over deal groups."""

    score: float
    """The share of games in which it was placed above, a tie being half."""
    deviations: float
    """The score less 1/2, in standard errors over deal groups."""
    groups: int


def find_triples(games: Sequence[WatchedGame]) -> list[Alarm]:
    """Return an alarm for every cycle of three, with the chance of the least certain of its links.

    A ladder of ratings cannot say that there is a cycle, so at least one of the three must be the
    other way round for it to hold, and the weakest link bounds the chance of that.
    """
    meetings = measure_meetings(games)
    cycles = list(_cycles(meetings))
    triples = math.comb(len({bot for pair in meetings for bot in pair}), 3)
    alarms = []
    for cycle in cycles:
        links = [meetings[pair] for pair in zip(cycle, cycle[1:] + cycle[:1], strict=True)]
        weakest = min(link.deviations for link in links)
        told = ", ".join(
            f"{one} beats {other} ({100 * link.score:.0f} %)"
            for one, other, link in zip(cycle, cycle[1:] + cycle[:1], links, strict=True)
        )
        alarms.append(
            Alarm(
                kind=AlarmKind.INTRANSITIVE,
                subjects=cycle,
                deviations=weakest,
                chance=one_sided(weakest, 2 * triples),
                groups=sum(link.groups for link in links),
                sentence=f"{told}: no rating can tell them apart truly.",
            )
        )
    return alarms


def measure_meetings(games: Sequence[WatchedGame]) -> dict[tuple[str, str], Meeting]:
    """Return for every ordered pair of bots that met often enough how the first did."""
    scores: defaultdict[tuple[str, str], defaultdict[int, list[float]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for game in games:
        for i, j in combinations(range(len(game.bots)), 2):
            above = (game.placements[i] < game.placements[j]) + (
                game.placements[i] <= game.placements[j]
            )
            pair = game.bots[i], game.bots[j]
            if pair[0] > pair[1]:
                pair, above = (pair[1], pair[0]), 2 - above
            scores[pair][game.group].append(above / 2)
    meetings = {}
    for (one, other), groups in scores.items():
        if len(groups) < LEAST_GROUPS:
            continue
        means = [statistics.fmean(group) for group in groups.values()]
        score = statistics.fmean(means)
        variance = max(statistics.variance(means), _SMALLEST_VARIANCE)
        deviations = (score - 0.5) / math.sqrt(variance / len(means))
        meetings[one, other] = Meeting(score, deviations, len(means))
        meetings[other, one] = Meeting(1 - score, -deviations, len(means))
    return meetings


def _cycles(meetings: dict[tuple[str, str], Meeting]) -> Iterator[tuple[str, str, str]]:
    """Yield each cycle once, its first bot by name in front."""
    beats: defaultdict[str, set[str]] = defaultdict(set)
    for (one, other), meeting in meetings.items():
        if meeting.deviations > 0:
            beats[one].add(other)
    for one in sorted(beats):
        for two in sorted(beats[one]):
            for three in sorted(beats[two]):
                if one < min(two, three) and one in beats[three]:
                    yield one, two, three
