"""The laws that hold in every game, checked at every decision of one game."""

from __future__ import annotations

import random
from dataclasses import fields
from typing import TYPE_CHECKING

import pytest

from roundhouse.rules import (
    Action,
    Card,
    CardDiscarded,
    ChooseTicket,
    ClaimRoute,
    DisplayCleared,
    DisplayFilled,
    DrawCard,
    DrawTickets,
    ErrorCode,
    ExchangeTicket,
    GameEnded,
    KeepTickets,
    MarketFilled,
    Pass,
    Phase,
    RulesError,
    RuleSet,
    State,
    TakeCard,
    action_count,
    action_from_index,
    action_index,
    format_action,
    format_event,
    parse_action,
    parse_event,
    start_game,
)
from roundhouse.rules import DeckShuffled as Shuffled
from roundhouse.rules import TurnPassed as Passed
from tests.rules.faults import faults
from tests.rules.games import check_conservation, play_through, seed_of

if TYPE_CHECKING:
    from roundhouse.rules import Event, Observation

POSSIBLE: dict[Phase, tuple[type, ...]] = {
    Phase.OPENING: (KeepTickets,),
    Phase.TURN: (TakeCard, DrawCard, DrawTickets, ClaimRoute),
    Phase.SECOND_CARD: (TakeCard, DrawCard),
    Phase.TICKET_OFFER: (KeepTickets,),
    Phase.TICKET_CHOICE: (ChooseTicket,),
    Phase.EXCHANGE: (ExchangeTicket,),
    Phase.BLIND_CARD: (DrawCard,),
}
"""What kinds of action a phase knows at all."""


def longest_game(rules: RuleSet, seats: int) -> int:
    """Return a bound on the decisions of a game of n seats.

    Every seat answers its opening offer and, in `opening_exchange`, exchanges a ticket or none: 2n.
    After that every decision belongs to a turn of one of three kinds.

    * A claim is one decision. It takes at least one train, so there are at most n * trains.
    * A ticket turn is one request, at most `later_offer` choices from the market (V-3), and one
      answer that keeps at least one ticket. Kept tickets never go back: there are at most as many
      such turns as tickets.
    * A drawing turn draws one card a decision. No card leaves a hand but in a claim, which pays at
      most 6, so that at most all cards of the box and 6 for each claim are drawn.

    Passes are no decisions, and what happens to the display costs none.
    """
    claims = seats * rules.trains
    ticket_turns = len(rules.tickets) * (2 + rules.later_offer)
    return 2 * seats + claims + ticket_turns + sum(rules.card_counts) + 6 * claims


def differences(one: Observation, other: Observation) -> list[str]:
    """Name the fields in which observations differ: a readable failure."""
    return [f.name for f in fields(one) if getattr(one, f.name) != getattr(other, f.name)]


def check_laws(rules: RuleSet, seats: int, number: int, player: str, share: float = 1) -> None:
    """Play one game and check every law, the costly ones at a share of the decisions."""
    rng = random.Random(number)
    played: list[tuple[int, str, bytes]] = []
    for state, seat, action in play_through(rules, seats, number, player):
        before = state.digest()
        check_conservation(state)
        for check in (check_legal, check_illegal):
            if rng.random() < share:
                check(state, seat, rng)
        if rng.random() < share:
            check_knowledge(state, seat, action, rng)
        assert state.digest() == before  # nothing above has touched it
        played.append((seat, format_action(action, rules.board), before))
    check_conservation(state)
    assert state.is_over()
    assert len(played) <= longest_game(rules, seats)
    for viewer in range(seats):
        seen = state.observe(viewer)
        assert differences(seen.sample_state(rng).observe(viewer), seen) == []
    check_replay(state, played, number)


def check_replay(state: State, played: list[tuple[int, str, bytes]], number: int) -> None:
    """The same seed and actions, read from their notation, give the same states."""
    again, events = start_game(state.rules, state.seats, seed_of(number))
    for seat, text, digest in played:
        assert again.digest() == digest
        events = again.apply(parse_action(text, state.rules.board), seat)
    assert again.digest() == state.digest()
    assert isinstance(events[-1], GameEnded)
    assert events[-1].standings == state.standings()
    assert min(standing.placement for standing in state.standings()) == 1


def check_legal(state: State, seat: int, rng: random.Random) -> None:
    """Every legal action applies, `push` does the same, and notation and index come back."""
    legal = state.legal_actions(seat)
    assert len(set(legal)) == len(legal)
    board, seen = state.rules.board, state.observe(seat)
    assert seen.legal_actions() == legal
    for action in rng.sample(legal, min(2, len(legal))):
        assert faults(state, seat, action) == set()
        applied, pushed = state.copy(), state.copy()
        events = applied.apply(action, seat)
        pushed.push(action, seat)
        assert applied.digest() == pushed.digest() != state.digest()
        assert parse_action(format_action(action, board), board) == action
        index = action_index(action, seen)
        assert 0 <= index < action_count(board)
        assert action_from_index(index, seen) == action
        for viewer in (None, *range(state.seats)):
            for event in events:
                shown = event.redacted(viewer)
                assert parse_event(format_event(shown, board), board) == shown


def some_actions(state: State, rng: random.Random) -> list[Action]:
    """Return actions of every kind, legal and not."""
    tickets = [ticket for lot in (*state.offers, *state.tickets) for ticket in lot] + [1, 2, 999]
    some = rng.sample(tickets, min(len(tickets), 3))
    return [
        TakeCard(rng.randrange(-2, 7)),
        DrawCard(),
        DrawTickets(),
        Pass(),
        KeepTickets(tuple(some[:2]), tuple(some[2:])),
        KeepTickets((), tuple(some)),
        ChooseTicket(rng.choice([None, -1, 0, 1, 2, 3])),
        ExchangeTicket(rng.choice([None, *tickets])),
        *(
            ClaimRoute(rng.randrange(-1, 103), rng.choice([None, *Card]), rng.randrange(-1, 8))
            for _ in range(3)
        ),
    ]


def check_illegal(state: State, seat: int, rng: random.Random) -> None:
    """What is not in the list is refused with a code that fits, and changes nothing."""
    legal = set(state.legal_actions(seat))
    before = state.digest()
    for action in some_actions(state, rng):
        if action in legal:
            continue
        with pytest.raises(RulesError) as caught:
            state.apply(action, seat)
        assert str(caught.value).endswith(".")
        if isinstance(action, POSSIBLE[state.phase]):
            assert caught.value.code in faults(state, seat, action)
        else:
            wrong = ErrorCode.NOT_FORCED if isinstance(action, Pass) else ErrorCode.WRONG_PHASE
            assert caught.value.code is wrong
    assert state.digest() == before
    for other in set(range(state.seats)) - set(state.seats_to_act()):
        assert state.legal_actions(other) == []
        with pytest.raises(RulesError) as caught:
            state.apply(min(legal, key=repr), other)
        assert caught.value.code is ErrorCode.NOT_YOUR_TURN


def check_knowledge(state: State, seat: int, action: Action, rng: random.Random) -> None:
    """A seat cannot tell a twin, drawn from all that it knows, from the real state.

    Nor does it see a difference in the events, whoever acts.
    """
    viewer = rng.randrange(state.seats)
    seen = state.observe(viewer)
    assert seen.legal_actions() == state.legal_actions(viewer)
    twin = seen.sample_state(rng)
    check_conservation(twin)
    assert differences(twin.observe(viewer), seen) == []
    twins_action = the_twins_action(state, twin, seat, viewer, action)
    if twins_action is None:
        return
    real = state.copy()
    told = visible(real.apply(action, seat), viewer)
    told_by_twin = visible(twin.apply(twins_action, seat), viewer)
    if real.is_over() or twin.is_over() or real.phase is not twin.phase:
        return  # the end shows the hands; R-05 may depend on a revealed card
    draws = isinstance(action, (DrawCard, DrawTickets, ChooseTicket, ExchangeTicket))
    if viewer != seat or not draws:  # who draws sees what it draws
        assert told == told_by_twin


def the_twins_action(
    state: State, twin: State, seat: int, viewer: int, action: Action
) -> Action | None:
    """Return what the twin does where the real state does `action`; None when nothing compares."""
    legal = twin.legal_actions(seat)
    if isinstance(action, KeepTickets) and viewer != seat:
        # The other seat's twin answers a different offer. In the opening the answers wait for each
        # other; what is kept openly is seen.
        if state.phase is Phase.OPENING or state.rules.open_tickets:
            return None
        count = len(action.keep)
        return next(a for a in legal if isinstance(a, KeepTickets) and len(a.keep) == count)
    if isinstance(action, ExchangeTicket) and action.ticket_id is not None and viewer != seat:
        return None if state.rules.open_tickets else legal[1]
    return action if action in legal else None  # a claim that the twin's hand cannot pay


def visible(events: list[Event], seat: int) -> list[Event]:
    """Return what a seat sees, without what the rules reveal to everybody.

    Cards and tickets come out of the decks, and a forced pass tells of a hand; twins share neither,
    so that these are new knowledge and no leak.
    """
    revealed = (DisplayFilled, DisplayCleared, CardDiscarded, MarketFilled, Shuffled, Passed)
    return [event.redacted(seat) for event in events if not isinstance(event, revealed)]
