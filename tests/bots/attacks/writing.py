"""Write everywhere, and fill what can be written."""

import errno
import os
import resource

PLACES = [
    "/",
    "/usr",
    "/usr/bin",
    "/etc",
    "/bot",
    "/opt",
    "/opt/roundhouse",
    "/run",
    "/dev",
    "/proc",
]
for place in PLACES:
    try:
        with open(f"{place}/left-for-the-next-game", "w") as file:
            file.write("x")
    except OSError as error:
        print(place, error.strerror)
    else:
        print("LEAK", "wrote into", place)
for path in ("/etc/passwd", "/bot/bot.py", "/proc/self/oom_score_adj", "/run/roundhouse.sock"):
    for attempt in (lambda p: os.chmod(p, 0o777), os.unlink, lambda p: os.rename(p, "/tmp/x")):
        try:
            attempt(path)
        except OSError:
            continue
        print("LEAK", "changed", path)

limit = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
for place in ("/tmp", "/dev/shm"):
    written, number, end = 0, 0, None
    while end is None and written <= 4 * limit:
        number += 1
        try:
            with open(f"{place}/{number}", "wb", buffering=0) as file:
                while True:
                    written += file.write(b"x" * 65536)
        except OSError as error:
            end = error.errno if error.errno != errno.EFBIG else None
    print(place, errno.errorcode.get(end, end), written <= limit)
    if written > limit:
        print("LEAK", place, "took", written, "of", limit)
    for name in os.listdir(place):
        os.unlink(f"{place}/{name}")
