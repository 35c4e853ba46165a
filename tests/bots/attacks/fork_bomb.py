"""Fork until the system says no, then keep all children and say how many there are."""

import os
import time

children = 0
while children < 5000:
    try:
        pid = os.fork()
    except OSError:
        break
    if pid == 0:
        time.sleep(1000)
    children += 1
print("forked", children, flush=True)
time.sleep(1000)
