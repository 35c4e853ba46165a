"""Send bytes that are no message at all."""

from stream import Stream

stream = Stream()
stream.next_decision(2)
stream.send(b"\xff" * 64)
stream.play_on()
