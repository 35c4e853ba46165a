"""Find other processes, signal them, and gain rights by programs that give them.

Arguments name mounts that hold no programs, which may lack the flag against such rights.
"""

import os
import signal
import subprocess
import sys

pids = sorted(int(name) for name in os.listdir("/proc") if name.isdecimal())
print("processes", len(pids))
if len(pids) > 3:
    print("LEAK", "processes", pids)
for pid in (1, os.getppid()):
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError as error:
        print("kill", error.strerror)
# The sandbox's first process shrugs off what comes from inside: we still run.
for pid in range(2, 5000):
    if pid not in pids:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            continue
        print("LEAK", "process", pid, "answers")

for attempt in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setgroups([0])):
    try:
        attempt()
    except OSError as error:
        print("identity", error.strerror)
    else:
        print("LEAK", "a change of identity")
with open("/proc/self/status") as file:
    status = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
    if int(status[name], 16):
        print("LEAK", name, status[name])
if status["NoNewPrivs"] != "1" or status["Seccomp"] != "2":
    print("LEAK", "NoNewPrivs", status["NoNewPrivs"], "Seccomp", status["Seccomp"])
for mount in {"/", "/usr", "/bot", "/tmp", "/dev/shm", "/proc"} - {*sys.argv[1:]}:
    if not os.statvfs(mount).f_flag & os.ST_NOSUID:
        print("LEAK", mount, "lets setuid programs gain rights")
for program in ("su", "mount", "chsh", "passwd", "newgrp"):
    try:
        done = subprocess.run([program, "--help"], capture_output=True, timeout=5, check=False)
    except OSError:
        continue
    print(program, done.returncode)
