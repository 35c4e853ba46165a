"""Leave a daemon behind that ignores every signal, and crash."""

import os
import signal
import time

from stream import Stream

stream = Stream()
stream.next_decision(3)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        time.sleep(3600)
os._exit(3)
