"""Begin with an answer."""

from stream import Stream

from roundhouse.api.referee.v1.play_pb2 import Answer, PlayRequest

Stream(greeting=PlayRequest(answer=Answer(decision_id=1))).play_on()
