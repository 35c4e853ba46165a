"""Observations on the wire."""

import pytest

from roundhouse.api.game.v1 import observation_pb2
from roundhouse.codec import ProtocolError, decode_observation, encode_observation
from roundhouse.rules import Observation, Phase, edition
from tests.sdk.games import decisions, new_game


def over_the_wire(observation: Observation) -> Observation:
    content = encode_observation(observation).SerializeToString()
    message = observation_pb2.Observation.FromString(content)
    return decode_observation(message, observation.rules)


EVERY_KIND = [
    ("classic", 2),
    ("classic", 3),
    ("classic", 5),
    ("tiny", 2),
    ("refresh-2025", 4),
    ("family-3", 2),
    ("mega+open_tickets+opening_exchange+quick+ticket_market", 3),
    ("classic+relaxed_locomotives+route_protection+teams", 4),
    ("tiny+solo", 1),
]


@pytest.mark.parametrize(("rules", "seats"), EVERY_KIND)
def test_every_observation_of_a_game_comes_back(rules: str, seats: int) -> None:
    for state, _, _ in decisions(seats, rules=rules):
        for seat in range(seats):
            observation = state.observe(seat)
            assert over_the_wire(observation) == observation
    observation = state.observe(0)

    assert over_the_wire(observation) == observation


def test_observations_of_every_phase_come_back_in_these_games() -> None:
    phases = {
        state.phase for rules, seats in EVERY_KIND for state, _, _ in decisions(seats, rules=rules)
    }

    assert phases | {Phase.OVER} == set(Phase)


def test_a_forfeit_is_in_the_observation() -> None:
    state, _ = new_game(3)
    state.forfeit(1)
    for seat in (0, 2):
        state.apply(state.legal_actions(seat)[0], seat)

    observation = over_the_wire(state.observe(0))

    assert observation == state.observe(0)
    assert observation.players[1].forfeited


def test_an_opening_answer_waits_in_the_observation() -> None:
    state, _ = new_game(3)
    answer = state.legal_actions(1)[0]
    state.apply(answer, 1)

    assert over_the_wire(state.observe(1)).answer == answer


def test_equal_observations_give_equal_bytes() -> None:
    for state, seat, _ in decisions(2):
        first = encode_observation(state.observe(seat)).SerializeToString()
        again = encode_observation(state.copy().observe(seat)).SerializeToString()
        assert first == again


def spoiled(**fields: object) -> observation_pb2.Observation:
    state, _ = new_game(2)
    message = observation_pb2.Observation()
    message.CopyFrom(encode_observation(state.observe(0)))
    for name, value in fields.items():
        message.ClearField(name)  # type: ignore[arg-type] # any of its fields
        if isinstance(value, list):
            getattr(message, name).extend(value)
        else:
            setattr(message, name, value)
    return message


STRANGER = "The observation gives a route to a seat that does not play."


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        (spoiled(phase=0), "The observation has the unknown phase 0."),
        (spoiled(phase=9), "The observation has the unknown phase 9."),
        (spoiled(seat=2), "The observation of seat 2 shows 2 of 2 seats."),
        (spoiled(seats=3), "The observation of seat 0 shows 2 of 3 seats."),
        (spoiled(players=[]), "The observation of seat 0 shows 0 of 2 seats."),
        (
            spoiled(route_owners=[0] * 99),
            "The observation has owners for 99 routes; the board usa has 100.",
        ),
        (spoiled(route_owners=[3] * 100), STRANGER),
        (spoiled(route_owners=[300] * 100), STRANGER),
        (spoiled(display=[77]), "There is no card 77; the cards are 1 (purple) to 9 (locomotive)."),
    ],
)
def test_an_observation_that_means_nothing_is_refused(
    message: observation_pb2.Observation, sentence: str
) -> None:
    with pytest.raises(ProtocolError) as caught:
        decode_observation(message, edition("classic"))

    assert str(caught.value) == sentence
