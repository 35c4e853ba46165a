"""What one decision costs on its way through the codec, in microseconds.

    python bench/codec.py

Every decision of whole random games is translated; the figure of each stage is the least of several
runs over the same games, divided by their decisions, because other load on the machine only adds.
"""

from collections.abc import Callable
from datetime import timedelta
from random import Random
from time import process_time

from roundhouse.api.referee.v1 import play_pb2
from roundhouse.codec import (
    decode_action,
    decode_events,
    decode_observation,
    encode_action,
    serialise_decision,
)
from roundhouse.codec.observation import serialise_observation
from roundhouse.rules import Action, Event, Observation, edition, start_game

GAMES = 6
RUNS = 7
Decision = tuple[Observation, list[Action], list[Event]]


def decisions(seats: int) -> list[Decision]:
    """Return every decision of some random games: what is seen, what is legal, what happened."""
    found: list[Decision] = []
    for game in range(GAMES):
        rng = Random(game)
        state, events = start_game(edition("classic"), seats, game.to_bytes(32, "big"))
        history = list(events)
        told = [0] * seats
        while not state.is_over():
            seat = state.seats_to_act()[0]
            actions = state.legal_actions(seat)
            news = [event.redacted(seat) for event in history[told[seat] :]]
            told[seat] = len(history)
            found.append((state.observe(seat), actions, news))
            history += state.apply(rng.choice(actions), seat)
    return found


def write(decision: Decision) -> bytes:
    """Write the message of a decision, as the referee does."""
    observation, actions, events = decision
    return serialise_decision(
        7,
        events=events,
        observation=observation,
        legal_actions=actions,
        time_left=timedelta(seconds=15),
        bank=timedelta(seconds=59.5),
    )


def microseconds(work: Callable[[], object], count: int) -> float:
    """Return the least processor time of one run, for each of `count` things in it."""
    times = []
    for _ in range(RUNS):
        start = process_time()
        work()
        times.append(process_time() - start)
    return min(times) / count * 1e6


def stages(found: list[Decision]) -> dict[str, Callable[[], object]]:
    """Return what is timed, by name."""
    rules = edition("classic")
    contents = [write(one) for one in found]
    messages = [play_pb2.PlayResponse.FromString(one).decision for one in contents]
    answers = [encode_action(actions[0]) for _, actions, _ in found]
    return {
        "write the observation": lambda: [serialise_observation(one[0]) for one in found],
        "write the decision": lambda: [write(one) for one in found],
        "parse": lambda: [play_pb2.PlayResponse.FromString(one) for one in contents],
        "decode observation": lambda: [
            decode_observation(message.observation, rules) for message in messages
        ],
        "decode events": lambda: [decode_events(message.events) for message in messages],
        "decode the answer": lambda: [decode_action(answer) for answer in answers],
    }


def main() -> None:
    """Print the table."""
    print(f"{'seats':>5} {'decisions':>9} {'bytes':>6}  {'stage':22} {'microseconds':>12}")
    for seats in (2, 4):
        found = decisions(seats)
        size = sum(len(write(one)) for one in found) / len(found)
        for name, work in stages(found).items():
            figure = microseconds(work, len(found))
            print(f"{seats:5} {len(found):9} {size:6.0f}  {name:22} {figure:12.1f}")


if __name__ == "__main__":
    main()
