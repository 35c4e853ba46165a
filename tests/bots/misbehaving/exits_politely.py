"""End with exit code 0 in the middle of the game."""

from stream import Stream

stream = Stream()
stream.answer(stream.next_decision(3))
stream.close()
