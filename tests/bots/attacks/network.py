"""Open a socket of every family but AF_UNIX, and look for the host's abstract ones."""

import errno
import socket
import sys

for family in range(2, 46):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
        try:
            socket.socket(family, kind).close()
        except OSError as error:
            if error.errno != errno.EAFNOSUPPORT:
                print("LEAK", "family", family, "is not refused as a family:", error)
        else:
            print("LEAK", "a socket of family", family)

for name in sys.argv[1:]:
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(b"\0" + name.encode())
        except ConnectionRefusedError:
            print("refused", name)
        else:
            print("LEAK", "the host's abstract socket", name)

try:
    print("LEAK", "name service:", socket.getaddrinfo("example.org", 80))
except OSError:
    print("no name service")
