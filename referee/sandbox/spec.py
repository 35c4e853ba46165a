"""What a sandbox is asked for, and what it says when the bot has ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

KIB = 1024
MIB = 1024 * KIB


@dataclass(frozen=True, slots=True)
class Limits:
    """Bound what one bot may use of the machine.

    The defaults let a Python bot with the SDK run at ease (16 MiB idle) and leave a search bot
    room for a tree, while twenty bots of the greediest kind still fit into a small machine.
    """

    memory_bytes: int = 512 * MIB
    """Memory of all processes together, the files in its tmpfs included."""
    processes: int = 64
    """Processes and threads together; a Python bot with grpcio has about a dozen."""
    cpu_cores: float = 1.0
    """Share of the machine, in cores, over any tenth of a second."""
    cpu_seconds: int = 4 * 3600
    """Processor time of any one process; a backstop far above what the clock allows."""
    tmp_bytes: int = 64 * MIB
    """Size of /tmp, and of /dev/shm as well."""
    open_files: int = 256
    """File descriptors of one process."""

    def __post_init__(self) -> None:
        """Refuse a limit that would mean "no limit" to one of the kernel's interfaces."""
        for name in ("memory_bytes", "processes", "cpu_cores", "cpu_seconds", "tmp_bytes"):
            if getattr(self, name) <= 0:
                raise ValueError(f"the limit {name} must be positive, not {getattr(self, name)}")
        if self.open_files < 16:
            raise ValueError(f"the limit open_files must be 16 or more, not {self.open_files}")

    def describe(self) -> str:
        """Write the limits as one line of ``name=value``, as they stand in a game log."""
        return (
            f"memory_bytes={self.memory_bytes} processes={self.processes}"
            f" cpu_cores={self.cpu_cores:g} cpu_seconds={self.cpu_seconds}"
            f" tmp_bytes={self.tmp_bytes} open_files={self.open_files}"
        )


@dataclass(frozen=True, slots=True)
class SandboxSpec:
    """Describe one bot process: what to run, where, and with how much.

    ``folder`` and ``socket`` must lie where the bot's uid can reach them; `Stage` makes such
    places. The driver tells the bot the socket's path itself, in ``ROUNDHOUSE_SOCKET``, because
    the path inside a sandbox is not the path outside; ``environment`` holds everything else
    (``ROUNDHOUSE_TOKEN`` and the like) and is all that the bot gets beside a fixed base.
    """

    name: str
    """What the bot is called in our own messages; it never reaches the sandbox."""
    command: tuple[str, ...]
    """The manifest's entry command; it runs in the bot's folder."""
    folder: Path
    """The unpacked files of the bot, which it sees read-only."""
    socket: Path
    """The Unix socket on which the referee already listens."""
    environment: Mapping[str, str] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    core: int | None = None
    """The one core on which all of it runs, and which it cannot leave; None for any."""
    is_ahead: bool = False
    """Whether the bot is not known yet: its folder is still empty, and ``socket`` is a folder, into
    which the socket will be put as `guest.SOCKET_NAME`. See `Slot`."""

    def __post_init__(self) -> None:
        """Refuse what could not be run or would be read as an option."""
        if not self.command or not self.command[0]:
            raise ValueError(f"{self.name}: the entry command is empty")
        for text in (*self.command, *self.environment, *self.environment.values()):
            if "\0" in text:
                raise ValueError(f"{self.name}: a NUL byte in the command or the environment")
        for key in self.environment:
            if not key.startswith("ROUNDHOUSE_"):
                raise ValueError(f"{self.name}: {key} is not a ROUNDHOUSE_ variable")


@dataclass(frozen=True, slots=True)
class Exit:
    """Say how a bot's process ended.

    Exactly one of ``code`` and ``signal`` is set. ``oom`` is the memory controller's own word,
    since a process that the kernel killed for memory looks like any other SIGKILL.
    ``is_ours`` means that the sandbox failed before the bot's first instruction: an abort, never
    a forfeit. ``is_killed`` means that we ended it with `BotProcess.kill`.
    """

    code: int | None
    signal: int | None
    oom: bool = False
    is_ours: bool = False
    is_killed: bool = False

    def describe(self) -> str:
        """Say in a few words how the process ended, for evidence and messages."""
        if self.is_ours:
            return "the sandbox could not be set up"
        if self.oom:
            return "killed by the kernel at its memory limit"
        if self.signal is not None:
            return f"killed by signal {self.signal}"
        return f"exit code {self.code}"


@dataclass(frozen=True, slots=True)
class Usage:
    """Say what a bot has used so far; None where this machine cannot tell."""

    cpu_seconds: float | None = None
    memory_peak_bytes: int | None = None
    memory_kills: int | None = None
    """How often the kernel ended a process at the memory limit."""
    refused_processes: int | None = None
    """How often no further process or thread was allowed."""
    withheld_seconds: float | None = None
    """How long the bot's own share held it back, on all processors together."""
    stalled_seconds: float | None = None
    """How long all of it that wanted to run waited for a processor."""
