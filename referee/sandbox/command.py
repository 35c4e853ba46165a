"""The command lines of the chain: join the groups, drop to a uid, isolate, limit, run the bot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.sandbox import guest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from referee.sandbox.binary import Binary
    from referee.sandbox.runtime import Runtime
    from referee.sandbox.spec import Limits, SandboxSpec

JOIN = 'while [ "$1" != -- ]; do echo 0 >"$1" || exit 1; shift; done; shift; exec "$@"'
"""The shell that puts itself into the control groups, named first, and becomes the rest."""
DEVICES = ("null", "zero", "full", "random", "urandom")
"""All of /dev beside shm: no terminals, whose number the host's kernel shares out."""


@dataclass(frozen=True, slots=True)
class Tools:
    """The programs of util-linux that the chain needs."""

    sh: str
    setpriv: str
    prlimit: str
    """Run inside, where the system's folders stand as they do outside."""
    taskset: str


def outer_command(
    tools: Tools,
    binary: Binary,
    doors: Sequence[str],
    uid: int | None,
    core: int | None,
    arguments: int,
) -> list[str]:
    """Return the host's part: what is run before the sandbox stands.

    ``uid`` is None where we are not root and cannot give a bot one of its own. The sandbox's
    arguments are read from the descriptor ``arguments``, so that no path of the host's is seen
    in /proc/1/cmdline.
    """
    command = [tools.sh, "-c", JOIN, "sh", *doors, "--"] if doors else []
    if core is not None:
        # Inherited by all that follows; the filter refuses the call that would change it.
        command += [tools.taskset, "--cpu-list", str(core)]
    # Until bubblewrap has armed its own, this ends the chain with us. It must be set after the
    # change of uid, which clears it.
    command += [tools.setpriv, "--pdeathsig", "KILL"]
    if uid is not None:
        # A real uid first: `bwrap --uid` alone would leave root's bot root to the kernel.
        command += ["--reuid", str(uid), "--regid", str(uid), "--clear-groups"]
        command += ["--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all"]
    return [*command, "--", str(binary.path), "--args", str(arguments), "--"]


def inner_command(tools: Tools, spec: SandboxSpec, *, has_memory_group: bool) -> list[str]:
    """Return the sandbox's part: `prlimit`, which becomes the bot.

    The limits are set inside, where RLIMIT_NPROC counts the sandbox's own user namespace and
    not everything that our user runs. A missing program is `prlimit`'s exit code 127.
    """
    return [
        tools.prlimit,
        *rlimits(spec.limits, has_memory_group=has_memory_group),
        "--",
        *spec.command,
    ]


def rlimits(limits: Limits, *, has_memory_group: bool) -> Iterator[str]:
    """Yield the options of `prlimit`."""
    yield "--core=0"
    yield f"--cpu={limits.cpu_seconds}"
    yield f"--fsize={limits.tmp_bytes}"
    yield f"--nofile={limits.open_files}"
    yield f"--nproc={limits.processes}"
    yield "--memlock=65536"
    if not has_memory_group:
        # Writable private memory of each process; RLIMIT_AS would count what runtimes reserve.
        yield f"--data={limits.memory_bytes}"


def sandbox_arguments(
    spec: SandboxSpec,
    binary: Binary,
    runtime: Runtime,
    system: guest.System,
    empty: Path,
    descriptors: Mapping[str, int],
) -> list[str]:
    """Return bubblewrap's own arguments.

    ``descriptors`` holds, by path inside, the open generated files, and under ``seccomp`` and
    ``status`` those two. ``empty`` is a folder with nothing in it. The order matters: a mount
    covers what stands before it, ``--size`` belongs to the next ``--tmpfs``, and the root is
    made read-only last.
    """
    limits = spec.limits
    arguments = ["--unshare-all", "--unshare-user", "--die-with-parent", "--new-session"]
    if "--disable-userns" in binary.options:
        arguments.append("--disable-userns")
    arguments += ["--uid", str(guest.UID), "--gid", str(guest.UID), "--hostname", "bot"]
    arguments += ["--cap-drop", "ALL", "--clearenv"]
    environment = {**spec.environment, **guest.ENVIRONMENT, **runtime.interpreter.environment}
    for name, value in environment.items():
        arguments += ["--setenv", name, value]
    for inside, link in system.folders:
        arguments += ["--symlink", link, inside] if link else ["--ro-bind", inside, inside]
    arguments += _proc(system, descriptors, empty)
    for name in DEVICES:
        arguments += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    arguments += ["--symlink", "/proc/self/fd", "/dev/fd"]
    size = str(limits.tmp_bytes)
    for inside in ("/dev/shm", guest.HOME):  # noqa: S108 - the sandbox's own
        arguments += ["--size", size, "--perms", "1777", "--tmpfs", inside]
    for inside in guest.FILES:
        arguments += ["--file", str(descriptors[inside]), inside]
    for path in system.configuration:
        arguments += ["--ro-bind", str(path), str(path)]
    if runtime.interpreter.outside is not None:
        arguments += ["--ro-bind", str(runtime.interpreter.outside), runtime.interpreter.inside]
    arguments += ["--ro-bind", str(runtime.folder), guest.RUNTIME]
    arguments += ["--ro-bind", str(spec.folder), guest.BOT, "--chdir", guest.BOT]
    arguments += _way_out(spec)
    arguments += ["--remount-ro", "/"]
    if "seccomp" in descriptors:
        arguments += ["--seccomp", str(descriptors["seccomp"])]
    return [*arguments, "--json-status-fd", str(descriptors["status"])]


def _way_out(spec: SandboxSpec) -> Iterator[str]:
    if spec.is_ahead:
        yield from ("--ro-bind", str(spec.socket), guest.EXIT)
        yield from ("--symlink", f"{guest.EXIT}/{guest.SOCKET_NAME}", guest.SOCKET)
    else:
        yield from ("--ro-bind", str(spec.socket), guest.SOCKET)


def _proc(system: guest.System, descriptors: Mapping[str, int], empty: Path) -> Iterator[str]:
    yield from ("--proc", "/proc")
    for inside, is_folder in system.masks:
        yield from ("--ro-bind", str(empty) if is_folder else "/dev/null", inside)
    for inside, descriptor in descriptors.items():
        if inside.startswith("/proc/"):
            yield from ("--ro-bind-data", str(descriptor), inside)
