"""Leave the process group and the session, ignore signals, and try to outlive the game."""

import os
import signal
import sys
import time

for number in range(1, signal.NSIG):
    if number not in (signal.SIGKILL, signal.SIGSTOP, 32, 33):
        signal.signal(number, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.setsid()
        print("daemon", flush=True)
        time.sleep(1000)
    os._exit(0)
if sys.argv[1] == "leave":
    time.sleep(0.2)  # let the daemon settle
    os._exit(0)
time.sleep(1000)
