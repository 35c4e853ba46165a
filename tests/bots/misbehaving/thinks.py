"""Do nothing wrong, but think about every opening for more than a second."""

import time

from stream import Stream

from roundhouse.api.game.v1.observation_pb2 import PHASE_OPENING

stream = Stream()
while not (message := stream.receive()).HasField("goodbye"):
    if message.HasField("decision"):
        if message.decision.observation.phase == PHASE_OPENING:
            time.sleep(1.3)
        stream.answer(message.decision)
