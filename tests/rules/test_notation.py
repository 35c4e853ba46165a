from __future__ import annotations

import hashlib
import re
import struct
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from roundhouse.rules import (
    Action,
    Card,
    CardsDealt,
    ClaimRoute,
    ErrorCode,
    Event,
    KeepTickets,
    Phase,
    RulesError,
    State,
    TicketsKept,
    format_action,
    format_event,
    load_board,
    parse_action,
    parse_event,
    start_game,
)
from tests.rules.games import CLASSIC, final_state, play_through
from tests.rules.tables import named

USA = load_board("usa")
PAGE = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")


def examples(section: str) -> list[str]:
    """Return the texts in the tables of a section of the page."""
    part = PAGE.split(f"\n## {section}\n")[1].split("\n## ")[0]
    rows = [line for line in part.splitlines() if line.startswith("| ")][2:]
    return [text for row in rows for text in re.findall(r"`([^`]+)`", row)]


@pytest.mark.parametrize("text", examples("Actions"))
def test_every_action_on_the_page_is_read_and_written_back(text: str) -> None:
    assert format_action(parse_action(text, USA), USA) == text


@pytest.mark.parametrize("text", examples("Events"))
def test_every_event_on_the_page_is_read_and_written_back(text: str) -> None:
    assert format_event(parse_event(text, USA), USA) == text


def test_the_page_shows_every_kind() -> None:
    actions = {type(parse_action(text, USA)).__name__ for text in examples("Actions")}
    assert len(actions) == len(get_args(Action))
    events = {type(parse_event(text, USA)).__name__ for text in examples("Events")}
    assert len(events) == len(get_args(Event)) - 1  # all but the end, which is a paragraph


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (KeepTickets((3, 7), (9, 1)), "keep 3 7 return 9 1"),
        (KeepTickets((), (9,)), "keep return 9"),
        (ClaimRoute(31, Card.GREEN, 1), "claim Denver-Helena (3 green + 1 locomotive)"),
        (ClaimRoute(31, None, 4), "claim Denver-Helena (4 locomotive)"),
        (ClaimRoute(11, Card.RED, 0), "claim Boston-New York/2 (2 red)"),
    ],
)
def test_actions_in_words(action: Action, text: str) -> None:
    assert format_action(action, USA) == text
    assert parse_action(text, USA) == action


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Draw",
        "draw ",
        " draw",
        "draw\n",
        "take",
        "take -1",
        "take 03",
        "take ٣",
        "take 3 4",
        "keep  3",
        "keep 3 return",
        "keep 3, 7",
        "claim Denver-Helena",
        "claim Denver-Helena ()",
        "claim Denver-Helena (no cards)",
        "claim Denver-Helena (3 green)",
        "claim Denver-Helena (5 green)",
        "claim Denver-Helena (1 locomotive + 3 green)",
        "claim Denver-Helena (2 green + 2 green)",
        "claim Denver-Helena (2 green + 2 red)",
        "claim Denver-Helena (04 green)",
        "claim Denver-Helena (4 Green)",
        "claim Denver-Helena (4 pink)",
        "claim Denver-Helena (-1 locomotive + 5 green)",
        "x" * 500,
    ],
)
def test_what_is_not_exactly_the_notation_is_refused(text: str) -> None:
    for parse in (parse_action, parse_event):
        with pytest.raises(RulesError) as caught:
            parse(text, USA)
        assert caught.value.code is ErrorCode.UNREADABLE
        assert len(str(caught.value)) < 200


@pytest.mark.parametrize("text", ["claim Helena-Denver (4 green)", "claim Boston-New York (2 red)"])
def test_an_unknown_route_is_named(text: str) -> None:
    with pytest.raises(RulesError, match=r"has no route '") as caught:
        parse_action(text, USA)
    assert caught.value.code is ErrorCode.NO_SUCH_ROUTE


@pytest.mark.parametrize(
    "text",
    [
        "game over: ",
        "game over: seat=0",
        "game over: seat=0 placement",
        "game over: nonsense=3",
        "seat 0 is dealt",
        "seat x draws red",
        "seat 0 draws pink",
        "seat 0 takes red from slot",
    ],
)
def test_a_broken_event_is_refused(text: str) -> None:
    with pytest.raises(RulesError) as caught:
        parse_event(text, USA)
    assert caught.value.code is ErrorCode.UNREADABLE


def test_hidden_and_empty_are_told_apart() -> None:
    for event in (
        TicketsKept(0, None, None, 2, 1),
        TicketsKept(0, (1, 2), (), 2, 0),
        TicketsKept(0, (), (3,), 0, 1),
        CardsDealt(1, None, 4),
        CardsDealt(1, (Card.RED,), 1),
    ):
        assert parse_event(format_event(event, USA), USA) == event


def digest_by_the_page(s: State) -> bytes:
    """Encode a state as docs/notation.md says, with nothing of the engine's code."""
    numbers = [s.seats, int(s.phase), s.turn_seat, s.turn_number, s.passes, s.final_seat]
    numbers += [s.shuffles, s.leaving]

    def add(*lists: list[int]) -> None:
        for items in lists:
            numbers.extend([len(items), *items])

    add(*s.hands, s.known, s.blind, s.pool, list(reversed(s.deck)), s.discard)
    add(s.display, s.ticket_deck, s.returned_by)
    for seat, answer in enumerate(s.answers):
        add(list(s.tickets[seat]), list(s.offers[seat]))
        add(list(answer.keep) if answer else [], list(answer.give_back) if answer else [])
    add(s.trains, s.points, [-1 if owner is None else owner for owner in s.owners], s.forfeits)
    if s.rules.edition == "refresh-2025":
        add(list(s.mixed))
    if "ticket_market" in s.rules.variants:
        add(list(s.market), list(s.shown))
    if "route_protection" in s.rules.variants:
        add(list(s.turns))
    data = struct.pack(f">{len(numbers)}H", *(number % 65536 for number in numbers))
    name = "+".join([s.rules.edition, *s.rules.variants]).encode()
    if s.rules.has_own_tickets:
        lines = "".join(f"{t.id},{t.city_a},{t.city_b},{t.value}\n" for t in s.rules.tickets)
        name += b"+tickets:" + hashlib.sha256(lines.encode()).hexdigest()[:16].encode()
    head = b"roundhouse state 1\n" + bytes([len(name)]) + name + s.seed
    return hashlib.sha256(head + data).digest()


def test_the_digest_is_the_one_that_the_page_describes() -> None:
    phases = set()
    for state, seat, action in play_through(CLASSIC, 3, 6, "ticketeer"):
        phases.add(state.phase)
        assert state.digest() == digest_by_the_page(state)
        if state.phase is Phase.OPENING:
            answered = state.copy()
            answered.apply(action, seat)
            assert answered.digest() == digest_by_the_page(answered)
    assert phases == {Phase.OPENING, Phase.TURN, Phase.SECOND_CARD, Phase.TICKET_OFFER}
    assert final_state(CLASSIC, 2, 1).digest() != final_state(CLASSIC, 2, 2).digest()


@pytest.mark.parametrize(
    ("label", "seats"),
    [
        ("refresh-2025", 3),
        ("family-3", 2),
        ("mega+open_tickets+opening_exchange+quick+ticket_market", 3),
        ("classic+route_protection+teams", 4),
        ("tiny+solo", 1),
    ],
)
def test_the_digest_of_every_kind_of_rules_is_the_one_of_the_page(label: str, seats: int) -> None:
    for state, _seat, _action in play_through(named(label), seats, 6, "ticketeer"):
        assert state.digest() == digest_by_the_page(state)


def test_the_digest_tells_own_tickets_as_the_page_says() -> None:
    rules = CLASSIC.with_tickets([replace(t, value=t.value + 1) for t in CLASSIC.tickets])
    state, _ = start_game(rules, 2, bytes(32))
    assert state.digest() == digest_by_the_page(state)
    assert state.digest() != start_game(CLASSIC, 2, bytes(32))[0].digest()
