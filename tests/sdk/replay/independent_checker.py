"""Check a game from its JSON document alone.

It shares no code with the engine and reads nothing but the document: it is what somebody could
write who does not trust us. It follows the cards and trains and tickets of everybody, the order of
turns, every claim, and scores the end.
"""

from collections import Counter
from typing import Any

POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15}
Json = dict[str, Any]


class CheckError(Exception):
    """The document tells a game that cannot have been."""


def require(condition: object, what: str) -> None:
    if not condition:
        raise CheckError(what)


class Checker:
    """One game as it goes on; raises `CheckError` at the first thing that cannot be."""

    def __init__(self, document: Json) -> None:
        self.document = document
        self.rules = document["rules"]
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
        self.offers: list[set[int]] = [set() for _ in range(self.seats)]
        self.kept: list[list[int]] = [[] for _ in range(self.seats)]
        self.ticket_deck = set(self.tickets)
        self.left: list[int] = []
        self.shuffles = 0
        self.final_seat: int | None = None
        self.is_over = False

    def check(self) -> None:
        for event in self.document["set_up"]["events"]:
            self.take(event)
        self.require_all_cards()
        turns = Turns(self)
        for number, entry in enumerate(self.document["entries"], 1):
            require(entry["index"] == number, "the entries are numbered")
            turns.before(entry)
            for event in entry["events"]:
                self.take(event)
            self.require_all_cards()
            turns.after(entry)
        require(self.is_over, "the game ends")
        self.require_standings()

    def take(self, event: Json) -> None:
        require(not self.is_over, "nothing happens after the end")
        getattr(self, f"_{event['event']}")(event)

    def require_all_cards(self) -> None:
        total = self.deck + self.discard + Counter(self.display.values())
        for hand in self.hands:
            total += hand
        require(total == Counter(self.rules["cards"]), "no card is gained or lost")
        piles = [*self.kept, *self.offers, self.ticket_deck]
        require(sorted(t for pile in piles for t in pile) == sorted(self.tickets), "all tickets")

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

    def _tickets_offered(self, event: Json) -> None:
        offer = {ticket["id"] for ticket in event["tickets"]}
        require(len(offer) == event["count"] and offer <= self.ticket_deck, "the offer")
        for ticket in event["tickets"]:
            require(ticket == self.tickets[ticket["id"]], "a ticket is told as it is")
        self.ticket_deck -= offer
        self.offers[event["seat"]] = offer

    def _tickets_kept(self, event: Json) -> None:
        seat = event["seat"]
        kept = [ticket["id"] for ticket in event["kept"]]
        back = [ticket["id"] for ticket in event["given_back"]]
        opening = not self.kept[seat]
        least = self.rules["opening_keep" if opening else "later_keep"]
        require(sorted(kept + back) == sorted(self.offers[seat]), "the offered tickets")
        require(len(kept) >= min(least, len(self.offers[seat])), "enough tickets are kept")
        self.kept[seat] += kept
        self.ticket_deck |= set(back)
        self.offers[seat] = set()

    def _card_taken(self, event: Json) -> None:
        require(self.display.pop(event["slot"], None) == event["card"], "the card of the slot")
        self.hands[event["seat"]][event["card"]] += 1

    def _card_drawn(self, event: Json) -> None:
        self.draw(event["card"])
        self.hands[event["seat"]][event["card"]] += 1

    def _route_claimed(self, event: Json) -> None:
        seat, route = event["seat"], event["route"]
        require(route == self.routes[route["id"]], "a route is told as it is")
        require(route["id"] not in self.owners, "a route is claimed once")
        for other, owner in self.owners.items():
            line = self.routes[other]
            if {line["city_a"], line["city_b"]} == {route["city_a"], route["city_b"]}:
                require(self.seats > 3 and owner != seat, "the sibling is closed")
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
        require(not self.deck and not self.discard, f"seat {event['seat']} could draw")

    def _final_round(self, event: Json) -> None:
        require(self.final_seat is None, "one final round")
        require(
            self.trains[event["seat"]] <= self.rules["final_round_trains"], "few trains are left"
        )
        self.final_seat = event["seat"]

    def _seat_forfeited(self, event: Json) -> None:
        self.left.append(event["seat"])
        self.ticket_deck |= self.offers[event["seat"]]
        self.offers[event["seat"]] = set()

    def _game_ended(self, event: Json) -> None:
        self.is_over = True
        hands = [Counter(hand) for hand in event["hands"]]
        require(hands == [+hand for hand in self.hands], "the hands that were left")
        require(event["standings"] == self.document["standings"], "the standings are told twice")

    def require_standings(self) -> None:
        longest = [
            longest_path([self.routes[r] for r, owner in self.owners.items() if owner == seat])
            for seat in range(self.seats)
        ]
        best = max(longest[seat] for seat in range(self.seats) if seat not in self.left)
        keys = []
        for seat, told in enumerate(self.document["standings"]):
            mine = [self.routes[r] for r, owner in self.owners.items() if owner == seat]
            done = [t for t in self.kept[seat] if connected(self.tickets[t], mine)]
            worth = sum(
                self.tickets[t]["value"] * (1 if t in done else -1) for t in self.kept[seat]
            )
            has_bonus = longest[seat] == best > 0 and seat not in self.left
            bonus = self.rules["longest_path_bonus"] if has_bonus else 0
            expected = {
                "seat": seat,
                "total": self.points[seat] + worth + bonus,
                "route_points": self.points[seat],
                "ticket_points": worth,
                "longest_path": longest[seat],
                "longest_path_bonus": bonus,
                "tickets_completed": len(done),
                "tickets_failed": len(self.kept[seat]) - len(done),
                "routes_claimed": len(mine),
                "trains_left": self.trains[seat],
                "forfeited": seat in self.left,
                "tickets": [self.tickets[t] for t in self.kept[seat]],
            }
            for name, value in expected.items():
                require(told[name] == value, f"seat {seat}: {name} is {value}, not {told[name]}")
            place = self.left.index(seat) - self.seats if seat in self.left else 0
            keys.append((place, *((expected["total"], len(done), bonus) if place == 0 else ())))
        for seat, told in enumerate(self.document["standings"]):
            better = sum(key > keys[seat] for key in keys)
            require(told["placement"] == better + 1, f"seat {seat}: the placement")


class Turns:
    """Whose turn it is and what may be done in it."""

    def __init__(self, checker: Checker) -> None:
        self.game = checker
        self.due = set(range(checker.seats))  # the seats that are to act
        self.opening = True
        self.second = False
        self.offered = False
        self.turn_seat = -1

    def before(self, entry: Json) -> None:
        seat = entry["seat"]
        if entry["kind"] == "forfeit":
            require(seat not in self.game.left, "a seat leaves once")
            return
        require(seat in self.due, f"seat {seat} is to act")
        kind = entry["action"]["action"]
        if self.opening or self.offered:
            require(kind == "keep_tickets", "an offer is answered")
        elif self.second:
            require(kind in {"take_card", "draw_card"}, "a second card is due")
            card = self.game.display.get(entry["action"].get("slot"), "")
            require(card != "locomotive", "no face-up locomotive as second card")
        else:
            require(kind != "keep_tickets", "nothing is offered")
            if kind == "take_card":
                self.took_locomotive = (
                    self.game.display.get(entry["action"]["slot"]) == "locomotive"
                )

    def after(self, entry: Json) -> None:
        if self.game.is_over:
            return
        if self.opening:
            self.due -= {entry["seat"]}
            if not self.due:
                self.opening = False
                self._next(-1)
            return
        if entry["kind"] == "forfeit":
            if entry["seat"] in self.due:
                self._next(entry["seat"])
            return
        kind = entry["action"]["action"]
        if kind == "draw_tickets":
            self.offered = True
        elif kind in {"take_card", "draw_card"} and not self.second:
            ends = kind == "take_card" and self.took_locomotive
            if ends or not self._has_second():
                self._next(entry["seat"])
            else:
                self.second = True
        else:
            self._next(entry["seat"])

    def _has_second(self) -> bool:
        shown = self.game.display.values()
        return bool(
            self.game.deck.total()
            or self.game.discard.total()
            or any(card != "locomotive" for card in shown)
        )

    def _next(self, seat: int) -> None:
        self.second = self.offered = False
        follower = (seat + 1) % self.game.seats
        while follower in self.game.left:
            follower = (follower + 1) % self.game.seats
        self.due = {follower}


def connected(ticket: Json, routes: list[Json]) -> bool:
    reached = {ticket["city_a"]}
    for _ in routes:
        for route in routes:
            ends = {route["city_a"], route["city_b"]}
            if ends & reached:
                reached |= ends
    return ticket["city_b"] in reached


def longest_path(routes: list[Json]) -> int:
    """Try every trail from every city: slow, plain, and right."""

    def extend(city: str, rest: list[Json]) -> int:
        best = 0
        for place, route in enumerate(rest):
            for here, there in (
                (route["city_a"], route["city_b"]),
                (route["city_b"], route["city_a"]),
            ):
                if here == city:
                    others = rest[:place] + rest[place + 1 :]
                    best = max(best, route["length"] + extend(there, others))
        return best

    cities = {route[end] for route in routes for end in ("city_a", "city_b")}
    return max((extend(city, routes) for city in cities), default=0)
