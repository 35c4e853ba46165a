"""Whose turn it is, and what may be done in it: a part of the independent checker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.sdk.replay.independent_scoring import has_completed_all
from tests.sdk.replay.suspicion import require

if TYPE_CHECKING:
    from tests.sdk.replay.independent_checker import Checker

ALLOWED = {
    "opening": {"keep_tickets"},
    "exchange": {"exchange_ticket"},
    "turn": {"take_card", "draw_card", "draw_tickets", "claim_route"},
    "second": {"take_card", "draw_card"},
    "blind": {"draw_card"},
    "choice": {"choose_ticket"},
    "offer": {"keep_tickets"},
}
DEEDS = {
    "take_card": "card_taken",
    "draw_card": "card_drawn",
    "claim_route": "route_claimed",
    "keep_tickets": "tickets_kept",
    "choose_ticket": "ticket_chosen",
    "exchange_ticket": "ticket_exchanged",
    "draw_tickets": "tickets_offered",
}
"""What an action is told by."""

TURNING = {"final_round", "turn_passed", "game_ended"}
"""What is told when a turn has ended."""


class Turns:
    """Follow the turns: in the opening all seats are due, later one."""

    def __init__(self, game: Checker) -> None:
        self.game = game
        self.phase = "opening"
        self.due = set(range(game.seats))
        self.leaving: set[int] = set()
        self.finished = [0] * game.seats
        self.passes = 0
        self.final_seat: int | None = None
        self.took_locomotive = False
        self.told: list[Any] = []  # events at the end of turns in this entry, still to be explained

    def is_protected(self) -> bool:
        """Until every player has finished two turns (V-4)."""
        return any(self.finished[seat] < 2 for seat in self._playing())

    def before(self, entry: dict[str, Any]) -> None:
        """Check that the seat may do that now."""
        self.told = [event for event in entry["events"] if event["event"] in TURNING]
        self._require_deed(entry)
        seat = entry["seat"]
        if entry["kind"] == "forfeit":
            require(seat not in {*self.game.left, *self.leaving}, "a seat leaves once")
            return
        require(seat in self.due, f"seat {seat} is to act")
        kind = entry["action"]["action"]
        require(kind in ALLOWED[self.phase], f"{kind} is no answer in {self.phase}")
        require(kind != "draw_tickets" or not self._has("solo"), "no tickets are drawn in solo")
        if kind == "take_card":
            shown = self.game.display.get(entry["action"]["slot"])
            self.took_locomotive = shown == "locomotive"
            is_allowed = self.phase == "turn" or self._is_relaxed() or not self.took_locomotive
            require(is_allowed, "no face-up locomotive as second card")

    def after(self, entry: dict[str, Any]) -> None:
        """Go on after what has happened; a game that has ended must have had a reason."""
        if entry["kind"] == "forfeit":
            self._left(entry["seat"])
        elif self.phase == "opening":
            self._answered(entry["seat"])
        else:
            self._acted(entry["seat"], entry["action"]["action"])
        require(not self.told, "a turn ends as told")

    def _require_deed(self, entry: dict[str, Any]) -> None:
        """An entry tells its action and no other; answers of the opening are told together."""
        deeds = [event for event in entry["events"] if event["event"] in DEEDS.values()]
        if self.phase == "opening":
            return
        expected = [DEEDS[entry["action"]["action"]]] if entry["kind"] == "action" else []
        if expected == ["ticket_exchanged"] and entry["action"]["ticket"] is None:
            expected = []
        if expected == ["tickets_offered"] and self._has("ticket_market"):
            expected = []
        require([event["event"] for event in deeds] == expected, "the action is what happened")
        for event in deeds:
            require(event["seat"] == entry["seat"], "the seat is who acted")
            for name in {"slot", "route"} & set(entry["action"]):
                require(event[name] == entry["action"][name], "the action is what happened")

    def _answered(self, seat: int) -> None:
        self.due -= {seat}
        if not self.due:
            if self._has("opening_exchange"):
                self.phase = "exchange"
                self._exchange_from(0)
            else:
                self._next(self.game.seats - 1)

    def _left(self, seat: int) -> None:
        # with one player left the game ends at once; in teams a team is one player.
        self.leaving.add(seat)
        if self._has("teams") or self.game.seats - len(self.leaving) <= 1:
            self._expect("game_ended")
        elif self.phase == "opening":
            self._answered(seat)
        elif seat in self.due and self.phase == "exchange":
            self._exchange_from(seat + 1)
        elif seat in self.due:
            self._end(seat)

    def _acted(self, seat: int, kind: str) -> None:
        follower = ""
        if kind == "draw_tickets":
            follower = "choice" if self._has("ticket_market") else "offer"
        elif kind == "choose_ticket":
            is_full = len(self.game.offers[seat]) == self.game.rules["later_offer"]
            has_more = self.game.ticket_deck.all() or self.game.market
            follower = "choice" if has_more and not is_full else "offer"
        elif kind == "exchange_ticket":
            self._exchange_from(seat + 1)
            return
        elif self.phase == "turn" and kind in ALLOWED["second"]:
            follower = self._second(kind)
        if follower:
            self.phase = follower
            return
        self.passes = 0
        self._end(seat)

    def _second(self, kind: str) -> str:
        """Return the phase of a second card; empty when there is none (R-04, R-05, R-23)."""
        can_draw = self.game.deck.total() or self.game.discard.total()
        if kind == "take_card" and self.took_locomotive and not self._is_relaxed():
            is_blind = self.game.rules["face_up_locomotive"].endswith("blind only")
            return "blind" if is_blind and can_draw else ""
        shown = self.game.display.values()
        can_take = any(card != "locomotive" or self._is_relaxed() for card in shown)
        return "second" if can_draw or can_take else ""

    def _exchange_from(self, seat: int) -> None:
        waiting = [other for other in self._playing() if other >= seat]
        if waiting:
            self.due = {waiting[0]}
        else:
            self._next(self.game.seats - 1)

    def _end(self, seat: int) -> None:
        """End a turn: the final round (R-16), the end, or the next turn."""
        self.finished[seat] += 1
        few = self.game.trains[seat] <= self.game.rules["final_round_trains"]
        if self._has("solo") and has_completed_all(self.game):
            self._expect("game_ended")
        elif self.final_seat is None and few and seat not in self.game.left:
            self._expect("final_round", seat)
            self.final_seat = seat
            self._next(seat)
        elif seat == self.final_seat:
            self._expect("game_ended")
        else:
            self._next(seat)

    def _next(self, seat: int) -> None:
        if self.passes and self.passes >= len(self._playing()):
            self._expect("game_ended")
            return
        follower = (seat + 1) % self.game.seats
        while follower in self.game.left:
            if follower == self.final_seat:
                self._expect("game_ended")
                return
            follower = (follower + 1) % self.game.seats
        if self.told and self.told[0]["event"] == "turn_passed":
            self._expect("turn_passed", follower)
            self.passes += 1
            self._end(follower)
        else:
            self.phase, self.due = "turn", {follower}

    def _expect(self, kind: str, seat: int | None = None) -> None:
        require(self.told and self.told[0]["event"] == kind, f"{kind} is due")
        require(seat is None or self.told[0]["seat"] == seat, f"{kind} is due to seat {seat}")
        del self.told[0]

    def _playing(self) -> list[int]:
        return [seat for seat in range(self.game.seats) if seat not in self.game.left]

    def _has(self, variant: str) -> bool:
        return variant in self.game.variants

    def _is_relaxed(self) -> bool:
        return str(self.game.rules["face_up_locomotive"]).startswith("counts")
