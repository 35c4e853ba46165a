"""A decision as bytes: what is joined by hand is what protobuf itself would have written."""

from datetime import timedelta

import pytest

from roundhouse.api.referee.v1 import play_pb2
from roundhouse.codec import (
    encode_actions,
    encode_duration,
    encode_events,
    encode_observation,
    serialise_decision,
)
from roundhouse.codec.fields import MessageField
from tests.sdk.games import decisions

TIME_LEFT = timedelta(seconds=15)
BANK = timedelta(seconds=59, milliseconds=750)


@pytest.mark.parametrize("seats", [2, 5])
def test_the_bytes_are_the_message_that_protobuf_would_build(seats: int) -> None:
    for number, (state, seat, action) in enumerate(decisions(seats)):
        events = [event.redacted(seat) for event in state.copy().apply(action, seat)]
        observation, actions = state.observe(seat), state.legal_actions(seat)
        expected = play_pb2.PlayResponse(
            decision=play_pb2.Decision(
                decision_id=number,
                events=encode_events(events),
                observation=encode_observation(observation),
                legal_actions=encode_actions(actions),
                time_left=encode_duration(TIME_LEFT),
                bank=encode_duration(BANK),
            )
        )

        written = serialise_decision(
            number,
            events=events,
            observation=observation,
            legal_actions=actions,
            time_left=TIME_LEFT,
            bank=BANK,
        )

        assert play_pb2.PlayResponse.FromString(written) == expected


@pytest.mark.parametrize("size", [0, 1, 127, 128, 16_383, 16_384, 3_000_000])
def test_a_field_of_any_size_is_read_back(size: int) -> None:
    content = play_pb2.GameStarted(game_id="x" * size).SerializeToString()

    written = MessageField(play_pb2.PlayResponse, "game_started").write(content)

    assert len(play_pb2.PlayResponse.FromString(written).game_started.game_id) == size
