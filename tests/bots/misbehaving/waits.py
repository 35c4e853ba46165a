"""Do nothing wrong, and say when the first answer is out."""

from stream import Stream

stream = Stream()
stream.answer(stream.next_decision())
print("answered")
stream.play_on()
