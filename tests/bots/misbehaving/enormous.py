"""Answer with 32 megabytes, which gRPC itself does not take."""

import time

from stream import Stream

stream = Stream()
stream.next_decision(2)
stream.send(bytes(32 * 1024 * 1024))
time.sleep(600)
