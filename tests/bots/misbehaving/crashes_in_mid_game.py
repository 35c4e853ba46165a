"""Raise at the third decision."""

from stream import Stream

stream = Stream()
stream.next_decision(3)
raise RuntimeError("the bot's own trouble")
