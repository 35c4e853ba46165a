"""Answer one decision and never read again, with the stream wide open."""

import time

from stream import Stream

stream = Stream()
stream.answer(stream.next_decision())
time.sleep(600)
