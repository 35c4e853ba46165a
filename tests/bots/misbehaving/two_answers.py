"""Answer the same decision twice at once."""

from stream import Stream

stream = Stream()
decision = stream.next_decision(2)
stream.answer(decision)
stream.answer(decision)
stream.play_on()
