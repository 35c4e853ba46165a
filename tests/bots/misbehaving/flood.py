"""Send answers as fast as they go."""

from stream import Stream

stream = Stream()
decision = stream.next_decision(2)
for _ in range(50_000):
    stream.answer(decision)
stream.play_on()
