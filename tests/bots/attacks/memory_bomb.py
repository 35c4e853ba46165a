"""Take memory until something gives."""

taken = []
while True:
    taken.append(b"x" * (8 << 20))
