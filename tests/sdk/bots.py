"""Bots for tests: one that plays, and some that fail on purpose."""

from collections.abc import Sequence

from roundhouse import Bot, GameInfo
from roundhouse.rules import Action, ClaimRoute, Event, Observation, Standing


class ClaimingBot(Bot):
    """Claim the longest route that it can, else choose at random: its games end soon."""

    def choose(self, observation: Observation) -> Action:
        actions = observation.legal_actions()
        claims = [action for action in actions if isinstance(action, ClaimRoute)]
        if claims:
            return max(claims, key=lambda claim: observation.board.route(claim.route_id).length)
        return self.rng.choice(actions)


class WitnessBot(ClaimingBot):
    """Keep what it is told."""

    def __init__(self) -> None:
        self.games: list[GameInfo] = []
        self.events: list[Event] = []
        self.observations: list[Observation] = []
        self.standings: list[Sequence[Standing]] = []

    def game_started(self, game: GameInfo) -> None:
        self.games.append(game)

    def see(self, event: Event) -> None:
        self.events.append(event)

    def choose(self, observation: Observation) -> Action:
        self.observations.append(observation)
        return super().choose(observation)

    def game_over(self, standings: Sequence[Standing]) -> None:
        self.standings.append(standings)


class FailingBot(ClaimingBot):
    """Play some decisions, and then do what it was made to do in place of answering."""

    def __init__(self, failure: BaseException | object, after: int = 3) -> None:
        self.failure = failure
        self.after = after

    def choose(self, observation: Observation) -> Action:
        self.after -= 1
        if self.after >= 0:
            return super().choose(observation)
        if isinstance(self.failure, BaseException):
            raise self.failure
        return self.failure  # type: ignore[return-value] # not an action: that is its point
