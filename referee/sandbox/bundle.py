"""The OCI bundle of one bot: everything that a runtime is told, as a value."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.sandbox import guest, skeleton
from referee.sandbox.cgroup import OWN_PROCESSES, PERIOD_MICROSECONDS
from referee.sandbox.command import DEVICES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from referee.sandbox.engine import Engine
    from referee.sandbox.runtime import Runtime
    from referee.sandbox.spec import Limits, SandboxSpec

VERSION = "1.0.2"
"""Of the OCI's runtime specification; what Debian 12's runtimes know, newer ones do, too."""
NAMESPACES = ("pid", "mount", "network", "ipc", "uts", "cgroup")
"""No user namespace: the bot is an ordinary uid of its own, and can make no namespaces."""
HERALD = "the bot of this container starts"
"""What the first process says before the bot runs; what stands before it is the runtime's."""
FIRST = f'exec 2>&1; echo "{HERALD}"; (exec "$@"); exit $?'
"""The container's first process. The kernel shields it from the signals of its own namespace, and
it must reap orphans, neither of which is a bot's business; so a shell does it, as bubblewrap would.
It gives a signal back as 128 + n. All output goes one way, since what goes two ways through a
runtime arrives in any order."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What all bundles of a machine have in common."""

    engine: Engine
    root: Path
    """The skeleton on which everything is mounted."""
    runtime: Runtime
    system: guest.System
    setpriv: str
    seccomp: Mapping[str, object] | None


@dataclass(frozen=True, slots=True)
class Place:
    """What one bot has for itself: its uid, its bundle's folder and its control group's path."""

    uid: int
    folder: Path
    group: str

    def file(self, inside: str) -> Path:
        """Return where a generated file of the bundle stands, by its path inside."""
        return self.folder / inside.strip("/").replace("/", ".")


def write_bundle(spec: SandboxSpec, ground: Ground, place: Place) -> None:
    """Write the bundle into its folder, which must be there."""
    for inside, content in generated(spec.limits, ground.engine, place.uid).items():
        place.file(inside).write_text(content, encoding="utf-8")
        place.file(inside).chmod(0o644)
    document = json.dumps(configuration(spec, ground, place))
    (place.folder / "config.json").write_text(document, encoding="utf-8")


def generated(limits: Limits, engine: Engine, uid: int) -> dict[str, str]:
    """Return the files that are this bot's own, by their path inside."""
    files = {
        "/etc/passwd": f"bot:x:{uid}:{uid}:bot:{guest.HOME}:/bin/sh\n",
        "/etc/group": f"bot:x:{uid}:\n",
    }
    return files if engine.has_own_kernel else files | guest.proc_files(limits)


def configuration(spec: SandboxSpec, ground: Ground, place: Place) -> dict[str, object]:
    """Return the bundle's ``config.json``."""
    return {
        "ociVersion": VERSION,
        "process": _process(spec, ground, place),
        "root": {"path": str(ground.root), "readonly": True},
        "hostname": "bot",
        "mounts": list(_mounts(spec, ground, place)),
        "linux": _linux(spec.limits, ground, place),
    }


def _process(spec: SandboxSpec, ground: Ground, place: Place) -> dict[str, object]:
    interpreter = ground.runtime.interpreter
    variables = {**spec.environment, **guest.ENVIRONMENT, **interpreter.environment}
    command = ["/bin/sh", "-c", FIRST, "bot", *spec.command]
    if not ground.engine.has_own_kernel:
        # The runtime dies with us, and so the container must die with the runtime. gVisor's does.
        command = [ground.setpriv, "--pdeathsig", "KILL", "--", *command]
    sets = ("bounding", "effective", "inheritable", "permitted", "ambient")
    return {
        "terminal": False,
        "user": {"uid": place.uid, "gid": place.uid},
        "args": command,
        "env": [f"{name}={value}" for name, value in {**variables, "PWD": guest.BOT}.items()],
        "cwd": guest.BOT,
        "capabilities": {name: [] for name in sets},
        "noNewPrivileges": True,
        "rlimits": [
            {"type": f"RLIMIT_{name}", "soft": value, "hard": value}
            for name, value in _rlimits(spec.limits)
        ],
    }


def _rlimits(limits: Limits) -> Iterator[tuple[str, int]]:
    yield "CORE", 0
    yield "CPU", limits.cpu_seconds
    yield "FSIZE", limits.tmp_bytes
    yield "NOFILE", limits.open_files
    yield "NPROC", limits.processes
    yield "MEMLOCK", 65536


def _mounts(spec: SandboxSpec, ground: Ground, place: Place) -> Iterator[dict[str, object]]:
    """Yield the mounts, each upon those before it."""
    engine, interpreter = ground.engine, ground.runtime.interpreter
    for inside, link in ground.system.folders:
        if link is None:
            yield _bind(inside, inside)
    yield _mount("/proc", "proc", "nosuid", "nodev", "noexec")
    if not engine.has_own_kernel:
        # A folder of ours, or the runtime would make terminals and more of its own.
        yield _bind("/dev", str(ground.root / "dev"))
        for name in DEVICES:
            yield _bind(f"/dev/{name}", f"/dev/{name}", "nosuid", "noexec")
    size = f"size={spec.limits.tmp_bytes}"
    for inside in skeleton.OPEN:
        yield _mount(inside, "tmpfs", "nosuid", "nodev", "mode=1777", size)
    for path in ground.system.configuration:
        yield _bind(str(path), str(path))
    for inside in generated(spec.limits, engine, place.uid):
        yield _bind(inside, str(place.file(inside)))
    if interpreter.outside is not None:
        yield _bind(interpreter.inside, str(interpreter.outside))
    yield _bind(guest.RUNTIME, str(ground.runtime.folder))
    yield _bind(guest.BOT, str(spec.folder))
    yield _bind(guest.SOCKET, str(spec.socket))


def _bind(inside: str, outside: str, *options: str) -> dict[str, object]:
    given = options or ("ro", "nosuid", "nodev")
    return {
        "destination": inside,
        "type": "bind",
        "source": outside,
        "options": ["rbind", *given],
    }


def _mount(inside: str, kind: str, *options: str) -> dict[str, object]:
    return {"destination": inside, "type": kind, "source": kind, "options": list(options)}


def _linux(limits: Limits, ground: Ground, place: Place) -> dict[str, object]:
    document: dict[str, object] = {
        "namespaces": [{"type": name} for name in NAMESPACES],
        "cgroupsPath": place.group,
        "resources": {
            "devices": [{"allow": False, "access": "rwm"}],
            "memory": {"limit": limits.memory_bytes},
            "pids": {"limit": limits.processes + OWN_PROCESSES},
            "cpu": {
                "quota": int(limits.cpu_cores * PERIOD_MICROSECONDS),
                "period": PERIOD_MICROSECONDS,
            },
        },
    }
    if not ground.engine.has_own_kernel:
        document["maskedPaths"] = [inside for inside, _ in ground.system.masks]
        # gVisor could apply it as well, but answers EPERM for ENOSYS, on which C libraries abort.
        if ground.seccomp is not None:
            document["seccomp"] = ground.seccomp
    return document
