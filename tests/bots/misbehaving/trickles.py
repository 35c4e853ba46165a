"""Never read, and send an answer byte by byte."""

import time

from http2 import DATA, frame, greet

line = greet()
line.sendall(frame(DATA, 0, 1, b"\0" + (1000).to_bytes(4, "big")))
while True:
    time.sleep(0.05)
    line.sendall(frame(DATA, 0, 1, b"x"))
