"""Keep the connection alive, and never let a byte of the referee's messages come."""

from http2 import ACK, INITIAL_WINDOW_SIZE, PING, SETTINGS, frame, greet

nothing = INITIAL_WINDOW_SIZE.to_bytes(2, "big") + (0).to_bytes(4, "big")
line = greet(nothing)
incoming = line.makefile("rb")
while len(head := incoming.read(9)) == 9:
    payload = incoming.read(int.from_bytes(head[:3], "big"))
    kind, flags = head[3], head[4]
    if kind == SETTINGS and not flags & ACK:
        line.sendall(frame(SETTINGS, ACK, 0, b""))
    if kind == PING and not flags & ACK:
        line.sendall(frame(PING, ACK, 0, payload))
