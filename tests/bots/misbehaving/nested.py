"""Send a message of ten thousand groups within each other."""

from stream import Stream

stream = Stream()
stream.next_decision(2)
stream.send(b"\x7b" * 10_000 + b"\x7c" * 10_000)
stream.play_on()
