"""The driver that isolates bots in containers of the OCI, without a daemon and without images."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

from referee.sandbox import command, guest
from referee.sandbox.bundle import HERALD, Ground, Place, write_bundle
from referee.sandbox.cgroup import Cgroup, sweep
from referee.sandbox.child import TAIL_BYTES, Child
from referee.sandbox.container import ContainerProcess
from referee.sandbox.custody import Custody
from referee.sandbox.driver import SandboxError, SandboxUnavailable
from referee.sandbox.engine import Engine
from referee.sandbox.herald import HeraldedTail
from referee.sandbox.hierarchy import Hierarchy, find_hierarchy
from referee.sandbox.inspection import inspect
from referee.sandbox.orphans import end_orphans, mark
from referee.sandbox.owner import Owner
from referee.sandbox.process import give
from referee.sandbox.profile import seccomp_profile
from referee.sandbox.program import find_program
from referee.sandbox.runtime import Runtime
from referee.sandbox.skeleton import Skeleton
from referee.sandbox.stage import sweep as sweep_folders
from referee.sandbox.state import prepare_state
from referee.sandbox.uids import UidPool

if TYPE_CHECKING:
    from referee.sandbox.policy import PolicyReport
    from referee.sandbox.settings import SandboxSettings
    from referee.sandbox.spec import Limits, SandboxSpec

V2_TOP = Path("/sys/fs/cgroup")
"""Where runtimes look for the v2 tree, whatever is mounted elsewhere."""
SETTING_UP = 32
"""Threads of `runc` that are in the bot's group while they make the container."""
GUEST_KERNEL = 128
"""Threads and processes of gVisor that are in the bot's group beside the bot's own."""


class OciDriver:
    """Hold each bot in a container of its own: gVisor's or the host kernel's.

    Unlike bubblewrap it needs root and control groups, and is refused where they are not.
    """

    name = "oci"

    def __init__(
        self, ground: Ground, state: Path, uids: UidPool, hierarchy: Hierarchy, sh: str
    ) -> None:
        self.ground = ground
        self.state = state
        self.hierarchy = hierarchy
        self._uids = uids
        self._sh = sh

    @classmethod
    def find(cls, settings: SandboxSettings) -> Self:
        """Find what this machine has; raises `SandboxUnavailable` where it is not enough."""
        engine = Engine.find(settings.runtime)
        if os.geteuid() != 0:
            raise SandboxUnavailable(
                "the driver oci needs root, to give bots uids and control groups of their own: run"
                " the referee as root, or unset ROUNDHOUSE_SANDBOX to use bubblewrap"
            )
        hierarchy = find_hierarchy(is_whole=engine.makes_groups)
        if hierarchy is None or (hierarchy.version == 2 and not _is_usual(hierarchy)):
            raise SandboxUnavailable(
                "the driver oci needs control groups that it may divide, below /sys/fs/cgroup, and"
                " there are none: make that writable, or unset ROUNDHOUSE_SANDBOX"
            )
        prepare_state(settings.state)
        (settings.state / "containers").mkdir(mode=0o700, exist_ok=True)
        runtime = Runtime.stage(settings.state)
        system = guest.System.look()
        ground = Ground(
            engine=engine,
            root=Skeleton.of(system, runtime.interpreter).stage(settings.state),
            runtime=runtime,
            system=system,
            setpriv=find_program("setpriv"),
            seccomp=seccomp_profile(os.uname().machine),
        )
        uids = UidPool(settings.state / "uids", settings.uid_first, settings.uid_count)
        return cls(ground, settings.state, uids, hierarchy, find_program("sh"))

    async def probe(self) -> PolicyReport:
        """Sweep what dead referees left, then hold something and see what it can do."""
        end_orphans()
        sweep(self.hierarchy)
        sweep_folders(self.state / "containers")
        return await inspect(self)

    async def start(self, spec: SandboxSpec) -> ContainerProcess:
        """Start a bot in a container."""
        engine = self.ground.engine
        name = Owner.this().stamp(secrets.token_hex(4))
        output = HeraldedTail(TAIL_BYTES, HERALD.encode())
        with contextlib.ExitStack() as undo:
            uid = self._uids.take()
            undo.callback(uid.release)
            cgroup = Cgroup(self.hierarchy, name, host_limits(spec.limits, engine))
            undo.callback(cgroup.discard)
            place = Place(
                uid.number, self.state / "containers" / name, group_path(self.hierarchy, name)
            )
            try:
                place.folder.mkdir(mode=0o700)
                undo.callback(shutil.rmtree, place.folder, ignore_errors=True)
                give(spec.socket, uid.number)
                write_bundle(spec, self.ground, place)
                chain = self._chain(place.folder, name, cgroup.doors)
                child = _spawn(chain, output)
            except OSError as error:
                raise SandboxError(f"{spec.name}: cannot start a container: {error}") from error
            undo.pop_all()
        custody = Custody(uid.number, is_filtered=self.ground.seccomp is not None)
        is_seen = not self.ground.engine.has_own_kernel
        return ContainerProcess(
            child, output, place.folder, cgroup, uid, custody if is_seen else None
        )

    def _chain(self, bundle: Path, name: str, doors: tuple[str, ...]) -> list[str]:
        join = [self._sh, "-c", command.JOIN, "sh", *doors, "--"]
        if self.ground.engine.makes_groups:
            join = []
        setpriv = [self.ground.setpriv, "--pdeathsig", "KILL", "--"]
        return [*join, *setpriv, *self.ground.engine.command(bundle, name)]


def group_path(hierarchy: Hierarchy, name: str) -> str:
    """Return a group of ours as a runtime must hear of it.

    On v1 each tree has a path of its own, and the runtime looks from our own groups just as we do;
    on v2 it would look elsewhere.
    """
    if hierarchy.version == 1 or hierarchy.unified is None:
        return name
    return f"/{hierarchy.unified.relative_to(V2_TOP) / name}"


def _is_usual(hierarchy: Hierarchy) -> bool:
    return all(base.is_relative_to(V2_TOP) for base in hierarchy.bases)


def _spawn(chain: list[str], output: HeraldedTail) -> Child:
    # gVisor gives its input away to the uid that it runs as, and would the host's /dev/null.
    empty = os.memfd_create("roundhouse", os.MFD_CLOEXEC)
    try:
        return Child(chain, environment=mark(), folder=Path("/"), tail=output, stdin=empty)
    finally:
        os.close(empty)


def host_limits(limits: Limits, engine: Engine) -> Limits:
    """Return the limits of the bot's group, whose processes are not the bot's alone.

    The bot itself is held to its processes by ``RLIMIT_NPROC``, which counts its own uid, or by
    its own kernel; and `runc` lowers the group's limit when it is done.
    """
    if engine.has_own_kernel:
        # 276 were counted for 40 processes of Python, each of which had copied its memory.
        return replace(limits, processes=8 * limits.processes + GUEST_KERNEL)
    return replace(limits, processes=max(limits.processes, SETTING_UP))
