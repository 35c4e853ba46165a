"""Signal another sandbox through a file that both may read: locks, leases, watches."""

import ctypes
import errno
import fcntl
import os

libc = ctypes.CDLL(None, use_errno=True)
shared = os.open("/usr/bin/env", os.O_RDONLY)
ATTEMPTS = {
    "flock": lambda: fcntl.flock(shared, fcntl.LOCK_SH | fcntl.LOCK_NB),
    "lockf": lambda: fcntl.lockf(shared, fcntl.LOCK_SH | fcntl.LOCK_NB),
    "lease": lambda: fcntl.fcntl(shared, fcntl.F_GETLEASE),
    "notify": lambda: fcntl.fcntl(os.open("/usr", os.O_RDONLY), fcntl.F_NOTIFY, 1),
    "ofd lock": lambda: fcntl.fcntl(shared, 36, b"\0" * 32),
}
for name, attempt in ATTEMPTS.items():
    try:
        attempt()
    except OSError as error:
        if error.errno == errno.ENOSYS:
            continue
    print("LEAK", name)
if libc.inotify_init() != -1:
    print("LEAK", "inotify")
for request, name in ((0x5412, "TIOCSTI"), (0x541C, "TIOCLINUX")):
    try:
        fcntl.ioctl(0, request, b"x")
    except OSError as error:
        print(name, error.strerror)
    else:
        print("LEAK", name)
print("done")
