# ruff: noqa: INP001 - a bot is a folder, not a package
"""Answer every decision at once with a random legal action, without looking at the rest.

With `--bare` it answers every message with the same bytes: the other side of a bare ping-pong.
"""

import os
import random
import sys
from queue import SimpleQueue

import grpc

from roundhouse import API_VERSION
from roundhouse.api.referee.v1.play_pb2 import Answer, Hello, PlayRequest, PlayResponse

BARE_ANSWER = bytes(12)
SHORTEST = 8  # a goodbye is shorter than any decision
rng = random.Random(1)
requests = SimpleQueue()
channel = grpc.insecure_channel(f"unix:{os.environ['ROUNDHOUSE_SOCKET']}")
call = channel.stream_stream("/roundhouse.api.referee.v1.PlayService/Play")(
    iter(requests.get, None)
)
token = os.environ.get("ROUNDHOUSE_TOKEN", "")
requests.put(PlayRequest(hello=Hello(token=token, api_version=API_VERSION)).SerializeToString())
if "--bare" in sys.argv:
    for message in call:
        if len(message) < SHORTEST:
            break
        requests.put(BARE_ANSWER)
else:
    for message in map(PlayResponse.FromString, call):
        decision = message.decision
        if decision.decision_id:
            action = rng.choice(decision.legal_actions)
            answer = Answer(decision_id=decision.decision_id, action=action)
            requests.put(PlayRequest(answer=answer).SerializeToString())
        elif message.HasField("goodbye"):
            break
requests.put(None)
