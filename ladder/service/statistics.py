"""What is measured on results, as messages."""

from ladder.domain.deals import DealStatistics, Measure
from roundhouse.api.ladder.v1 import statistics_pb2


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


def _ratio(measure: Measure | None) -> statistics_pb2.VarianceRatio | None:
    if measure is None:
        return None
    return statistics_pb2.VarianceRatio(ratio=measure.value, error=measure.error)
