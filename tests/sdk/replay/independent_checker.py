"""Check a game from its JSON document alone.

It shares no code with the engine and reads nothing but the document: it is what somebody could
write who does not trust us. It follows the cards and trains and tickets of everybody here, the
order of turns in `independent_turns`, and scores the end in `independent_scoring`.
"""

from collections import Counter
from typing import Any

from tests.sdk.replay.independent_scoring import score
from tests.sdk.replay.independent_tickets import TicketDeck
from tests.sdk.replay.independent_turns import Turns
from tests.sdk.replay.suspicion import CheckError, require

__all__ = ["CheckError", "Checker", "Json"]

POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15}
Json = dict[str, Any]


class Checker:
    """One game as it goes on; raises `CheckError` at the first thing that cannot be."""

    def __init__(self, document: Json) -> None:
        self.document = document
        self.rules = document["rules"]
        self.variants = set(self.rules["variants"])
        self.seats = len(document["seats"])
        self.routes = {route["id"]: route for route in document["board"]["routes"]}
        self.tickets = {ticket["id"]: ticket for ticket in document["board"]["tickets"]}
        self.deck: Counter[str] = Counter()
        self.discard: Counter[str] = Counter(self.rules["cards"])  # before the first shuffle
        self.display: dict[int, str] = {}
        self.hands: list[Counter[str]] = [Counter() for _ in range(self.seats)]
        self.trains = [self.rules["trains"]] * self.seats
        self.points = [0] * self.seats
        self.owners: dict[int, int] = {}
        self.offers: list[list[int]] = [[] for _ in range(self.seats)]
        self.kept: list[list[int]] = [[] for _ in range(self.seats)]
        self.ticket_deck = TicketDeck(self.tickets)
        self.market: dict[int, int] = {}
        self.left: dict[int, int] = {}  # by seat: the order of leaving, from 1
        self.shuffles = 0
        self.is_over = False
        self.turns = Turns(self)

    def check(self) -> None:
        for event in self.document["set_up"]["events"]:
            self.take(event)
        self.require_whole(self.document["set_up"]["events"])
        for number, entry in enumerate(self.document["entries"], 1):
            require(entry["index"] == number, "the entries are numbered")
            self.turns.before(entry)
            for event in entry["events"]:
                self.take(event)
            self.require_whole(entry["events"])
            self.turns.after(entry)
        require(self.is_over, "the game ends")
        for told, expected in zip(self.document["standings"], score(self), strict=True):
            for name, value in expected.items():
                require(
                    told[name] == value,
                    f"seat {told['seat']}: {name} is {value}, not {told[name]}",
                )

    def take(self, event: Json) -> None:
        require(not self.is_over, "nothing happens after the end")
        getattr(self, f"_{event['event']}")(event)

    def require_whole(self, events: list[Json]) -> None:
        """Nothing is gained or lost, and the display is as it must be (R-07, R-10)."""
        total = self.deck + self.discard + Counter(self.display.values())
        for hand in self.hands:
            total += hand
        require(total == Counter(self.rules["cards"]), "no card is gained or lost")
        piles = [*self.kept, *self.offers, self.ticket_deck.all(), self.market.values()]
        require(sorted(t for pile in piles for t in pile) == sorted(self.tickets), "all tickets")
        is_full = len(self.display) == 5 or not (self.deck.total() or self.discard.total())
        require(is_full or self.is_over, "the display is filled")
        kinds = [event["event"] for event in events]
        if "display_filled" in kinds and Counter(self.display.values())["locomotive"] >= 3:
            outside = total - Counter({"locomotive": total["locomotive"]})
            for hand in self.hands:
                outside -= hand
            can_help = outside.total() >= 3 and kinds.count("display_cleared") < 64
            require(not can_help, "three locomotives do not stay")

    def can_claim(self, seat: int) -> bool:
        """Tell whether a seat could pay for any route that is open to it (R-17)."""
        hand = self.hands[seat]
        most = max((hand[colour] for colour in hand if colour != "locomotive"), default=0)
        return any(
            (hand[route["colour"]] if route["colour"] else most) + hand["locomotive"]
            >= route["length"]
            for route in self.routes.values()
            if self.trains[seat] >= route["length"] and not self.what_closes(route, seat)
        )

    def what_closes(self, route: Json, seat: int) -> str:
        """Say why a route is not open to a seat; empty when it is (R-12, R-13, V-4)."""
        if route["id"] in self.owners:
            return "a route is claimed once"
        ends = {route["city_a"], route["city_b"]}
        for other, owner in self.owners.items():
            is_sibling = {self.routes[other]["city_a"], self.routes[other]["city_b"]} == ends
            if is_sibling and (self.seats < 4 or owner == seat):
                return "the sibling is closed"
        if "route_protection" in self.variants and self.turns.is_protected():
            for city in ends:
                mine = self._neighbours(city, seat) | (ends - {city})
                if len(self._neighbours(city, None)) == len(mine) == 2:
                    return f"the ways into {city} are protected"
        return ""

    def _neighbours(self, city: str, owner: int | None) -> set[str]:
        routes = [
            route
            for route in self.routes.values()
            if owner is None or self.owners.get(route["id"]) == owner
        ]
        pairs = [{route["city_a"], route["city_b"]} for route in routes]
        return {other for pair in pairs if city in pair for other in pair - {city}}

    def draw(self, card: str) -> None:
        require(self.deck[card] > 0, f"a {card} card is still in the deck")
        self.deck[card] -= 1

    def _deck_shuffled(self, event: Json) -> None:
        require(self.deck.total() == 0, "only an empty deck is shuffled anew")
        require(event["count"] == self.shuffles, "shuffles are counted")
        self.shuffles += 1
        self.deck, self.discard = +self.discard, Counter()
        require(self.deck.total() == event["cards"], "the deck's size is told")

    def _cards_dealt(self, event: Json) -> None:
        require(event["count"] == len(event["cards"]) == self.rules["opening_hand"], "the hand")
        for card in event["cards"]:
            self.draw(card)
            self.hands[event["seat"]][card] += 1

    def _display_filled(self, event: Json) -> None:
        require(event["slot"] not in self.display, "an empty slot is filled")
        self.draw(event["card"])
        self.display[event["slot"]] = event["card"]

    def _display_cleared(self, event: Json) -> None:
        shown = Counter(self.display.values())
        require(shown["locomotive"] >= 3, "three locomotives clear the display")
        require(shown == Counter(event["cards"]), "the cleared cards")
        self.discard += shown
        self.display.clear()

    def _card_discarded(self, event: Json) -> None:
        require("solo" in self.variants, "only solo discards a card")
        require(event["slot"] == min(self.display), "the leftmost card is discarded")
        require(self.display.pop(event["slot"]) == event["card"], "the card of the slot")
        self.discard[event["card"]] += 1

    def _tickets_offered(self, event: Json) -> None:
        seat, offer = event["seat"], [ticket["id"] for ticket in event["tickets"]]
        most = self.rules["opening_offer" if self.turns.phase == "opening" else "later_offer"]
        size = min(most, len(self.ticket_deck.all()))
        require(len(offer) == event["count"] == size > 0, "the size of the offer")
        for ticket in event["tickets"]:
            require(ticket == self.tickets[ticket["id"]], "a ticket is told as it is")
            self.ticket_deck.draw(ticket["id"])
        self.offers[seat] = offer

    def _ticket_chosen(self, event: Json) -> None:
        ticket = event["ticket"]["id"]
        if event["slot"] is None:
            self.ticket_deck.draw(ticket)
        else:
            require(self.market.pop(event["slot"], None) == ticket, "the ticket of the market")
        self.offers[event["seat"]].append(ticket)

    def _market_filled(self, event: Json) -> None:
        require("ticket_market" in self.variants, "there is a market")
        require(event["slot"] in {0, 1, 2} - set(self.market), "an empty slot of the market")
        self.ticket_deck.draw(event["ticket"]["id"])
        self.market[event["slot"]] = event["ticket"]["id"]

    def _tickets_kept(self, event: Json) -> None:
        seat = event["seat"]
        kept = [ticket["id"] for ticket in event["kept"]]
        back = [ticket["id"] for ticket in event["given_back"]]
        least = self.rules["later_keep" if self.kept[seat] else "opening_keep"]
        require(sorted(kept + back) == sorted(self.offers[seat]), "the offered tickets")
        require(len(kept) >= min(least, len(self.offers[seat])), "enough tickets are kept")
        self.kept[seat] += kept
        self.put_under(back)
        self.offers[seat] = []

    def put_under(self, tickets: list[int]) -> None:
        """Put tickets under the deck; rejects of the opening may be shuffled together."""
        is_opening = self.turns.phase == "opening"
        is_mixed = is_opening and self.rules["opening_rejects"].startswith("shuffled")
        self.ticket_deck.put_under(tickets, is_mixed=is_mixed)

    def _tickets_shown(self, event: Json) -> None:
        require("open_tickets" in self.variants, "tickets are open")
        shown = [ticket["id"] for ticket in event["tickets"]]
        require(shown == self.kept[event["seat"]], "all kept tickets are shown")

    def _ticket_exchanged(self, event: Json) -> None:
        seat, back, taken = event["seat"], event["given_back"]["id"], event["taken"]["id"]
        require(back in self.kept[seat], "a kept ticket is exchanged")
        self.ticket_deck.put_under([back], is_mixed=False)
        self.ticket_deck.draw(taken)
        self.kept[seat][self.kept[seat].index(back)] = taken

    def _card_taken(self, event: Json) -> None:
        require(self.display.pop(event["slot"], None) == event["card"], "the card of the slot")
        self.hands[event["seat"]][event["card"]] += 1

    def _card_drawn(self, event: Json) -> None:
        self.draw(event["card"])
        self.hands[event["seat"]][event["card"]] += 1

    def _route_claimed(self, event: Json) -> None:
        seat, route = event["seat"], event["route"]
        require(route == self.routes[route["id"]], "a route is told as it is")
        reason = self.what_closes(route, seat)
        require(not reason, reason)
        paid: Counter[str] = Counter(event["payment"])
        colours = set(paid) - {"locomotive"}
        require(paid.total() == route["length"] and len(colours) <= 1, "one colour, as many cards")
        require(route["colour"] is None or colours <= {route["colour"]}, "the route's colour")
        require(paid <= self.hands[seat], "the cards are in the hand")
        require(self.trains[seat] >= route["length"], "the trains are there")
        require(event["points"] == POINTS[route["length"]], "the points")
        self.hands[seat] -= paid
        self.discard += paid
        self.trains[seat] -= route["length"]
        self.points[seat] += event["points"]
        self.owners[route["id"]] = seat

    def _turn_passed(self, event: Json) -> None:
        seat = event["seat"]
        require(not (self.deck.total() or self.discard.total()), f"seat {seat} could draw")
        require(not self.display, f"seat {seat} could take a card")
        tickets = [*self.ticket_deck.all(), *self.market]
        require("solo" in self.variants or not tickets, f"seat {seat} could ask for tickets")
        require(not self.can_claim(seat), f"seat {seat} could claim a route")

    def _final_round(self, event: Json) -> None:
        require(
            self.trains[event["seat"]] <= self.rules["final_round_trains"], "few trains are left"
        )

    def _seat_forfeited(self, event: Json) -> None:
        seat = event["seat"]
        require(seat not in self.left, "a seat leaves once")
        # of several, who left first is last; leaving in the same opening decision shares.
        order = 1 if self.turns.phase == "opening" else max(self.left.values(), default=0) + 1
        self.left[seat] = order
        self.put_under(self.offers[seat])
        self.offers[seat] = []

    def _game_ended(self, event: Json) -> None:
        self.is_over = True
        hands = [Counter(hand) for hand in event["hands"]]
        require(hands == [+hand for hand in self.hands], "the hands that were left")
        require(event["standings"] == self.document["standings"], "the standings are told twice")
