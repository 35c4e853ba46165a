"""Play well, and open connections all the time beside that."""

import os
import socket
import threading

from stream import Stream


def flood() -> None:
    kept = []
    while True:
        line = socket.socket(socket.AF_UNIX)
        try:
            line.connect(os.environ["ROUNDHOUSE_SOCKET"])
            kept.append(line)
        except OSError:
            line.close()


stream = Stream()
stream.answer(stream.next_decision())
for _ in range(4):
    threading.Thread(target=flood, daemon=True).start()
stream.play_on()
