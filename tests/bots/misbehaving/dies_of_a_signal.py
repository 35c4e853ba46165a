"""Die as a program does that touches memory which is not its own."""

import os
import signal

from stream import Stream

stream = Stream()
stream.next_decision(3)
os.kill(os.getpid(), signal.SIGSEGV)
