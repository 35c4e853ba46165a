"""Think all the time, on its opponent's turn above all, and tell in the end how much that was."""

import threading
import time

from stream import Stream


def ponder() -> None:
    while True:
        pass


stream = Stream()
opening = stream.next_decision()
threading.Thread(target=ponder, daemon=True).start()
stream.answer(opening)
began, used = time.monotonic(), time.process_time()
stream.next_decision()
waited, pondered = time.monotonic() - began, time.process_time() - used
raise RuntimeError(f"pondered {pondered:.3f} s of {waited:.3f} s")
