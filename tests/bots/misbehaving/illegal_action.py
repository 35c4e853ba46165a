"""Claim a route that no board has."""

from stream import Stream

from roundhouse.api.game.v1.action_pb2 import Action, ClaimRoute

stream = Stream()
stream.answer(stream.next_decision(2), Action(claim_route=ClaimRoute(route_id=9999, locomotives=1)))
stream.play_on()
