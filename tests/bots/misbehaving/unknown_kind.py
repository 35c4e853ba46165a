"""Send a kind of message of the far future: field 15, empty."""

from stream import Stream

stream = Stream()
stream.next_decision(2)
stream.send(b"\x7a\x00")
stream.play_on()
