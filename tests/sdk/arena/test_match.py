"""Matches: deals, rotations, and how each bot did."""

import pytest

from roundhouse.arena import Entrant, GameResult, deal_seed, play_match, summarise
from roundhouse.replay import verify
from roundhouse.rules import RulesError, edition
from tests.sdk.bots import ClaimingBot, FailingBot, WitnessBot

TINY = edition("tiny")
TWO = [Entrant("a", ClaimingBot), Entrant("b", ClaimingBot, version="0" * 64)]
THREE = [*TWO, Entrant("c", ClaimingBot)]


def moves(result: GameResult) -> list[bytes]:
    return [entry.action.action.SerializeToString() for entry in result.log.entries]


def test_every_deal_is_played_in_all_rotations() -> None:
    played = list(play_match(THREE, games=6, seed=1, rules=TINY))

    assert [(one.deal, one.rotation, one.entrants) for one in played] == [
        (0, 0, (0, 1, 2)),
        (0, 1, (1, 2, 0)),
        (0, 2, (2, 0, 1)),
        (1, 0, (0, 1, 2)),
        (1, 1, (1, 2, 0)),
        (1, 2, (2, 0, 1)),
    ]
    assert [one.log.seed for one in played] == [deal_seed(1, 0)] * 3 + [deal_seed(1, 1)] * 3
    assert len({one.log.game_id for one in played}) == 6
    assert all(verify(one.log).ok for one in played)


def test_the_log_names_who_sat_where() -> None:
    _, second = play_match(TWO, games=2, seed=1, rules=TINY)

    assert [(seat.bot, seat.version) for seat in second.log.seats] == [("b", "0" * 64), ("a", "")]


def test_the_same_seed_plays_the_same_games() -> None:
    first, again, other = (
        [moves(one) for one in play_match(TWO, games=3, seed=seed, rules=TINY)]
        for seed in ("x", "x", "y")
    )

    assert first == again != other


def test_a_number_and_its_digits_are_the_same_seed() -> None:
    assert deal_seed(7, 0) == deal_seed("7", 0) == deal_seed(b"7", 0)
    assert len(deal_seed(7, 0)) == 32
    assert len({deal_seed(7, 1), deal_seed(71, 0), deal_seed(7, 0), deal_seed(7, 10)}) == 4


def test_games_are_played_one_by_one_as_they_are_asked_for() -> None:
    made: list[WitnessBot] = []

    def make() -> WitnessBot:
        made.append(WitnessBot())
        return made[-1]

    results = play_match([Entrant("a", make), TWO[1]], games=100, seed=1, rules=TINY)
    next(results)
    next(results)

    assert sum(len(bot.games) for bot in made) == 2


def test_no_bot_object_meets_a_deal_twice() -> None:
    made: list[WitnessBot] = []

    def make() -> WitnessBot:
        made.append(WitnessBot())
        return made[-1]

    list(play_match([Entrant("a", make), Entrant("b", make)], games=6, seed=1, rules=TINY))

    for bot in made:
        commitments = [game.seed_commitment for game in bot.games]
        assert len(commitments) == len(set(commitments)) == 3
        assert len({game.seat for game in bot.games}) == 1


def test_a_bot_that_failed_starts_afresh_in_its_next_game() -> None:
    entrants = [TWO[0], Entrant("bad", lambda: FailingBot(ValueError("no"), after=2))]

    played = list(play_match(entrants, games=4, seed=1, rules=TINY))

    assert [len(one.forfeits) for one in played] == [1, 1, 1, 1]
    assert all(b"ValueError: no" in one.forfeits[0].output_tail for one in played)
    (_, bad) = summarise(played)
    assert (bad.name, bad.games, bad.losses, bad.forfeits) == ("bad", 4, 4, 4)


def test_the_tally_counts_every_game_once() -> None:
    played = list(play_match(THREE, games=9, seed=2, rules=TINY))

    tallies = summarise(played)

    assert [tally.name for tally in tallies] == ["a", "b", "c"]
    for number, tally in enumerate(tallies):
        mine = [one.standings[one.entrants.index(number)] for one in played]
        assert tally.games == tally.wins + tally.draws + tally.losses == 9
        assert tally.mean_score == sum(one.total for one in mine) / 9
        assert tally.mean_placement == sum(one.placement for one in mine) / 9
    assert sum(tally.wins for tally in tallies) + sum(
        sum(one.placement == 1 for one in result.standings) > 1 for result in played
    ) == len(played)


def test_equal_names_are_counted_apart() -> None:
    played = list(play_match([TWO[0], TWO[0]], games=2, seed=2, rules=TINY))

    assert [tally.name for tally in summarise(played)] == ["a", "a"]


def test_nothing_played_is_nothing_counted() -> None:
    assert summarise([]) == ()


def test_too_many_entrants_are_refused_before_a_bot_is_made() -> None:
    def make() -> ClaimingBot:
        raise AssertionError("made")

    with pytest.raises(RulesError, match="is for 2 to 3 players, not 4"):
        next(play_match([Entrant("a", make)] * 4, games=1, seed=1, rules=TINY))


def test_partners_win_together() -> None:
    four = [*THREE, Entrant("d", ClaimingBot)]
    rules = edition("classic", ["quick", "teams"])
    played = list(play_match(four, games=4, seed=1, rules=rules))

    tallies = summarise(played)

    for tally in tallies:
        assert (tally.games, tally.draws) == (4, 0)
    assert sum(tally.wins for tally in tallies) == sum(tally.losses for tally in tallies) == 8
