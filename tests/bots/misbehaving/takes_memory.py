"""Take memory until there is none, in the middle of the game."""

from stream import Stream

stream = Stream()
stream.next_decision(2)
hoard = []
while True:
    hoard.append(bytearray(b"x" * 2**22))
