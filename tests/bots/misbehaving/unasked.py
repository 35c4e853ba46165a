"""Greet, and answer at once a decision that nobody has asked for."""

from stream import Stream

from roundhouse.api.game.v1.action_pb2 import Action, DrawCard
from roundhouse.api.referee.v1.play_pb2 import Answer, PlayRequest

stream = Stream()
stream.receive()  # Welcome
stream.play_on("game_started")
stream.send(PlayRequest(answer=Answer(decision_id=10**9, action=Action(draw_card=DrawCard()))))
stream.play_on()
