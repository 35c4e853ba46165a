"""Answer with an action of no kind."""

from stream import Stream

from roundhouse.api.referee.v1.play_pb2 import Answer, PlayRequest

stream = Stream()
decision = stream.next_decision(2)
stream.send(PlayRequest(answer=Answer(decision_id=decision.decision_id)))
stream.play_on()
