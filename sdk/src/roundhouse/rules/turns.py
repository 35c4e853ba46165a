"""The order of turns: the opening, whose turn comes next, forced passes, forfeits and the end."""

from typing import TYPE_CHECKING

from roundhouse.rules.draws import discard_leftmost
from roundhouse.rules.events import Event, FinalRound, GameEnded, SeatForfeited, TurnPassed
from roundhouse.rules.offers import (
    fill_market,
    has_tickets,
    keep_tickets,
    mix_rejects,
    take_back_offer,
)
from roundhouse.rules.phase import OPENING, OVER, TURN, Phase
from roundhouse.rules.ruleset import OpeningRejects
from roundhouse.rules.scoring import has_completed_all

if TYPE_CHECKING:
    from roundhouse.rules.state import State


def settle_opening(state: "State", events: list[Event] | None) -> None:
    """Carry out the opening answers, in seat order, once nobody is left to answer (R-02).

    Until then an answer changes nothing that another seat can see, and so it cannot matter who
    answered first. Forfeits wait in the same way. With a single seat left nobody waits (R-24).
    """
    leaving = [seat for seat in range(state.seats) if state.leaving >> seat & 1]
    decided = bool(leaving) and _is_decided(state, state.seats - len(leaving))
    if not decided and state.seats_to_act():
        return
    order = max(state.forfeits) + 1  # leaving in the same opening decision shares
    first_reject = len(state.ticket_deck)
    for seat in range(state.seats):
        answer = state.answers[seat]
        state.answers[seat] = None
        if seat in leaving:
            _leave(state, seat, order, events)
        elif answer is not None:
            keep_tickets(state, seat, answer, events)
    state.leaving = 0
    if decided:
        end_game(state, events)
        return
    if state.rules.opening_rejects is OpeningRejects.SHUFFLED:
        mix_rejects(state, first_reject)
    fill_market(state, events)
    if state.rules.opening_exchange:
        next_exchange(state, 0, events)
    else:
        _first_turn(state, events)


def next_exchange(state: "State", seat: int, events: list[Event] | None) -> None:
    """Let the next seat, from `seat` on, exchange a ticket; after the last one turns begin (V-5).

    Seats decide in seat order, since each takes the top ticket.
    """
    while seat < state.seats and state.forfeits[seat]:
        seat += 1
    if seat == state.seats:
        _first_turn(state, events)
        return
    state.turn_seat = seat
    state.phase = Phase.EXCHANGE


def _first_turn(state: "State", events: list[Event] | None) -> None:
    state.turn_seat = state.seats - 1  # so that the first seat comes next
    _next_turn(state, events)


def end_turn(state: "State", events: list[Event] | None) -> None:
    """End the turn of the seat whose turn it is, and find the next seat that can act."""
    seat = state.turn_seat
    tables = state.tables
    turns = state.turns
    if turns:  # V-4 counts them
        state.turns = (*turns[:seat], turns[seat] + 1, *turns[seat + 1 :])
    if tables.solo:
        if has_completed_all(state.rules, state.tickets[seat], state.owners):  # V-8
            end_game(state, events)
            return
        discard_leftmost(state, events)
    if state.final_seat < 0:
        if state.trains[seat] <= tables.final_round_trains and not state.forfeits[seat]:
            state.final_seat = seat  # one more turn for everybody, this seat last
            if events is not None:
                events.append(FinalRound(seat))
    elif seat == state.final_seat:
        end_game(state, events)
        return
    _next_turn(state, events)


def _next_turn(state: "State", events: list[Event] | None) -> None:
    """Give the turn to the next seat that has not forfeited; pass for a seat that cannot act."""
    if state.passes and state.passes >= state.forfeits.count(0):
        end_game(state, events)  # a whole round of passes
        return
    seat = (state.turn_seat + 1) % state.seats
    while state.forfeits[seat]:
        if seat == state.final_seat:  # the last turn was that of a seat that left
            end_game(state, events)
            return
        seat = (seat + 1) % state.seats
    state.turn_seat = seat
    state.turn_number += 1
    state.phase = TURN
    if not can_act(state):
        state.passes += 1
        if events is not None:
            events.append(TurnPassed(seat))
        end_turn(state, events)


def can_act(state: "State") -> bool:
    """Tell whether a seat that is to act has any action; the start of a turn is R-17."""
    if state.phase is TURN and (state.deck or has_tickets(state) or max(state.display) >= 0):
        return True  # nearly always, and far cheaper than listing the actions
    return bool(state.legal_actions()) or state.phase in {OPENING, OVER}


def forfeit(state: "State", seat: int, events: list[Event] | None) -> None:
    """Take a seat out of the game (R-24)."""
    if state.phase is OPENING:
        state.leaving |= 1 << seat
        settle_opening(state, events)
        return
    _leave(state, seat, max(state.forfeits) + 1, events)
    if _is_decided(state, state.forfeits.count(0)):
        end_game(state, events)  # the other wins at once
    elif seat == state.turn_seat:
        fill_market(state, events)
        if state.phase is Phase.EXCHANGE:
            next_exchange(state, seat + 1, events)
        else:
            end_turn(state, events)


def _is_decided(state: "State", playing: int) -> bool:
    """Tell whether the game is over now that a seat has left and so many still play (R-24).

    In `teams` a team is one player of R-24: its seat's forfeit is its own, and the other team wins.
    """
    return playing <= 1 or state.rules.teams


def _leave(state: "State", seat: int, order: int, events: list[Event] | None) -> None:
    state.forfeits[seat] = order
    take_back_offer(state, seat)
    if events is not None:
        events.append(SeatForfeited(seat))


def end_game(state: "State", events: list[Event] | None) -> None:
    """End the game; the score follows from the state as it stands.

    An offer that nobody will answer, since the other seats have left, goes back as in R-24.
    """
    for seat in range(state.seats):
        take_back_offer(state, seat)
    state.phase = OVER
    if events is not None:
        hands = tuple(tuple(hand) for hand in state.hands)
        events.append(GameEnded(state.standings(), hands))
