"""A hoarder: collect a large hand, then spend it on long routes, turn after turn.

It shows a bot with a memory: whether it collects or spends lasts from one decision to the next, and
is forgotten when a new game starts. Long routes pay best: six trains are worth 15 points, six
times one train only 6. The danger is a hand that is never spent, so it watches everybody's trains.
"""

from roundhouse import Bot, GameInfo, serve
from roundhouse.rules import (
    Action,
    Card,
    ClaimRoute,
    DrawCard,
    KeepTickets,
    Observation,
    TakeCard,
)

FULL_HAND = 14
"""Cards with which it starts to spend."""

LONG = 5
"""The shortest route that it claims while there is time."""

LATE = 14
"""Trains: once any player has as few, the end is near and every route counts."""


class HoarderBot(Bot):
    """Collect, then spend."""

    def game_started(self, game: GameInfo) -> None:
        """Forget the game before: one bot plays many, one after another."""
        super().game_started(game)
        self.is_spending = False

    def choose(self, observation: Observation) -> Action:
        """Claim the best route while spending; else collect."""
        actions = observation.legal_actions()
        claims = [action for action in actions if isinstance(action, ClaimRoute)]
        is_late = min(player.trains for player in observation.players) <= LATE
        if sum(observation.hand) >= FULL_HAND:
            self.is_spending = True
        if self.is_spending or is_late:
            shortest = 1 if is_late else LONG
            long = [claim for claim in claims if length(claim, observation) >= shortest]
            if long:
                # Locomotives fit every colour: pay with as few as possible.
                return max(long, key=lambda claim: (length(claim, observation), -claim.locomotives))
            self.is_spending = False
        return max(actions, key=lambda action: wish(action, observation))


def length(claim: ClaimRoute, observation: Observation) -> int:
    """Return the length of the route that a claim is for."""
    return observation.board.route(claim.route_id).length


def wish(action: Action, observation: Observation) -> tuple[int, int]:
    """Say how much a collecting bot wishes for an action."""
    match action:
        case TakeCard(slot):
            card = observation.display[slot]
            if card is None or card is Card.LOCOMOTIVE:
                return 2, 2
            return 2, observation.hand[card]  # many of one colour make a long route
        case DrawCard():
            return 2, 2
        case KeepTickets(keep, _):
            values = {ticket.id: ticket.value for ticket in observation.rules.tickets}
            return 0, -sum(values[ticket] for ticket in keep)
        case _:
            return 0, -1000  # no short routes, and no more tickets


if __name__ == "__main__":
    serve(HoarderBot())
