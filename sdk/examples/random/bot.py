"""The least a bot can do: any legal action, each as likely as the others."""

from roundhouse import Bot, serve
from roundhouse.rules import Action, Observation


class RandomBot(Bot):
    """Choose at random. `self.rng` is seeded by local play, so that a game can be repeated."""

    def choose(self, observation: Observation) -> Action:
        """Return any legal action; there is always one."""
        return self.rng.choice(observation.legal_actions())


if __name__ == "__main__":
    serve(RandomBot())
