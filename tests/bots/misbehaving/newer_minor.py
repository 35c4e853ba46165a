"""Speak a newer minor version, with fields that this referee does not know."""

from stream import Stream

from roundhouse.api.referee.v1.play_pb2 import Answer, PlayRequest

stream = Stream(version="1.99.0")
while not (message := stream.receive()).HasField("goodbye"):
    if message.HasField("decision"):
        answer = Answer(
            decision_id=message.decision.decision_id, action=message.decision.legal_actions[0]
        )
        stream.send(PlayRequest(answer=answer).SerializeToString() + b"\xfa\x01\x03new")
