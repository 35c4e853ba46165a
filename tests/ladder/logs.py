"""Real logs of real games, as a referee would have written them for a planned game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roundhouse.arena import play_game
from roundhouse.codec import encode_time_control
from roundhouse.rules import edition
from roundhouse.testing import RandomBot
from roundhouse.timecontrol import TimeControl

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ladder.domain.game import PlannedGame
    from roundhouse.api.game.v1.log_pb2 import GameLog


def play(game: PlannedGame, names: Mapping[str, str], rules: str = "tiny") -> GameLog:
    """Play a planned game. `names` has the bots' names by version; variants follow the edition."""
    name, *variants = rules.split("+")
    log = play_game(
        [RandomBot() for _ in game.versions],
        seed=game.seed,
        rules=edition(name, variants),
        names=[names[version] for version in game.versions],
        game_id=game.id,
    )
    for seat, version in zip(log.seats, game.versions, strict=True):
        seat.version = version
    log.time_control.CopyFrom(encode_time_control(TimeControl()))
    log.host.isolated = True
    return log
