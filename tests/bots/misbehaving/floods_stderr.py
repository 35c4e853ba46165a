"""Write to stderr as fast as it goes, from a thread, and play on."""

import os
import threading

from stream import Stream


def flood() -> None:
    """Write for ever."""
    while True:
        os.write(2, b"x" * 65536)


threading.Thread(target=flood, daemon=True).start()
Stream().play_on()
