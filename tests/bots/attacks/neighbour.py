"""Reach for a bot that runs beside this one: its files, socket, process, environment and token.

Arguments: the host's path of its folder, of its socket, its process, and a word of its secrets.
"""

import os
import signal
import socket
import sys

folder, path, pid, word = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
for place in (folder, f"{folder}/bot.py", path, os.path.dirname(path), f"/proc/{pid}"):
    try:
        os.stat(place)
    except OSError as error:
        print("not there", error.strerror)
    else:
        print("LEAK", place, "is there")
for one in (path, f"/proc/{pid}/root/run/roundhouse.sock"):
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(one)
        except OSError as error:
            print("no line", error.strerror)
        else:
            print("LEAK", "connected to", one)
for number in (0, signal.SIGTERM, signal.SIGKILL):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        continue
    print("LEAK", "signal", number, "reached", pid)
seen = 0
for name in os.listdir("/proc"):
    if name.isdecimal():
        seen += 1
        for what in ("environ", "cmdline"):
            try:
                with open(f"/proc/{name}/{what}", "rb") as file:
                    text = file.read()
            except OSError:
                continue
            if word.encode() in text and int(name) not in (1, os.getpid(), os.getppid()):
                print("LEAK", "the secret stands in", what, "of", name)
for place in ("/tmp", "/dev/shm"):
    if os.listdir(place):
        print("LEAK", place, os.listdir(place))
with open("/proc/net/unix") as file:
    if word in file.read():
        print("LEAK", "its socket is listed")
print("processes", seen)
