"""The replay page of one game, made from its log."""

import json
from dataclasses import dataclass
from typing import Self

from ladder.web.fold import Fold
from ladder.web.frames import Frame, PlayerFrame
from roundhouse.api.game.v1.log_pb2 import GameLog
from roundhouse.codec import decode_event, decode_rules, decode_standing
from roundhouse.rules import Card, RuleSet, Standing, Ticket


@dataclass(frozen=True, slots=True)
class TicketLine:
    """A ticket as one line of text; `mark` is "done", "open", or "offered"."""

    id: int
    text: str
    mark: str


@dataclass(frozen=True, slots=True)
class Replay:
    """All frames of a game, with what is needed to draw any of them."""

    rules: RuleSet
    isolated: bool
    frames: tuple[Frame, ...]
    standings: tuple[Standing, ...]

    @classmethod
    def of(cls, log: GameLog) -> Self:
        """Return the replay of a log, which must have been read without an error."""
        rules = decode_rules(log.rules)
        fold = Fold(rules, tuple(seat.bot for seat in log.seats))
        frames: list[Frame] = []
        for turn, events in enumerate([log.set_up, *(entry.events for entry in log.entries)]):
            known = tuple(e for e in map(decode_event, events) if e is not None)
            frames += fold.steps(turn, known)
        standings = sorted(map(decode_standing, log.standings), key=lambda s: (s.placement, s.seat))
        return cls(rules, log.host.isolated, tuple(frames), tuple(standings))

    def turn_steps(self, step: int) -> tuple[int, int]:
        """Return the first step of the turn before, and of the turn after, the one of `step`."""
        turn = self.frames[step].turn
        before = [i for i, f in enumerate(self.frames) if f.turn < turn]
        start = before[-1] if before else 0
        while start > 0 and self.frames[start - 1].turn == self.frames[start].turn:
            start -= 1
        after = next((i for i, f in enumerate(self.frames) if f.turn > turn), len(self.frames) - 1)
        return start, after

    def ticket_lines(self, frame: Frame, seat: int) -> list[TicketLine]:
        """Return the tickets that `seat` holds or is offered in `frame`, the kept ones first."""
        player = frame.players[seat]
        groups = _groups(self.rules, frame, seat)
        tickets = {ticket.id: ticket for ticket in self.rules.tickets}

        def line(number: int, mark: str) -> TicketLine:
            return TicketLine(number, ticket_text(tickets[number]), mark)

        def is_done(number: int) -> bool:
            ticket = tickets[number]
            home = groups.get(ticket.city_a)
            return home is not None and home == groups.get(ticket.city_b)

        kept = [line(t, "done" if is_done(t) else "open") for t in player.tickets]
        return kept + [line(t, "offered") for t in player.offer]

    def market_lines(self, frame: Frame) -> list[str | None]:
        """Return the tickets that lie face up in `frame`, None for an empty slot."""
        texts = {ticket.id: ticket_text(ticket) for ticket in self.rules.tickets}
        return [None if number is None else texts[number] for number in frame.market]

    def script_data(self) -> str:
        """Return what the page's script needs, as JSON that may stand inside a script element."""
        claims = [
            (frame.fresh_route, frame.owners[frame.fresh_route], step)
            for step, frame in enumerate(self.frames)
            if frame.fresh_route is not None
        ]
        document = {
            "tickets": {t.id: ticket_text(t) for t in self.rules.tickets},
            "claims": claims,
            "frames": [self._script_frame(frame) for frame in self.frames],
        }
        # "</script>" in a bot's name must not end the element.
        return json.dumps(document, separators=(",", ":")).replace("<", "\\u003c")

    def _script_frame(self, frame: Frame) -> dict[str, object]:
        return {
            "caption": frame.caption,
            "turn": frame.turn,
            "seat": frame.seat,
            "route": frame.fresh_route,
            "display": [None if card is None else card.word for card in frame.display],
            "deck": frame.deck,
            "discard": sum(frame.discard),
            "ticket_deck": frame.ticket_deck,
            "market": frame.market,
            "players": [
                {
                    "hand": hand_words(player),
                    "points": player.points,
                    "trains": player.trains,
                    "tickets": [(t.id, t.mark) for t in self.ticket_lines(frame, seat)],
                }
                for seat, player in enumerate(frame.players)
            ],
        }


def ticket_text(ticket: Ticket) -> str:
    """Return a ticket as people read it."""
    return f"{ticket.city_a} – {ticket.city_b} ({ticket.value})"


def hand_words(player: PlayerFrame) -> list[tuple[str, int]]:
    """Return the kinds of cards that a player holds, each with its count."""
    return [(card.word, count) for card, count in zip(Card, player.hand, strict=True) if count > 0]


def _groups(rules: RuleSet, frame: Frame, seat: int) -> dict[str, str]:
    """Name for each city that `seat` has reached one city of its connected part (union-find)."""
    parent: dict[str, str] = {}

    def root(city: str) -> str:
        while parent.setdefault(city, city) != city:
            city = parent[city]
        return city

    for route_id, owner in frame.owners.items():
        if owner == seat:
            route = rules.board.route(route_id)
            parent[root(route.city_a)] = root(route.city_b)
    return {city: root(city) for city in list(parent)}
