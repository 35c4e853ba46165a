"""Answer with a kind of action of the far future: field 15, empty."""

from stream import Stream

from roundhouse.api.game.v1.action_pb2 import Action

stream = Stream()
stream.answer(stream.next_decision(2), Action.FromString(b"\x7a\x00"))
stream.play_on()
