"""Answer the second decision under the number of the first."""

from stream import Stream

stream = Stream()
first = stream.next_decision()
stream.answer(first)
second = stream.next_decision()
second.decision_id = first.decision_id
stream.answer(second)
stream.play_on()
