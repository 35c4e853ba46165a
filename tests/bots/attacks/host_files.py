"""Read what the host has: the files named as arguments, and what /proc could tell of it."""

import os
import sys

TELLING = [
    "/proc/1/root/etc/shadow", "/proc/1/root/root", "/proc/cmdline", "/proc/config.gz",
    "/proc/diskstats", "/proc/interrupts", "/proc/kallsyms", "/proc/kcore", "/proc/keys",
    "/proc/kmsg", "/proc/locks", "/proc/partitions", "/proc/pressure/cpu", "/proc/softirqs",
    "/proc/sys/kernel/hostname", "/proc/sysrq-trigger", "/proc/timer_list", "/proc/vmstat",
    "/proc/zoneinfo", "/sys/class", "/sys/fs/cgroup", "/etc/shadow", "/etc/machine-id", "/root",
    "/home", "/var/lib", "/run/docker.sock", "/dev/kmsg", "/dev/mem", "/dev/tty", "/dev/ptmx",
]  # fmt: skip


def read(path: str) -> bytes:
    if os.path.isdir(path):
        return " ".join(os.listdir(path)).encode()
    with open(path, "rb") as file:
        return file.read(64)


for path in (*TELLING, *sys.argv[1:]):
    try:
        content = read(path)
    except OSError as error:
        print(path, error.strerror)
    else:
        if content:
            print("LEAK", path, content)

with open("/proc/1/environ", "rb") as file:
    names = {variable.split(b"=")[0] for variable in file.read().split(b"\0")}
    if not names <= {b"", b"PWD", b"ROUNDHOUSE_OWNER", *os.environb}:
        print("LEAK", "the environment of the first process", names)
with open("/proc/1/cmdline", "rb") as file:
    words = file.read().split(b"\0")
# Its own program, and what a bot knows: the limits and its own command line.
known = {words[0], b"/usr/bin/prlimit", *(word.encode() for word in sys.argv)}
if any(b"/" in word for word in words if word not in known):
    print("LEAK", "paths of the host in the first process's command line", words)
for name in ("uptime", "loadavg", "stat", "meminfo"):
    with open(f"/proc/{name}") as file:
        print(name, file.readline().strip())
print("sockets", sorted(os.listdir("/run")))
