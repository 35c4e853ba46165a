"""A bot's side of the stream without the SDK's good manners: any bytes at any moment."""

import os
from queue import SimpleQueue

import grpc

from roundhouse import API_VERSION
from roundhouse.api.game.v1.action_pb2 import Action
from roundhouse.api.referee.v1.play_pb2 import (
    Answer,
    Decision,
    Hello,
    PlayRequest,
    PlayResponse,
)

METHOD = "/roundhouse.api.referee.v1.PlayService/Play"


class Stream:
    """One call of `Play`, greeted."""

    def __init__(
        self,
        token: str | None = None,
        version: str = API_VERSION,
        greeting: PlayRequest | None = None,
    ) -> None:
        self._requests = SimpleQueue()
        self._channel = grpc.insecure_channel(
            f"unix:{os.environ['ROUNDHOUSE_SOCKET']}", [("grpc.max_send_message_length", -1)]
        )
        call = self._channel.stream_stream(METHOD)
        self._responses = call(iter(self._requests.get, None))
        hello = Hello(token=token or os.environ["ROUNDHOUSE_TOKEN"], api_version=version)
        self.send(greeting or PlayRequest(hello=hello))

    def send(self, message: PlayRequest | bytes) -> None:
        """Send a message, or bytes that are none."""
        self._requests.put(message if isinstance(message, bytes) else message.SerializeToString())

    def receive(self) -> PlayResponse:
        """Return the next message; raises StopIteration at the end and RpcError when refused."""
        return PlayResponse.FromString(next(self._responses))

    def next_decision(self, number: int = 1) -> Decision:
        """Answer all decisions but the last of the next `number`, and return that one."""
        while True:
            message = self.receive()
            if message.HasField("decision"):
                number -= 1
                if not number:
                    return message.decision
                self.answer(message.decision)

    def answer(self, decision: Decision, action: Action | None = None) -> None:
        """Answer with an action, or with the first that is legal."""
        action = action or decision.legal_actions[0]
        self.send(PlayRequest(answer=Answer(decision_id=decision.decision_id, action=action)))

    def play_on(self, until: str = "goodbye") -> PlayResponse:
        """Answer whatever is asked until there comes a message of this kind; return it."""
        while True:
            message = self.receive()
            if message.WhichOneof("kind") == until:
                return message
            if message.HasField("decision"):
                self.answer(message.decision)

    def half_close(self) -> None:
        """Say that nothing more will be sent."""
        self._requests.put(None)

    def close(self) -> None:
        """Break the connection."""
        self._channel.close()
