"""A greedy bot: give every legal action a worth, and take the best. No plan, no memory.

It claims the longest route that its hand can pay, and draws towards its best colour until it can.
"""

from roundhouse import Bot, serve
from roundhouse.rules import (
    Action,
    Card,
    ClaimRoute,
    DrawCard,
    KeepTickets,
    Observation,
    TakeCard,
)


class GreedyBot(Bot):
    """Take what looks best right now."""

    def choose(self, observation: Observation) -> Action:
        """Return the legal action of the highest worth; the first of several."""
        return max(observation.legal_actions(), key=lambda action: worth(action, observation))


def worth(action: Action, observation: Observation) -> tuple[int, ...]:
    """Return numbers that compare like the wishes for actions: the kind first, then how good."""
    match action:
        case ClaimRoute(route_id, _, locomotives):
            # The longest; of equal ones the payment that saves locomotives.
            return 3, observation.board.route(route_id).length, -locomotives
        case TakeCard(slot):
            card = observation.display[slot]
            if card is None or card is Card.LOCOMOTIVE:
                return 1, 0  # a face-up locomotive costs the whole turn
            return 2, observation.hand[card]
        case DrawCard():
            return 2, 1  # better than a colour that the hand does not have
        case KeepTickets(keep, _):
            values = {ticket.id: ticket.value for ticket in observation.rules.tickets}
            # As few as may be, and the easiest: it does nothing for them.
            return 0, -len(keep), -sum(values[ticket] for ticket in keep)
        case _:
            return 0, 0  # more tickets would only cost points


if __name__ == "__main__":
    serve(GreedyBot())
