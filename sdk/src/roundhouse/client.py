"""Play on the ladder: dial the referee, answer its decisions, end.

The referee puts the path of a Unix socket into ROUNDHOUSE_SOCKET and a token for one seat into
ROUNDHOUSE_TOKEN. The synchronous gRPC client is used: with one stream it is as fast as asyncio
(about 0.2 ms a round trip), it starts sooner, and a bot that thinks blocks nobody.
"""

import os
import platform
import sys
from collections.abc import Iterable, Mapping
from queue import SimpleQueue
from typing import TYPE_CHECKING, NoReturn

import grpc

from roundhouse import API_VERSION, __version__
from roundhouse.api.game.v1 import event_pb2
from roundhouse.api.referee.v1 import play_pb2, play_pb2_grpc
from roundhouse.bot import Bot, GameInfo
from roundhouse.codec import (
    decode_duration,
    decode_events,
    decode_observation,
    decode_rules,
    decode_standing,
    decode_time_control,
    encode_action,
)
from roundhouse.errors import ConnectionLostError, ProtocolError, RoundhouseError

if TYPE_CHECKING:
    from roundhouse.rules import RuleSet

EXIT_NOT_STARTED = 2
"""The environment is missing: the bot was started by hand, without a referee."""
EXIT_REFUSED = 3
"""The referee cannot be reached, refused the bot, or went away before its goodbye."""

_AGENT = f"roundhouse-sdk/{__version__} python/{platform.python_version()}"
_OPTIONS = (
    ("grpc.enable_http_proxy", 0),  # a proxy in the environment is not for a Unix socket
    ("grpc.default_authority", "localhost"),  # servers in other languages refuse a path as one
)


def serve(bot: Bot) -> NoReturn:
    """Play all games of the lane with this bot, and end the process.

    The exit code is 0 after the referee's goodbye or a forfeit, 2 without a referee to dial, 3 when
    it refuses or goes away; one sentence on stderr says why. What the bot itself raises is not
    caught.
    """
    try:
        socket, token = _address(os.environ)
        play_lane(bot, socket, token)
    except RoundhouseError as error:
        print(error, file=sys.stderr)  # noqa: T201 - for whoever started the bot
        is_refusal = isinstance(error, ConnectionLostError | ProtocolError)
        sys.exit(EXIT_REFUSED if is_refusal else EXIT_NOT_STARTED)
    sys.exit(0)


def play_lane(bot: Bot, socket: str, token: str) -> None:
    """Play all games of the lane that the token belongs to, over a Unix socket.

    Returns after the referee's goodbye, or when it ends the stream because the bot has forfeited.
    Raises `ConnectionLostError` when the referee cannot be reached, refuses or goes away, and
    `ProtocolError` when its messages mean nothing to this version.
    """
    requests: SimpleQueue[play_pb2.PlayRequest | None] = SimpleQueue()
    hello = play_pb2.Hello(token=token, api_version=API_VERSION, agent=_AGENT)
    requests.put(play_pb2.PlayRequest(hello=hello))
    with grpc.insecure_channel(f"unix:{socket}", options=_OPTIONS) as channel:
        stream = play_pb2_grpc.PlayServiceStub(channel).Play(iter(requests.get, None))
        lane = _Lane(bot)
        try:
            for response in stream:
                answer = lane.take(response)
                if answer is not None:
                    requests.put(play_pb2.PlayRequest(answer=answer))
                if lane.is_finished:
                    return
        except grpc.RpcError as error:
            raise _explained(error, socket) from None
        finally:
            requests.put(None)  # lets the thread that reads requests end
            stream.cancel()
    if not lane.is_forfeited:
        raise ConnectionLostError("The referee ended the stream before its goodbye.")


class _Lane:
    """The bot's side of the stream: turns each message into calls of the bot."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._rules: RuleSet | None = None
        self.is_finished = False
        self.is_forfeited = False

    def take(self, response: play_pb2.PlayResponse) -> play_pb2.Answer | None:
        """Take one message; return the answer when it is a decision."""
        match response.WhichOneof("kind"):
            case "decision":
                return self._decide(response.decision)
            case "welcome":
                _require_same_major(response.welcome.api_version)
            case "game_started":
                self._start(response.game_started)
            case "game_over":
                over = response.game_over
                self._see(over.events)
                self._bot.game_over([decode_standing(one) for one in over.standings])
            case "forfeited":
                # For the author, who reads the bot's output. Today's referee ends the stream then.
                self.is_forfeited = True
                print(f"Forfeited: {response.forfeited.sentence}", file=sys.stderr)  # noqa: T201
            case "goodbye":
                self.is_finished = True
            case _:  # a kind of a newer version, which the protocol lets a bot ignore
                pass
        return None

    def _start(self, message: play_pb2.GameStarted) -> None:
        self._rules = decode_rules(message.rules)
        self._bot.game_started(
            GameInfo(
                game_id=message.game_id,
                rules=self._rules,
                seat=message.seat,
                seats=message.seats,
                time_control=decode_time_control(message.time_control),
                seed_commitment=message.seed_commitment,
            )
        )

    def _decide(self, message: play_pb2.Decision) -> play_pb2.Answer:
        if self._rules is None:
            raise ProtocolError("The referee asked for a decision before a game had started.")
        self._see(message.events)
        observation = decode_observation(message.observation, self._rules)
        self._bot.time_left = decode_duration(message.time_left)
        action = self._bot.choose(observation)
        return play_pb2.Answer(decision_id=message.decision_id, action=encode_action(action))

    def _see(self, events: Iterable[event_pb2.Event]) -> None:
        for event in decode_events(events):
            self._bot.see(event)


def _address(environment: Mapping[str, str]) -> tuple[str, str]:
    for name in ("ROUNDHOUSE_SOCKET", "ROUNDHOUSE_TOKEN"):
        if not environment.get(name):
            raise RoundhouseError(
                f"{name} is not set: a bot is started by the referee. "
                "Play here with `roundhouse play` instead."
            )
    return environment["ROUNDHOUSE_SOCKET"], environment["ROUNDHOUSE_TOKEN"]


def _explained(error: grpc.RpcError, socket: str) -> ConnectionLostError:
    """Say in one sentence why the stream ended."""
    code, details = error.code(), error.details() or "no reason given"
    if code in {grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.UNAUTHENTICATED}:
        return ConnectionLostError(f"The referee refused this bot: {details}", is_refusal=True)
    return ConnectionLostError(
        f"No referee answers at {socket}, or it went away ({code.name}: {details})."
    )


def _require_same_major(referee: str) -> None:
    if referee.partition(".")[0] != API_VERSION.partition(".")[0]:
        raise ConnectionLostError(
            f"The referee speaks version {referee} of the protocol, and this SDK {API_VERSION}; "
            f"install roundhouse-sdk {referee.partition('.')[0]}.x.",
            is_refusal=True,
        )
