"""Open a socket of every family but AF_UNIX, and look for what listens on the host.

Arguments: a port of the host's loopback, and names of its abstract sockets.
"""

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

try:
    socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=5)
except OSError as error:
    print("loopback", errno.errorcode.get(error.errno, error.errno))
else:
    print("LEAK", "a service on the host's loopback")

for name in sys.argv[2:]:
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
