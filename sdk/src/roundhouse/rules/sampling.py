"""Draw a whole state at random from what one seat knows (`Observation.sample_state`).

Drawn uniformly, given what the seat knows, are: the order of the deck; which of the cards that it
cannot see lie there and which are in the other hands; which tickets the others hold; the order of
the ticket deck; and the seed, and with it every later shuffle. Kept is what the seat knows:

* its own hand, tickets, offer and opening answer, and where the tickets lie that it gave back;
* of each other hand its size and the cards taken face up and not spent since;
* that the deck holds only cards that lay in it at its last shuffle (`deck_pool`). When nobody else
  has drawn blind since, that is the deck card by card, and so are the other hands together;
* that the seat whose turn it is can act, since it was not passed over (R-17): deals in which it
  could not are drawn again.

Not used is what could be inferred from the choices of others, such as a claim that was not made;
where a ticket went that the seat gave back and that another seat was offered since; which of the
tickets from the market a seat kept (V-3), once its offer is answered; and which of the other hands
holds what was drawn before the last shuffle: all of them together are held to it.
"""

from random import Random
from typing import TYPE_CHECKING

from roundhouse.rules.cards import CARDS, Card, CardCounts, count_cards, spread_cards
from roundhouse.rules.chance import SEED_SIZE
from roundhouse.rules.errors import ErrorCode, RulesError
from roundhouse.rules.position import Position
from roundhouse.rules.turns import can_act

MOST_DEALS = 10_000
"""How often cards are dealt again; only an observation of no game needs nearly so many."""

if TYPE_CHECKING:
    from roundhouse.rules.observation import Observation
    from roundhouse.rules.state import State


def sample_state(seen: "Observation", rng: Random) -> "State":
    """Return a random state whose `observe(seen.seat)` equals `seen`."""
    for _ in range(MOST_DEALS):
        state = _deal(seen, rng).assemble()
        if can_act(state):
            return state
    raise RulesError(
        ErrorCode.BAD_SET_UP, f"No hand of seat {seen.turn_seat} was found with which it can act."
    )


def _deal(seen: "Observation", rng: Random) -> Position:
    """Place all that is seen, and deal the rest at random."""
    hands, deck = _deal_cards(seen, rng)
    tickets, offers, ticket_deck = _deal_tickets(seen, rng)
    routes: list[list[int]] = [[] for _ in range(seen.seats)]
    for route_id, owner in enumerate(seen.route_owner):
        if owner is not None:
            routes[owner].append(route_id)
    final = seen.final_round
    return Position(
        rules=seen.rules,
        hands=hands,
        display=seen.display,
        deck=deck,
        discard=seen.discard,
        routes=tuple(map(tuple, routes)),
        tickets=tickets,
        offers=offers,
        answers=tuple(seen.answer if seat == seen.seat else None for seat in range(seen.seats)),
        ticket_deck=ticket_deck,
        phase=seen.phase,
        turn_seat=seen.turn_seat,
        turn_number=seen.turn_number,
        passes=seen.passes_in_a_row,
        final_seat=None if final is None else final.trigger_seat,
        forfeits=tuple(player.forfeit_order for player in seen.players),
        shuffles=seen.shuffles,
        known_hands=tuple(player.known_hand for player in seen.players),
        deck_pool=seen.deck_pool,
        returned_by=_known_places(seen),
        market=seen.market,
        shown_offer=seen.shown_offer,
        mixed=_mixed_places(seen),
        turns=tuple(player.turns for player in seen.players),
        seed=rng.randbytes(SEED_SIZE),
    )


def _deal_cards(
    seen: "Observation", rng: Random
) -> tuple[tuple[CardCounts, ...], tuple[Card, ...]]:
    """Deal what the seat cannot see to the deck and to the other hands."""
    hidden = list(seen.rules.card_counts)
    visible = [seen.hand, seen.discard, count_cards(c for c in seen.display if c is not None)]
    visible += [p.known_hand for seat, p in enumerate(seen.players) if seat != seen.seat]
    for counts in visible:
        for card in range(9):
            hidden[card] -= counts[card]
    # The deck first: a random part of its pool, as far as the cards are still hidden. There are
    # always enough, because the real deck is such a part.
    pool = spread_cards(seen.deck_pool)
    rng.shuffle(pool)
    deck: list[Card] = []
    for card in pool:
        if len(deck) == seen.deck_size:
            break
        if hidden[card]:
            hidden[card] -= 1
            deck.append(CARDS[card])
    rng.shuffle(deck)
    rest = spread_cards(hidden)
    rng.shuffle(rest)
    hands: list[CardCounts] = []
    for seat, player in enumerate(seen.players):
        if seat == seen.seat:
            hands.append(seen.hand)
            continue
        count = player.hand_size - sum(player.known_hand)
        drawn = count_cards(rest[:count])
        del rest[:count]
        hands.append(tuple(map(sum, zip(player.known_hand, drawn, strict=True))))
    return tuple(hands), tuple(deck)


def _deal_tickets(
    seen: "Observation", rng: Random
) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Deal the tickets that the seat cannot see to the others, their offers and the deck."""
    known = {place.position: place.ticket_id for place in seen.known_tickets}
    if seen.mixed_tickets is not None:  # somewhere among the shuffled rejects
        places = rng.sample(range(*_mixed_places(seen)), len(seen.mixed_tickets.tickets))
        known |= dict(zip(places, seen.mixed_tickets.tickets, strict=True))
    own_offer = seen.offer
    if seen.answer is not None:
        own_offer = (*seen.answer.keep, *seen.answer.give_back)
    visible = {*seen.tickets, *own_offer, *known.values(), *seen.market, *seen.shown_offer}
    visible |= {ticket for player in seen.players for ticket in player.tickets}
    rest = [ticket.id for ticket in seen.rules.tickets if ticket.id not in visible]
    rng.shuffle(rest)
    tickets: list[tuple[int, ...]] = []
    offers: list[tuple[int, ...]] = []
    for seat, player in enumerate(seen.players):
        if seat == seen.seat:
            tickets.append(seen.tickets)
            offers.append(own_offer)
            continue
        unseen = 0 if seen.rules.open_tickets else player.ticket_count  # V-1
        tickets.append((*player.tickets, *(rest.pop() for _ in range(unseen))))
        shown = seen.shown_offer if seat == seen.turn_seat else ()  # V-3
        offers.append((*shown, *(rest.pop() for _ in range(player.offer_size - len(shown)))))
    deck = tuple(known.get(place) or rest.pop() for place in range(seen.ticket_deck_size))
    return tuple(tickets), tuple(offers), deck


def _mixed_places(seen: "Observation") -> tuple[int, int]:
    mixed = seen.mixed_tickets
    return (0, 0) if mixed is None else (mixed.position, mixed.position + mixed.count)


def _known_places(seen: "Observation") -> tuple[tuple[int, int], ...]:
    """Return what the seat knows of the tickets that it gave back."""
    known = [place.ticket_id for place in seen.known_tickets]
    if seen.mixed_tickets is not None:
        known += seen.mixed_tickets.tickets
    return tuple((ticket, seen.seat) for ticket in known)
