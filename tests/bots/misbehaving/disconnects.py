"""Break the connection and live on."""

import time

from stream import Stream

stream = Stream()
stream.next_decision(2)
stream.close()
time.sleep(600)
