"""Answer one decision and never another."""

import time

from stream import Stream

stream = Stream()
stream.next_decision(2)
time.sleep(600)
