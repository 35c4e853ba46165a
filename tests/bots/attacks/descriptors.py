"""Open descriptors until the system says no."""

import os

opened = 3
while opened < 100_000:
    try:
        os.open("/dev/null", os.O_RDONLY)
    except OSError:
        break
    opened += 1
os.closerange(3, 200_000)
print("opened", opened)
