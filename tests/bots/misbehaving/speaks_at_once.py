"""Greet, and speak before there is a game."""

from stream import Stream

from roundhouse.api.referee.v1.play_pb2 import Answer, PlayRequest

stream = Stream()
stream.send(PlayRequest(answer=Answer(decision_id=1)))
stream.play_on()
