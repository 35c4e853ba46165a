"""The driver that isolates bots with bubblewrap, without a daemon and without a container image."""

from __future__ import annotations

import contextlib
import os
import secrets
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Self

from referee.sandbox import command, guest
from referee.sandbox.binary import Binary
from referee.sandbox.cgroup import Cgroup, sweep
from referee.sandbox.child import Child
from referee.sandbox.driver import SandboxError
from referee.sandbox.hierarchy import find_hierarchy
from referee.sandbox.orphans import end_orphans, mark
from referee.sandbox.owner import Owner
from referee.sandbox.probe import examine
from referee.sandbox.process import SandboxedProcess, give
from referee.sandbox.program import find_program
from referee.sandbox.runtime import Runtime
from referee.sandbox.seccomp import seccomp_filter
from referee.sandbox.state import prepare_state
from referee.sandbox.uids import UidPool

if TYPE_CHECKING:
    from referee.sandbox.hierarchy import Hierarchy
    from referee.sandbox.line import Line
    from referee.sandbox.policy import PolicyReport
    from referee.sandbox.settings import SandboxSettings
    from referee.sandbox.spec import SandboxSpec


class BubblewrapDriver:
    """Hold each bot in namespaces of its own, below a uid and a control group of its own.

    What this machine lacks of that (root for uids and groups, say) is left out and named in the
    report of `probe`.
    """

    name = "bubblewrap"

    def __init__(
        self,
        binary: Binary,
        tools: command.Tools,
        runtime: Runtime,
        state: Path,
        uids: UidPool | None,
        hierarchy: Hierarchy | None,
        seccomp: bytes | None,
    ) -> None:
        self.binary = binary
        self.runtime = runtime
        self.state = state
        self.uids = uids
        self.hierarchy = hierarchy
        self.seccomp = seccomp
        self._tools = tools
        self._system = guest.System.look()

    @classmethod
    def find(cls, settings: SandboxSettings) -> Self:
        """Find what this machine has; raises `SandboxUnavailable` where it is not enough."""
        is_root = os.geteuid() == 0
        prepare_state(settings.state)
        binary = Binary.find(settings.state)
        uids = None
        if is_root:
            uids = UidPool(settings.state / "uids", settings.uid_first, settings.uid_count)
        return cls(
            binary=binary,
            tools=command.Tools(*map(find_program, ("sh", "setpriv", "prlimit", "taskset"))),
            runtime=Runtime.stage(settings.state),
            state=settings.state,
            uids=uids,
            hierarchy=find_hierarchy(),
            seccomp=seccomp_filter(os.uname().machine),
        )

    async def probe(self) -> PolicyReport:
        """Sweep what dead referees left, then hold something and see what it can do."""
        end_orphans()
        if self.hierarchy is not None:
            sweep(self.hierarchy)
        return await examine(self)

    async def start(self, spec: SandboxSpec) -> SandboxedProcess:
        """Start a bot in a sandbox."""
        return self.hold(spec)

    def hold(self, spec: SandboxSpec, line: Line | None = None) -> SandboxedProcess:
        """Start a bot, or what will become one when the line says so."""
        with contextlib.ExitStack() as undo:
            uid = cgroup = None
            if self.uids is not None:
                uid = self.uids.take()
                undo.callback(uid.release)
            if self.hierarchy is not None:
                name = Owner.this().stamp(secrets.token_hex(4))
                cgroup = Cgroup(self.hierarchy, name, spec.limits)
                undo.callback(cgroup.discard)
            number = None if uid is None else uid.number
            try:
                doors = () if cgroup is None else cgroup.doors
                stdin = subprocess.DEVNULL if line is None else line.theirs
                child, status = self._spawn(spec, doors, number, stdin)
            except OSError as error:
                raise SandboxError(f"{spec.name}: cannot start a sandbox: {error}") from error
            undo.pop_all()
        is_filtered = self.seccomp is not None
        return SandboxedProcess(child, status, cgroup, uid, line, is_filtered=is_filtered)

    def _spawn(
        self, spec: SandboxSpec, doors: tuple[str, ...], uid: int | None, stdin: int
    ) -> tuple[Child, int]:
        """Spawn the chain; returns it with our end of its status pipe."""
        if uid is not None and not spec.is_ahead:
            give(spec.socket, uid)
        with contextlib.ExitStack() as opened:
            contents = {**guest.FILES, **guest.proc_files(spec.limits)}
            given = {path: content.encode() for path, content in contents.items()}
            if self.seccomp is not None:
                given["seccomp"] = self.seccomp
            descriptors = {name: _memory_file(opened, data) for name, data in given.items()}
            status, descriptors["status"] = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
            opened.callback(os.close, descriptors["status"])
            try:
                arguments = command.sandbox_arguments(
                    spec, self.binary, self.runtime, self._system, self.empty, descriptors
                )
                text = b"".join(os.fsencode(argument) + b"\0" for argument in arguments)
                list_file = _memory_file(opened, text)
                chain = command.outer_command(
                    self._tools, self.binary, doors, uid, spec.core, list_file
                )
                chain += command.inner_command(
                    self._tools, spec, has_memory_group=self.has_group("memory")
                )
                passed = (list_file, *descriptors.values())
                # The folder: bubblewrap looks at where it is, and its uid may not see ours.
                child = Child(
                    chain, environment=mark(), folder=Path("/"), stdin=stdin, pass_fds=passed
                )
            except BaseException:
                os.close(status)
                raise
            return child, status

    @property
    def empty(self) -> Path:
        """Return a folder with nothing in it, which covers what a bot must not see."""
        return self.state / "empty"

    @property
    def has_meter(self) -> bool:
        """Tell whether the processor time of each bot is counted."""
        return self.hierarchy is not None and self.hierarchy.has_meter

    def has_group(self, controller: str) -> bool:
        """Tell whether bots are limited by a controller of the machine's control groups."""
        return self.hierarchy is not None and controller in self.hierarchy.folders


def _memory_file(opened: contextlib.ExitStack, data: bytes) -> int:
    """Return a descriptor from which ``data`` can be read, once, closed with ``opened``."""
    descriptor = os.memfd_create("roundhouse", os.MFD_CLOEXEC)
    opened.callback(os.close, descriptor)
    os.write(descriptor, data)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
