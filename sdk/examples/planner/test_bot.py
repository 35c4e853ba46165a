"""What every bot should prove before it is submitted."""

from bot import PlannerBot

from roundhouse.testing import play_one_game


def test_a_game_is_played_to_its_end_without_a_forfeit() -> None:
    """A forfeit would fail here, with its sentence."""
    log = play_one_game(PlannerBot())
    assert len(log.standings) == 2
