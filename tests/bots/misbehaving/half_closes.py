"""Close the sending half of the stream and go on reading."""

import time

from stream import Stream

stream = Stream()
stream.next_decision(2)
stream.half_close()
time.sleep(600)
