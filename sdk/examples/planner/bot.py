"""A planner: shortest paths for its tickets, the cards that they need, and an eye on the clock.

Each turn it asks anew: which routes do my tickets still need? Can I pay for one? If not, which card
brings me nearer? Its tickets done, it takes new ones while it is early, then claims what pays best.
"""

from paths import HOP, missing, open_routes, plan

from roundhouse import Bot, serve
from roundhouse.rules import (
    ROUTE_POINTS,
    Action,
    Card,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    KeepTickets,
    Observation,
    Phase,
    Route,
    TakeCard,
)

CAUTION = 3.0  # points that a card could earn elsewhere, and so what a ticket must earn for it
LATE = 28  # trains: once anybody has as few, no more tickets


class PlannerBot(Bot):
    """Plan, claim, draw."""

    def choose(self, observation: Observation) -> Action:
        """Answer one decision. The plan is made afresh each time, in about half a millisecond."""
        actions = observation.legal_actions()
        if observation.phase in {Phase.OPENING, Phase.TICKET_OFFER}:
            return max(actions, key=lambda action: keep_worth(action, observation))
        wanted, _ = plan(observation, observation.tickets)
        is_early = min(player.trains for player in observation.players) > LATE
        if not wanted and is_early and DrawTickets() in actions:
            return DrawTickets()
        wanted = wanted or best_routes(observation)
        return max(actions, key=lambda action: worth(action, wanted, observation))


def worth(action: Action, wanted: list[Route], seen: Observation) -> tuple[float, ...]:
    """Rate an action by what it does for the wanted routes: claims first, then cards."""
    match action:
        case ClaimRoute(route_id, colour, locomotives):
            route = seen.board.route(route_id)
            spare = 0 if colour is None else seen.hand[colour]
            return (2, route.length, -locomotives, spare) if route in wanted else (0,)
        case TakeCard(slot) if seen.display[slot] is Card.LOCOMOTIVE:
            return 1, 0.9  # it takes the whole turn
        case TakeCard(slot):
            card, best = seen.display[slot], max(seen.hand[:8])
            fits = [
                r
                for r in wanted
                if r.colour == card or (r.colour is None and seen.hand[card] == best)
            ]
            return 1, sum(1 + 1 / gap for gap in (missing(seen, route) for route in fits) if gap)
        case DrawCard():
            return 1, 1.0
        case _:
            return (-1,)  # rather any claim than tickets that it does not want


def keep_worth(action: Action, seen: Observation) -> float:
    """Rate an answer to an offer: the tickets and their routes, less the cards that they cost."""
    kept = action.keep if isinstance(action, KeepTickets) else ()
    routes, lost = plan(seen, (*seen.tickets, *kept))
    values = {ticket.id: ticket.value for ticket in seen.rules.tickets}
    gain = sum(-values[ticket] if ticket in lost else values[ticket] for ticket in kept)
    return gain + sum(ROUTE_POINTS[r.length] - CAUTION * (HOP + r.length) for r in routes)


def best_routes(seen: Observation) -> list[Route]:
    """Return the open routes that pay best for the cards that they still need."""
    return sorted(open_routes(seen), key=lambda r: missing(seen, r) - 2 * r.length)[:4]


if __name__ == "__main__":
    serve(PlannerBot())
