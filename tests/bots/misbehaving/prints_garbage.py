"""Print what is no text to stdout all the time, and play on."""

import os

from stream import Stream

stream = Stream()
while not (message := stream.receive()).HasField("goodbye"):
    os.write(1, os.urandom(4096))
    if message.HasField("decision"):
        stream.answer(message.decision)
