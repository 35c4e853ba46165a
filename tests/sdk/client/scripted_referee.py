"""A referee that plays a script: a real gRPC server on a Unix socket, without a game of its own."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import grpc

from roundhouse import API_VERSION
from roundhouse.api.game.v1 import event_pb2
from roundhouse.api.referee.v1 import play_pb2, play_pb2_grpc
from roundhouse.codec import (
    decode_action,
    encode_actions,
    encode_board,
    encode_duration,
    encode_events,
    encode_observation,
    encode_rules,
    encode_standing,
    encode_time_control,
)
from roundhouse.rules import Event, State, commitment, edition, start_game
from roundhouse.timecontrol import TimeControl
from tests.sdk.games import seed_of

TOKEN = "a token"
Requests = Iterator[play_pb2.PlayRequest]
Responses = Iterator[play_pb2.PlayResponse]
Script = Callable[[Requests, grpc.ServicerContext], Responses]


class _Service(play_pb2_grpc.PlayServiceServicer):
    def __init__(self, script: Script) -> None:
        self._script = script

    def Play(self, request_iterator: Requests, context: grpc.ServicerContext) -> Responses:  # noqa: N802 - gRPC's name
        return self._script(request_iterator, context)


@contextmanager
def referee(folder: Path, script: Script) -> Iterator[str]:
    """Serve the script; yield the path of the socket."""
    socket = str(folder / "s")
    server = grpc.server(ThreadPoolExecutor(max_workers=2))
    play_pb2_grpc.add_PlayServiceServicer_to_server(_Service(script), server)
    server.add_insecure_port(f"unix:{socket}")
    server.start()
    try:
        yield socket
    finally:
        server.stop(grace=0).wait()


def welcome(version: str = API_VERSION, games: int = 1) -> play_pb2.PlayResponse:
    return play_pb2.PlayResponse(welcome=play_pb2.Welcome(api_version=version, seat=0, games=games))


def goodbye() -> play_pb2.PlayResponse:
    return play_pb2.PlayResponse(goodbye=play_pb2.Goodbye())


class Table:
    """One game in which the bot has seat 0, and seat 1 does the first thing that is legal."""

    def __init__(self, seed: int = 1, rules: str = "tiny") -> None:
        self.rules = edition(rules)
        self.seed = seed_of(seed)
        self.state: State
        self.state, self.history = start_game(self.rules, 2, self.seed)
        self.decisions = 0
        self._told = 0

    def started(self) -> play_pb2.PlayResponse:
        return play_pb2.PlayResponse(
            game_started=play_pb2.GameStarted(
                game_id="g-1",
                rules=encode_rules(self.rules),
                board=encode_board(self.rules),
                seat=0,
                seats=2,
                time_control=encode_time_control(TimeControl()),
                seed_commitment=commitment(self.seed),
            )
        )

    def decision(self) -> play_pb2.PlayResponse:
        self.decisions += 1
        return play_pb2.PlayResponse(
            decision=play_pb2.Decision(
                decision_id=self.decisions,
                events=self._news(),
                observation=encode_observation(self.state.observe(0)),
                legal_actions=encode_actions(self.state.legal_actions(0)),
                time_left=encode_duration(TimeControl().decision_cap),
            )
        )

    def over(self) -> play_pb2.PlayResponse:
        return play_pb2.PlayResponse(
            game_over=play_pb2.GameOver(
                game_id="g-1",
                events=self._news(),
                standings=[encode_standing(one) for one in self.state.standings()],
            )
        )

    def take(self, request: play_pb2.PlayRequest) -> None:
        assert request.answer.decision_id == self.decisions
        self._apply(0, decode_action(request.answer.action))

    def play(self, requests: Requests) -> Responses:
        """Play the whole game."""
        yield self.started()
        while not self.state.is_over():
            if 0 in self.state.seats_to_act():
                yield self.decision()
                self.take(next(requests))
            else:
                self._apply(1, self.state.legal_actions(1)[-1])
        yield self.over()

    def _apply(self, seat: int, action: object) -> None:
        self.history += self.state.apply(action, seat)  # type: ignore[arg-type] # checked there

    def _news(self) -> list[event_pb2.Event]:
        news: list[Event] = [event.redacted(0) for event in self.history[self._told :]]
        self._told = len(self.history)
        return encode_events(news)
