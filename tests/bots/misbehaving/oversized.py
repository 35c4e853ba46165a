"""Answer with a megabyte."""

from stream import Stream

from roundhouse.api.game.v1.action_pb2 import Action, KeepTickets

stream = Stream()
action = Action(keep_tickets=KeepTickets(keep=[2**32 - 1] * 200_000))
stream.answer(stream.next_decision(2), action)
stream.play_on()
