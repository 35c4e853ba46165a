"""Why an action is not legal: the checks of `apply`, each with its code and its sentence."""

from typing import TYPE_CHECKING, NoReturn

from roundhouse.rules.actions import (
    Action,
    ChooseTicket,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    ExchangeTicket,
    KeepTickets,
    TakeCard,
)
from roundhouse.rules.cards import CARDS, LOCOMOTIVE, describe_cards
from roundhouse.rules.draws import has_deck
from roundhouse.rules.errors import ErrorCode, RulesError
from roundhouse.rules.legal import SLOTS
from roundhouse.rules.offers import has_tickets
from roundhouse.rules.phase import Phase

if TYPE_CHECKING:
    from roundhouse.rules.state import State


_R_26 = "In solo no further tickets are drawn (R-26)."


def check_seat(state: "State", seat: int) -> int:
    """Return the seat. Raise `RulesError` when the game has none of that number."""
    if not 0 <= seat < state.seats:
        raise RulesError(
            ErrorCode.NO_SUCH_SEAT,
            f"There is no seat {seat}; the seats of this game are 0 to {state.seats - 1}.",
        )
    return seat


def check_forfeit(state: "State", seat: int) -> None:
    """Raise `RulesError` unless that seat can leave the game now."""
    check_seat(state, seat)
    if state.phase is Phase.OVER:
        raise RulesError(ErrorCode.GAME_OVER, f"Seat {seat} cannot forfeit: the game is over.")
    if state.forfeits[seat] or state.leaving >> seat & 1:
        raise RulesError(ErrorCode.FORFEITED, f"Seat {seat} has forfeited already.")


def check_action(  # noqa: C901, PLR0912 - one case a kind
    state: "State", action: Action, seat: int | None
) -> int:
    """Return the seat that acts. Raise `RulesError` unless the action is legal for it now."""
    if state.phase is Phase.OVER:
        _refuse(ErrorCode.GAME_OVER, "The game is over.")
    waiting = state.seats_to_act()
    if seat is None:
        seat = waiting[0]
    elif check_seat(state, seat) not in waiting:
        names = " and ".join(f"seat {other}" for other in waiting)
        _refuse(ErrorCode.NOT_YOUR_TURN, f"Seat {seat} is not to act now; {names} is.")
    match action:
        case TakeCard():
            _check_phase(state, action, Phase.TURN, Phase.SECOND_CARD)
            _check_take(state, action)
        case DrawCard():
            _check_phase(state, action, Phase.TURN, Phase.SECOND_CARD, Phase.BLIND_CARD)
            if not has_deck(state):
                _refuse(ErrorCode.NOTHING_TO_DRAW, "The deck and the discard pile are empty.")
        case DrawTickets():
            _check_phase(state, action, Phase.TURN)
            if not has_tickets(state):
                reason = "The ticket deck is empty." if state.rules.later_offer else _R_26
                _refuse(ErrorCode.NO_TICKETS, reason)
        case ClaimRoute():
            _check_phase(state, action, Phase.TURN)
            _check_route(state, action, seat)
            _check_payment(state, action, seat)
        case KeepTickets():
            _check_phase(state, action, Phase.OPENING, Phase.TICKET_OFFER)
            _check_keep(state, action, seat)
        case ChooseTicket():
            _check_phase(state, action, Phase.TICKET_CHOICE)
            _check_choice(state, action)
        case ExchangeTicket():
            _check_phase(state, action, Phase.EXCHANGE)
            _check_exchange(state, action, seat)
        case _:
            _refuse(
                ErrorCode.NOT_FORCED,
                f"{action} cannot be chosen: the engine passes by itself when nothing is possible.",
            )
    return seat


def _refuse(code: ErrorCode, sentence: str) -> NoReturn:
    raise RulesError(code, sentence)


_DUE = {
    Phase.OPENING: "the answer to the opening offer is due",
    Phase.TURN: "a turn begins and no tickets are offered",
    Phase.SECOND_CARD: "a second card is due",
    Phase.TICKET_OFFER: "the answer to a ticket offer is due",
    Phase.TICKET_CHOICE: "the choice of a ticket from the market or the deck is due",
    Phase.EXCHANGE: "the exchange of a ticket, or none, is due",
    Phase.BLIND_CARD: "a blind second card is due (R-23)",
}


def _check_phase(state: "State", action: Action, *phases: Phase) -> None:
    if state.phase not in phases:
        _refuse(
            ErrorCode.WRONG_PHASE,
            f"{type(action).__name__} is not possible now: {_DUE[state.phase]}.",
        )


def _check_take(state: "State", action: TakeCard) -> None:
    slot = action.slot
    if not 0 <= slot < SLOTS:
        _refuse(ErrorCode.NO_SUCH_SLOT, f"There is no slot {slot}; the slots are 0 to {SLOTS - 1}.")
    card = state.display[slot]
    if card < 0:
        _refuse(ErrorCode.EMPTY_SLOT, f"Slot {slot} of the display is empty.")
    if state.phase is Phase.SECOND_CARD and card > state.tables.highest_second_card:  # R-04, V-2
        _refuse(
            ErrorCode.LOCOMOTIVE_SECOND,
            f"The locomotive in slot {slot} cannot be the second card.",
        )


def _check_route(state: "State", action: ClaimRoute, seat: int) -> None:
    route = state.rules.board.route(action.route_id)
    owner = state.owners[route.id]
    if owner is not None:
        _refuse(ErrorCode.ROUTE_TAKEN, f"{route} (route {route.id}) belongs to seat {owner}.")
    if not state.is_open(seat, route.id):
        holder = state.owners[route.sibling or 0]
        _refuse(
            ErrorCode.SIBLING_CLOSED,
            f"{route} (route {route.id}) is closed to seat {seat}: seat {holder} owns the other "
            f"lane, and {state.seats} players play.",
        )
    if state.protected(seat) >> route.id & 1:  # V-4
        _refuse(
            ErrorCode.ROUTE_PROTECTED,
            f"{route} (route {route.id}) would give seat {seat} both ways into a city before "
            "every player has finished two turns.",
        )
    if state.trains[seat] < route.length:
        _refuse(
            ErrorCode.NOT_ENOUGH_TRAINS,
            f"{route} (route {route.id}) takes {route.length} trains; seat {seat} has "
            f"{state.trains[seat]}.",
        )


def _check_payment(state: "State", action: ClaimRoute, seat: int) -> None:
    # exactly the length, in locomotives and one colour; a payment is two numbers, so that
    # neither a third kind of card nor a count below zero can be hidden in it.
    route = state.rules.board.route(action.route_id)
    count = route.length - action.locomotives
    if not 0 <= action.locomotives <= route.length:
        _refuse(
            ErrorCode.WRONG_PAYMENT,
            f"{route} (route {route.id}) takes 0 to {route.length} locomotives, "
            f"not {action.locomotives}.",
        )
    if (action.colour is None) != (count == 0):
        _refuse(
            ErrorCode.WRONG_COLOUR,
            f"{route} (route {route.id}) is {route.length} long: with {action.locomotives} "
            f"locomotives {'no colour is' if count == 0 else 'a colour must be'} named.",
        )
    if action.colour is not None and (
        action.colour not in CARDS[:LOCOMOTIVE] or route.colour not in {None, action.colour}
    ):
        colours = "any one colour" if route.colour is None else route.colour.word
        _refuse(
            ErrorCode.WRONG_COLOUR,
            f"{route} (route {route.id}) takes {colours} and locomotives, not {action.colour!r}.",
        )
    hand = state.hands[seat]
    if hand[LOCOMOTIVE] < action.locomotives or (
        action.colour is not None and hand[action.colour] < count
    ):
        payment = [0] * 9
        payment[LOCOMOTIVE] = action.locomotives
        if action.colour is not None:
            payment[action.colour] = count
        _refuse(
            ErrorCode.NOT_ENOUGH_CARDS,
            f"{route} (route {route.id}) was to be paid with {describe_cards(payment)}; "
            f"seat {seat} holds {describe_cards(hand)}.",
        )


def _check_choice(state: "State", action: ChooseTicket) -> None:
    slot = action.slot
    if slot is None:
        if not state.ticket_deck:
            _refuse(ErrorCode.NO_TICKETS, "The ticket deck is empty.")
        return
    if not 0 <= slot < len(state.market):
        _refuse(
            ErrorCode.NO_SUCH_SLOT,
            f"There is no slot {slot} of the market; its slots are 0 to {len(state.market) - 1}.",
        )
    if state.market[slot] < 0:
        _refuse(ErrorCode.EMPTY_SLOT, f"Slot {slot} of the market is empty.")


def _check_exchange(state: "State", action: ExchangeTicket, seat: int) -> None:
    if action.ticket_id is None:
        return
    if action.ticket_id not in state.tickets[seat]:
        _refuse(
            ErrorCode.NOT_KEPT,
            f"Seat {seat} did not keep ticket {action.ticket_id}; it kept "
            f"{list(state.tickets[seat])}.",
        )
    if not state.ticket_deck:
        _refuse(ErrorCode.NO_TICKETS, "The ticket deck is empty.")


def _check_keep(state: "State", action: KeepTickets, seat: int) -> None:
    offer = state.offers[seat]
    answered = (*action.keep, *action.give_back)
    if sorted(answered) != sorted(offer) or list(action.keep) != sorted(action.keep):
        _refuse(
            ErrorCode.NOT_OFFERED,
            f"Tickets {sorted(offer)} are offered, and each must be kept (in ascending order) or "
            f"given back once; the answer keeps {list(action.keep)} and gives back "
            f"{list(action.give_back)}.",
        )
    opening = state.phase is Phase.OPENING
    least = state.rules.opening_keep if opening else state.rules.later_keep
    least = min(least, len(offer))  # or all of one
    if len(action.keep) < least:
        _refuse(
            ErrorCode.KEEP_TOO_FEW,
            f"At least {least} of {len(offer)} tickets must be kept, not {len(action.keep)}.",
        )
