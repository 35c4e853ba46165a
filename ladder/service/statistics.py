"""What is measured on results, as messages."""

from types import MappingProxyType

from ladder.domain.alarm import Alarm, AlarmKind
from ladder.domain.deals import DealStatistics, Measure
from ladder.domain.explanation import RatingPair, RatingStep, WithoutGame
from roundhouse.api.ladder.v1 import statistics_pb2
from roundhouse.codec import encode_timestamp

_ALARM_KIND = MappingProxyType(
    {
        AlarmKind.INTRANSITIVE: statistics_pb2.ALARM_KIND_INTRANSITIVE,
        AlarmKind.ANCHOR_DRIFT: statistics_pb2.ALARM_KIND_ANCHOR_DRIFT,
        AlarmKind.HOST: statistics_pb2.ALARM_KIND_HOST,
        AlarmKind.COLLUSION: statistics_pb2.ALARM_KIND_COLLUSION,
    }
)


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


def encode_alarm(alarm: Alarm) -> statistics_pb2.Alarm:
    """Return the message for an alarm."""
    return statistics_pb2.Alarm(
        kind=_ALARM_KIND[alarm.kind],
        subjects=alarm.subjects,
        deviations=alarm.deviations,
        chance=alarm.chance,
        groups=alarm.groups,
        sentence=alarm.sentence,
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
