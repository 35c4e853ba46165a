"""What tickets are worth, and expectations against full enumeration."""

from __future__ import annotations

from itertools import combinations
from statistics import fmean

import pytest

from roundhouse.luck.worth import (
    expected_best,
    find_ways,
    needed_cards,
    opening_offers,
    ticket_worth,
)
from roundhouse.rules import Card, Ticket, edition

USA = edition("classic").board
NOTHING = frozenset[int]()


def routes(*names: str) -> frozenset[int]:
    return frozenset(USA.route_named(name).id for name in names)


@pytest.mark.parametrize("offered", [1, 2, 3, 5])
def test_the_expected_best_is_the_mean_over_all_offers(offered: int) -> None:
    worths = [3.0, -2.0, 8.5, 3.0, 0.0]
    expected = fmean(max(offer) for offer in combinations(worths, offered))
    assert expected_best(worths, offered) == pytest.approx(expected)


def test_the_expected_opening_is_the_mean_over_all_offers() -> None:
    rules = edition("tiny")
    offers = opening_offers(rules)
    assert offers is not None
    tickets = [ticket.id for ticket in rules.tickets][1:]
    expected = fmean(offers.worth(offer) for offer in combinations(tickets, rules.opening_offer))
    assert offers.expected_worth(tickets, rules.opening_offer) == pytest.approx(expected)


def test_offers_too_many_to_look_at_are_left_out() -> None:
    assert opening_offers(edition("classic")) is not None
    assert opening_offers(edition("mega")) is None


def test_own_routes_are_free_and_closed_ones_are_no_way() -> None:
    assert find_ways(USA, "Seattle", NOTHING, NOTHING).trains["Helena"] == 6
    own = routes("Helena-Seattle")
    assert find_ways(USA, "Seattle", own, NOTHING).trains["Helena"] == 0
    around = find_ways(USA, "Seattle", NOTHING, own)
    assert around.trains["Helena"] > 6
    assert own.isdisjoint(around.routes_to("Helena"))
    every = frozenset(route.id for route in USA.routes)
    assert find_ways(USA, "Seattle", NOTHING, every).trains == {"Seattle": 0}


def test_the_routes_of_a_way_have_its_length() -> None:
    ways = find_ways(USA, "Los Angeles", NOTHING, NOTHING)
    for city, trains in ways.trains.items():
        assert sum(USA.route(route).length for route in ways.routes_to(city)) == trains


def test_a_ticket_is_worth_its_value_less_what_it_takes_and_no_less_than_failing() -> None:
    ticket = Ticket(1, "Seattle", "Helena", 8)
    assert ticket_worth(ticket, USA, NOTHING, NOTHING) == 2
    assert ticket_worth(ticket, USA, routes("Helena-Seattle"), NOTHING) == 8
    every = frozenset(route.id for route in USA.routes)
    assert ticket_worth(ticket, USA, NOTHING, every) == -8


def test_needed_cards_are_those_of_coloured_routes_still_to_be_claimed() -> None:
    ticket = Ticket(1, "Seattle", "Denver", 9)
    own = routes("Helena-Seattle")
    need = needed_cards([ticket], USA, own, NOTHING)
    green = USA.route_named("Denver-Helena")
    assert green.colour is not None
    assert need[green.colour] == green.length
    assert sum(need) == green.length
    assert need[Card.LOCOMOTIVE] == 0
    assert needed_cards([], USA, NOTHING, NOTHING) == (0,) * 9
