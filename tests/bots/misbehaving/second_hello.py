"""Greet again in the middle of the game."""

from stream import Stream

from roundhouse.api.referee.v1.play_pb2 import Hello, PlayRequest

stream = Stream()
stream.next_decision(2)
stream.send(PlayRequest(hello=Hello(token="anything", api_version="1.0.0")))
stream.play_on()
