"""Never answer anything."""

import time

from stream import Stream

stream = Stream()
stream.next_decision()
time.sleep(600)
