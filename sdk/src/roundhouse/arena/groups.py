"""Deal groups as they become whole: what statistics count, out of games that end in any order."""

from roundhouse.arena.match import GameResult
from roundhouse.statistics import half_points


class DealGroups:
    """Collect the games of a match, and give out the score of each deal once it is whole.

    Groups come in the order of the deals, whatever order their games end in: a group that is
    counted early because it was short would bias a test that may stop at it.
    """

    def __init__(self, entrant: int = 0) -> None:
        """Count for the entrant with this number."""
        self._entrant = entrant
        self._games: dict[int, dict[int, int]] = {}
        self._next = 0

    def add(self, result: GameResult) -> list[int]:
        """Take a game; return the half points of the groups that it lets be counted, in order."""
        placements = [standing.placement for standing in result.standings]
        seat = result.entrants.index(self._entrant)
        games = self._games.setdefault(result.deal, {})
        games[result.rotation] = half_points(placements, seat)
        whole = []
        while len(self._games.get(self._next, ())) == len(placements):
            whole.append(sum(self._games.pop(self._next).values()))
            self._next += 1
        return whole
