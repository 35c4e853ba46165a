"""Hang, and ignore every polite request to end."""

import signal
import time

from stream import Stream

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
stream = Stream()
stream.next_decision(2)
while True:
    time.sleep(600)
