"""Why a rating is what it is: the terms of a change, and a history with one game left out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ladder.domain.explanation import RatingPair
from ladder.ratings import Standing, expected_score, k_factor, pair_score, pair_step, rating_changes
from ladder.ratings import to_elo as elo


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game as it was rated: by seat the number of the bot, and what it brought."""

    bots: tuple[int, ...]
    table: tuple[Standing, ...]


def explain_seat(names: Sequence[str], table: Sequence[Standing], seat: int) -> list[RatingPair]:
    """Return the terms of a seat's rating change, pair by pair.

    They are computed by the functions that rate: the steps add up to the change, exactly.
    """
    own = table[seat]
    others = len(table) - 1
    return [
        RatingPair(
            opponent=names[number],
            opponent_rating=elo(other.rating),
            opponent_games=other.games,
            k=(k_factor(own.games) + k_factor(other.games)) / (2 * others),
            expected=float(expected_score(own.rating, other.rating)),
            actual=float(pair_score(own.placement, other.placement)),
            step=elo(pair_step(own, other, len(table))),
        )
        for number, other in enumerate(table)
        if number != seat
    ]


@dataclass(slots=True)
class OtherHistory:
    """Ratings as they would be without one game: later games are rated again, as they come.

    Only bots whose rating or number of games differs are held: first those of the game that is left
    out, then whoever meets one of them.
    """

    left_out: RatedGame
    games_rated_again: int = 0
    _bots: dict[int, tuple[int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Put the bots back to where they stood before the game."""
        for bot, standing in zip(self.left_out.bots, self.left_out.table, strict=True):
            self._bots[bot] = standing.rating, standing.games

    def rate(self, later: Iterable[RatedGame]) -> None:
        """Rate the games after the one that is left out, in recording order."""
        for game in later:
            if self._bots.keys().isdisjoint(game.bots):
                continue
            table = [
                Standing(*self._bots.get(bot, (was.rating, was.games)), was.placement)
                for bot, was in zip(game.bots, game.table, strict=True)
            ]
            for bot, before, change in zip(game.bots, table, rating_changes(table), strict=True):
                self._bots[bot] = before.rating + change, before.games + 1
            self.games_rated_again += 1

    def rating(self, bot: int) -> int | None:
        """Return a bot's rating in units; None when it is what it is."""
        found = self._bots.get(bot)
        return None if found is None else found[0]
