"""Pay in a colour that does not exist."""

from stream import Stream

from roundhouse.api.game.v1.action_pb2 import Action, ClaimRoute

stream = Stream()
stream.answer(stream.next_decision(2), Action(claim_route=ClaimRoute(route_id=1, colour=77)))
stream.play_on()
