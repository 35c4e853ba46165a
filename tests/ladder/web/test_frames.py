import random
from itertools import count

import pytest

from ladder.web.fold import Fold
from ladder.web.frames import Frame
from roundhouse.rules import (
    Card,
    GameEnded,
    RouteClaimed,
    State,
    TicketsKept,
    TicketsOffered,
    edition,
    start_game,
)

CLASSIC = edition("classic")
NAMES = ("ada", "bob", "cyd", "dot", "eve")


def agree(frame: Frame, state: State) -> None:
    """Compare a frame, made from events alone, with the state of the rules engine."""
    for seat, player in enumerate(frame.players):
        seen = state.observe(seat)
        public = seen.players[seat]
        assert player.hand == seen.hand
        assert player.trains == public.trains
        assert player.forfeited == public.forfeited
        assert frame.display == seen.display
        assert frame.deck == seen.deck_size
        assert frame.discard == seen.discard
        assert frame.ticket_deck == seen.ticket_deck_size
        assert frame.market == seen.market
        for route_id, owner in enumerate(seen.route_owner):
            assert frame.owners.get(route_id) == owner
        if not state.is_over():
            assert player.points == public.route_points
            assert player.tickets == seen.tickets


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("forfeit_at", [None, 0, 40])
def test_frames_agree_with_the_engine_after_every_action(
    seats: int, forfeit_at: int | None
) -> None:
    rng = random.Random(f"{seats} {forfeit_at}")
    state, events = start_game(CLASSIC, seats, rng.randbytes(32))
    fold = Fold(CLASSIC, NAMES[:seats])
    frames = list(fold.steps(0, tuple(events)))
    turn = 0
    while not state.is_over():
        turn += 1
        if turn == (None if forfeit_at is None else forfeit_at + 1):
            events = state.forfeit(state.seats_to_act()[0])
        else:
            seat = rng.choice(state.seats_to_act())
            events = state.apply(rng.choice(state.legal_actions(seat)), seat)
        frames += fold.steps(turn, tuple(events))
        if not any(state.answers):  # answers of the opening are events only once all are in
            agree(fold.frame, state)
    assert [frame.turn for frame in frames] == sorted(frame.turn for frame in frames)
    totals = [standing.total for standing in state.standings()]
    assert [player.points for player in frames[-1].players] == totals
    assert all(frame.caption for frame in frames)


@pytest.mark.parametrize(
    ("name", "variants", "seats"),
    [
        ("refresh-2025", (), 3),
        ("family-3", (), 2),
        ("big-cities", ("open_tickets", "opening_exchange", "quick", "ticket_market"), 4),
        ("mega", ("teams", "ticket_market"), 4),
        ("classic", ("solo",), 1),
    ],
)
@pytest.mark.parametrize("forfeit_at", [None, 40])
def test_frames_agree_with_the_engine_in_every_edition_and_variant(
    name: str, variants: tuple[str, ...], seats: int, forfeit_at: int | None
) -> None:
    rng = random.Random(f"{name} {seats}")
    rules = edition(name, variants)
    state, events = start_game(rules, seats, rng.randbytes(32))
    fold = Fold(rules, NAMES[:seats])
    frames = list(fold.steps(0, tuple(events)))
    for turn in count(1):
        if state.is_over():
            break
        seat = state.seats_to_act()[0]
        is_leaving = turn == forfeit_at
        events = (
            state.forfeit(seat)
            if is_leaving
            else state.apply(rng.choice(state.legal_actions(seat)), seat)
        )
        frames += fold.steps(turn, tuple(events))
        if not any(state.answers):
            agree(fold.frame, state)
    assert all(frame.caption for frame in frames)


def test_captions_say_who_did_what() -> None:
    fold = Fold(CLASSIC, ("ada", "bob"))
    hand = (0, 0, 0, 0, 0, 0, 0, 2, 0)
    frames = list(
        fold.steps(
            1,
            (
                TicketsOffered(1, (1, 2, 3), 3),
                TicketsKept(1, (1, 2), (3,), 2, 1),
                RouteClaimed(0, 1, hand, 2),
            ),
        )
    )
    assert [frame.caption for frame in frames] == [
        "bob is offered Boston – Miami (12), Calgary – Phoenix (13), Calgary – Salt Lake City (7)",
        "bob keeps Boston – Miami (12), Calgary – Phoenix (13), gives back 1",
        "ada claims Atlanta – Charleston with 2 red: 2 points",
    ]
    assert frames[-1].owners == {1: 0}
    assert frames[-1].fresh_route == 1
    assert frames[1].fresh_route is None
    assert frames[-1].discard[Card.RED] == 2


def test_the_end_names_everybody_who_shares_the_victory() -> None:
    state, _ = start_game(CLASSIC, 2, bytes(32))
    state.forfeit(0)
    first, second = sorted(state.standings(), key=lambda s: s.placement)
    fold = Fold(CLASSIC, ("ada", "bob"))
    hands = (state.observe(0).hand, state.observe(1).hand)
    (frame,) = fold.steps(1, (GameEnded((first, second), hands),))
    assert frame.caption == f"bob wins with {first.total} points"
