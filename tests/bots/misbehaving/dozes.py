"""Do nothing wrong, but sleep over the first two decisions as if the machine were busy."""

import time

from stream import Stream

stream = Stream()
for _ in range(2):
    decision = stream.next_decision()
    time.sleep(1.5)
    stream.answer(decision)
stream.play_on()
