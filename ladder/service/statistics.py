"""What is measured on results, as messages."""

from ladder.domain.deals import DealStatistics, Measure
from ladder.domain.explanation import RatingPair, RatingStep, WithoutGame
from roundhouse.api.ladder.v1 import statistics_pb2
from roundhouse.codec import encode_timestamp


def encode_deal_statistics(deals: DealStatistics) -> statistics_pb2.DealStatistics:
    """Return the message for what the deals of a tournament did."""
    return statistics_pb2.DealStatistics(
        groups=deals.groups,
        games=deals.games,
        rank=_ratio(deals.rank_ratio),
        margin=_ratio(deals.margin_ratio),
        seats=[
            statistics_pb2.SeatAdvantage(
                seat=seat.seat,
                score=seat.score.value,
                score_error=seat.score.error,
                margin=seat.margin.value,
                margin_error=seat.margin.error,
            )
            for seat in deals.seats
        ],
    )


def encode_rating_step(step: RatingStep) -> statistics_pb2.RatingStep:
    """Return the message for one change of a rating."""
    return statistics_pb2.RatingStep(
        game_id=step.game_id,
        order=step.order,
        finished_at=encode_timestamp(step.finished_at),
        games_before=step.games_before,
        before=step.before,
        after=step.after,
        expected=step.expected,
        actual=step.actual,
        pairs=[_pair(pair) for pair in step.pairs],
    )


def encode_without_game(without: WithoutGame) -> statistics_pb2.WithoutGame:
    """Return the message for where a bot would stand without a game."""
    return statistics_pb2.WithoutGame(
        game_id=without.game_id,
        rating=without.rating,
        rating_without=without.rating_without,
        games_rated_again=without.games_rated_again,
    )


def _pair(pair: RatingPair) -> statistics_pb2.RatingPair:
    return statistics_pb2.RatingPair(
        opponent=pair.opponent,
        opponent_rating=pair.opponent_rating,
        opponent_games=pair.opponent_games,
        k=pair.k,
        expected=pair.expected,
        actual=pair.actual,
        step=pair.step,
    )


def _ratio(measure: Measure | None) -> statistics_pb2.VarianceRatio | None:
    if measure is None:
        return None
    return statistics_pb2.VarianceRatio(ratio=measure.value, error=measure.error)
