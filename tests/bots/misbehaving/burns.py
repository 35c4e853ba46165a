"""Answer one decision, and think about the next with all its might and for ever."""

from stream import Stream

stream = Stream()
stream.next_decision(2)
while True:
    pass
