"""The interpreter and the SDK that a Python bot finds in its sandbox."""

from __future__ import annotations

import compileall
import fcntl
import hashlib
import importlib.metadata
import importlib.util
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Self

from referee.sandbox import guest
from referee.sandbox.driver import SandboxUnavailable
from referee.sandbox.interpreter import Interpreter
from referee.sandbox.owner import Owner
from referee.sandbox.staged import make_once

if TYPE_CHECKING:
    from collections.abc import Iterator

DISTRIBUTIONS = ("grpcio", "protobuf", "typing_extensions", "roundhouse-sdk")
"""What a bot may import beside the standard library: the SDK with what it needs at play."""
PACKAGE = "roundhouse"
SITE = f"lib/python3.{sys.version_info.minor}/site-packages"


@dataclass(frozen=True, slots=True)
class Runtime:
    """A staged virtual environment, ready to be bound at `guest.RUNTIME`.

    It stands below the state folder under the hash of its content, readable by every uid, and
    is made once: whoever is first builds it aside and renames it into place. It is copied, not
    bound from where it is installed, because bubblewrap resolves what it binds as the bot's own
    uid, which a clone or an interpreter in somebody's home folder shuts out.
    """

    folder: Path
    interpreter: Interpreter
    lock: int
    """A shared lock, held while we live, that keeps the folder from being pruned."""

    @classmethod
    def stage(cls, state: Path) -> Self:
        """Find the runtime for this environment or make it; raises `SandboxUnavailable`."""
        runtimes = state / "runtimes"
        try:
            interpreter = Interpreter.find(state)
            content = sorted(_content())
            name = _digest(interpreter, content)
            folder = runtimes / name
            runtimes.mkdir(mode=0o711, parents=True, exist_ok=True)
            lock = _lock(runtimes, name, fcntl.LOCK_SH)
            if not folder.is_dir():
                make_once(folder, lambda building: _fill(building, interpreter, content))
                _prune(runtimes)
        except OSError as error:
            raise SandboxUnavailable(
                f"cannot stage the bots' Python below {runtimes} ({error}); set"
                " ROUNDHOUSE_SANDBOX_STATE to a folder with room that this user may write to"
            ) from error
        return cls(folder, interpreter, lock)

    def close(self) -> None:
        """Let the folder be pruned, once something newer is staged."""
        os.close(self.lock)


def _content() -> Iterator[tuple[str, Path]]:
    """Yield every file with its path below the runtime."""
    # Beside what can be imported, so that no bot does by accident.
    yield guest.BOOT.removeprefix(f"{guest.RUNTIME}/"), Path(__file__).with_name("boot.py")
    for name in DISTRIBUTIONS:
        try:
            files = importlib.metadata.files(name)
        except importlib.metadata.PackageNotFoundError as error:
            raise SandboxUnavailable(
                f"{name} is not installed beside the referee; run `pip install {name}`"
            ) from error
        for file in files or ():
            if _is_wanted(file):
                yield f"{SITE}/{file}", Path(str(file.locate()))
    # An editable install lists no modules, only a path to the source.
    spec = importlib.util.find_spec(PACKAGE)
    for place in (spec and spec.submodule_search_locations) or ():
        for path in Path(place).rglob("*"):
            inside = PurePosixPath(PACKAGE, path.relative_to(place))
            if path.is_file() and _is_wanted(inside):
                yield f"{SITE}/{inside}", path


def _is_wanted(file: PurePosixPath) -> bool:
    """Leave out scripts (``../../bin``), byte code and the pointers of editable installs."""
    return ".." not in file.parts and "__pycache__" not in file.parts and file.suffix != ".pth"


def _digest(interpreter: Interpreter, content: list[tuple[str, Path]]) -> str:
    digest = hashlib.sha256(f"{sys.version}\0{interpreter.inside}\0".encode())
    for inside, path in content:
        with path.open("rb") as file:
            digest.update(inside.encode() + b"\0" + hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:24]


def _fill(building: Path, interpreter: Interpreter, content: list[tuple[str, Path]]) -> None:
    """Write a virtual environment as ``venv`` would, but with paths as the sandbox has them."""
    for inside, path in content:
        target = building / inside
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    # The bots cannot write byte code, so it is compiled here, and named after the path inside.
    compileall.compile_dir(
        building / SITE, quiet=2, stripdir=str(building), prependdir=guest.RUNTIME
    )
    (building / "pyvenv.cfg").write_text(
        f"home = {interpreter.inside}/bin\ninclude-system-site-packages = false\n"
        f"version = {sys.version.split()[0]}\n",
        encoding="utf-8",
    )
    programs = building / "bin"
    programs.mkdir()
    for name in ("python", "python3", f"python3.{sys.version_info.minor}"):
        (programs / name).symlink_to(interpreter.program)


def _lock(runtimes: Path, name: str, kind: int) -> int:
    """Lock a runtime's name; raises `BlockingIOError` if told not to wait and it is held."""
    while True:
        lock = os.open(runtimes / f"{name}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, mode=0o600)
        try:
            fcntl.flock(lock, kind)
        except OSError:
            os.close(lock)
            raise
        if os.fstat(lock).st_nlink > 0:
            return lock
        os.close(lock)  # pruned between our opening and locking it


def _prune(runtimes: Path) -> None:
    """Remove runtimes that no living referee uses, and half-built ones of dead referees."""
    for folder in runtimes.glob("rh-*"):
        owner = Owner.parse(folder.name)
        if owner is not None and owner.is_dead():
            shutil.rmtree(folder, ignore_errors=True)
    for file in runtimes.glob("*.lock"):
        try:
            lock = _lock(runtimes, file.stem, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            continue
        shutil.rmtree(file.with_suffix(""), ignore_errors=True)
        file.unlink()
        os.close(lock)
