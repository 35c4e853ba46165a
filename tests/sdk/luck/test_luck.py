"""Luck is 0 on average, whoever plays; it explains margins; nonsense is refused."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

import pytest

from roundhouse.arena import Entrant, play_game, play_match
from roundhouse.cli.folders import find_bots, load_bot
from roundhouse.errors import LogError
from roundhouse.luck import FIXED, Draws, Term, fit_weights, measure_luck, sum_terms
from roundhouse.luck.weights import USUAL
from roundhouse.rules import (
    Card,
    CardDrawn,
    CardsDealt,
    CardTaken,
    DeckShuffled,
    DisplayFilled,
    RouteClaimed,
    TicketsOffered,
    edition,
)
from roundhouse.testing import RandomBot

if TYPE_CHECKING:
    from roundhouse.api.game.v1.log_pb2 import GameLog

GREEN, RED, LOCOMOTIVE = Card.GREEN, Card.RED, Card.LOCOMOTIVE


def games(names: tuple[str, ...], count: int, rules: str) -> list[GameLog]:
    entrants = [Entrant(bot.name, load_bot(bot)) for bot in find_bots(names)]
    played = play_match(entrants, games=count, seed="luck", rules=edition(rules))
    return [result.log for result in played]


@pytest.fixture(scope="module")
def tiny_games() -> list[GameLog]:
    """Bots that act on what they draw in different ways: the mean must be 0 for all of them."""
    return games(("planner", "random"), 400, "tiny")


@dataclass(frozen=True)
class Mean:
    value: float
    error: float


def mean(values: list[float]) -> Mean:
    return Mean(statistics.fmean(values), statistics.stdev(values) / math.sqrt(len(values)))


@pytest.mark.parametrize("bot", ["planner", "random"])
@pytest.mark.parametrize("term", Term, ids=lambda term: term.name)
def test_every_term_has_the_mean_0_within_its_error(
    tiny_games: list[GameLog], bot: str, term: Term
) -> None:
    values = []
    for log in tiny_games[::2]:  # one rotation: the games of a deal are not independent
        seat = [one.bot for one in log.seats].index(bot)
        values.append(sum_terms(log)[seat][term])
    found = mean(values)
    assert abs(found.value) <= 3.5 * found.error


def test_with_reshuffles_and_five_hoarders_the_mean_is_0_too() -> None:
    values = []
    for log in games(("hoarder", "greedy", "random", "random", "greedy"), 20, "classic"):
        measured = measure_luck(log)
        assert measured is not None
        assert sum(one.luck for one in measured) == pytest.approx(0, abs=1e-9)
        assert sum(one.margin for one in measured) == pytest.approx(0, abs=1e-9)
        values.append(measured[0].luck)
    assert abs(mean(values).value) <= 3.5 * mean(values).error


def test_the_parts_add_up(tiny_games: list[GameLog]) -> None:
    measured = measure_luck(tiny_games[0])
    assert measured is not None
    one, other = measured
    assert one.luck == pytest.approx(one.cards + one.display + one.tickets - one.others)
    assert one.others == pytest.approx(other.cards + other.display + other.tickets)
    assert one.adjusted_margin == pytest.approx(one.margin - one.luck)
    totals = [standing.total for standing in tiny_games[0].standings]
    assert one.margin == totals[0] - totals[1]
    assert one.tickets == 0, "the fixed weights leave tickets out"
    weights = {**FIXED, Term.OPENING: 1.0}
    assert any(seat.tickets for seat in measure_luck(tiny_games[0], [weights, weights]) or ())


def test_a_blind_draw_is_held_against_the_content_of_the_deck() -> None:
    draws = Draws(edition("tiny"), 2)
    draws.follow(DeckShuffled(0, 37))
    draws.follow(CardsDealt(0, (GREEN, GREEN), 2))
    # The first green matched nothing; the second had one green held, 3 of 36 cards being green.
    assert draws.terms[0][Term.MATCHES] == pytest.approx(1 - 3 / 36)
    assert draws.terms[0][Term.LOCOMOTIVES] == pytest.approx(-5 / 37 - 5 / 36)
    draws.follow(CardDrawn(1, LOCOMOTIVE))
    assert draws.terms[1][Term.LOCOMOTIVES] == pytest.approx(1 - 5 / 35)
    assert draws.terms[1][Term.MATCHES] == 0


def test_what_is_revealed_counts_for_the_seat_that_chooses_next() -> None:
    draws = Draws(edition("tiny"), 3)
    draws.follow(DeckShuffled(0, 37))
    shown = Term.SHOWN_LOCOMOTIVES
    expected = [0.0, 0.0, 0.0]

    def reveal(card: Card, seat: int, locomotives: int, cards: int) -> None:
        draws.follow(DisplayFilled(0, card))
        expected[seat] += (card is LOCOMOTIVE) - locomotives / cards
        assert [terms[shown] for terms in draws.terms] == pytest.approx(expected)

    reveal(RED, 0, 5, 37)  # at set-up: the first seat
    draws.follow(CardTaken(0, 0, RED))
    reveal(LOCOMOTIVE, 0, 5, 36)  # its second card
    draws.follow(CardTaken(0, 1, GREEN))
    reveal(RED, 1, 4, 35)  # the turn has ended
    draws.follow(CardTaken(1, 0, LOCOMOTIVE))
    reveal(GREEN, 2, 4, 34)  # a face-up locomotive is a whole turn
    draws.follow(CardDrawn(2, RED))
    draws.follow(CardTaken(2, 0, GREEN))
    reveal(GREEN, 0, 4, 32)


def test_an_offer_is_held_against_all_offers_and_known_tickets_are_no_luck() -> None:
    rules = edition("tiny")
    ids = [ticket.id for ticket in rules.tickets]
    lucks = []
    for offer in combinations(ids, rules.opening_offer):
        draws = Draws(rules, 2)
        draws.follow(TicketsOffered(0, offer, len(offer)))
        lucks.append(draws.terms[0][Term.OPENING])
        again = draws.terms[0][Term.OFFERS]
        draws.follow(TicketsOffered(0, offer, len(offer)))  # they came back from below the deck
        assert draws.terms[0][Term.OFFERS] == again == 0
    assert statistics.fmean(lucks) == pytest.approx(0, abs=1e-12)
    later = []
    for offer in combinations(ids[2:], rules.later_offer):
        draws = Draws(rules, 2)
        draws.follow(TicketsOffered(0, tuple(ids[:2]), 2))
        draws.follow(RouteClaimed(0, 1, (0,) * 9, 1))  # some tickets are nearer now
        draws.follow(TicketsOffered(0, offer, len(offer)))
        later.append(draws.terms[0][Term.OFFERS])
    assert statistics.fmean(later) == pytest.approx(0, abs=1e-12)
    assert statistics.pstdev(later) > 0


def test_a_log_that_draws_what_is_not_there_is_refused(tiny_games: list[GameLog]) -> None:
    log = type(tiny_games[0])()
    log.CopyFrom(tiny_games[0])
    dealt = next(event for event in log.set_up if event.HasField("cards_dealt"))
    del log.set_up[:]
    log.set_up.extend([dealt] * 3)
    with pytest.raises(LogError, match="when the deck holds none"):
        measure_luck(log)


def test_without_standings_or_under_variants_it_is_not_defined() -> None:
    log = play_game([RandomBot(), RandomBot()], seed=bytes(32), rules=edition("tiny"))
    assert measure_luck(log) is not None
    log.rules.variants.append("quick")
    assert measure_luck(log) is None
    del log.rules.variants[:], log.standings[:]
    assert measure_luck(log) is None


def test_fitted_weights_explain_what_the_terms_explain() -> None:
    rng = Random(1)
    own = [[rng.gauss(0, 1) for _ in range(7)] + [0.0] for _ in range(400)]
    others = [[rng.gauss(0, 1) for _ in range(8)] for _ in range(400)]
    cards = [sum(weight * row[term] for term, weight in USUAL.items()) for row in own]
    margins = [
        3 + 1.5 * drawn + 2 * row[Term.OPENING] + row_of_others[Term.OPENING]
        for drawn, row, row_of_others in zip(cards, own, others, strict=True)
    ]
    mine, theirs = fit_weights(own, others, margins)
    adjusted = [
        margin - sum(mine[term] * a[term] - theirs[term] * b[term] for term in Term)
        for a, b, margin in zip(own, others, margins, strict=True)
    ]
    assert statistics.variance(adjusted) < 0.05 * statistics.variance(margins)
    assert mine[Term.OPENING] > 1, "good tickets help this one"
    assert theirs[Term.OPENING] < 0, "and hurt the other"
    assert mine[Term.OFFERS] == 0, "what never varied weighs nothing"
    with pytest.raises(ValueError, match="No games"):
        fit_weights([], [], [])


def test_what_games_do_not_show_clearly_weighs_nothing() -> None:
    rng = Random(2)
    weights = []
    for _ in range(20):
        own, others = (
            [[rng.gauss(0, 1) for _ in Term] for _ in range(60)] for _ in ("own", "others")
        )
        for fitted in fit_weights(own, others, [rng.gauss(0, 30) for _ in own]):
            weights += [fitted[term] for term in (Term.LOCOMOTIVES, Term.OPENING, Term.OFFERS)]
    assert sum(weight == 0 for weight in weights) > 0.85 * len(weights)


def test_the_fixed_weights_add_next_to_nothing_where_cards_mean_nothing(
    tiny_games: list[GameLog],
) -> None:
    measured = [measure_luck(log) for log in tiny_games]
    firsts = [one[0] for one in measured if one is not None]
    raw, adjusted = (
        statistics.variance(values)
        for values in ([one.margin for one in firsts], [one.adjusted_margin for one in firsts])
    )
    assert adjusted < 1.01 * raw
