"""Fixtures for all areas: the real servers and the browser that some tests drive.

A test that cannot have its program is skipped with the reason. In CI (`CI=true`) it fails instead,
since there `make test` can install everything, and a skip would hide that it did not.
"""

from __future__ import annotations

import itertools
import os
import signal
from typing import TYPE_CHECKING, NoReturn

import pytest
import redis
import sqlalchemy

from tests import servers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_MARKERS = {
    "postgres_url": pytest.mark.server,
    "redis_url": pytest.mark.server,
    "chromium": pytest.mark.browser,
}
_database_numbers = itertools.count(1)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--update-golden`, which writes the golden files anew instead of comparing with them."""
    parser.addoption(
        "--update-golden", action="store_true", help="write the golden files anew; review the diff"
    )


def pytest_configure() -> None:
    """Let Ctrl-C work, in the programs under test too: what a script starts with `&` ignores it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test by the servers it asks for, so that `-m "not server"` leaves them out."""
    for item in items:
        for fixture, marker in _MARKERS.items():
            if fixture in getattr(item, "fixturenames", ()):
                item.add_marker(marker)


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """Run a PostgreSQL server for the session; the database is shared by all who ask."""
    programs = servers.find_postgres()
    if programs is None:
        _do_without("no PostgreSQL server: install Debian's postgresql")
    with servers.run_postgres(programs) as url:
        yield url.render_as_string(hide_password=False)


@pytest.fixture
def empty_postgres_url(postgres_url: str) -> str:
    """Create an empty database for one test."""
    name = f"test_{next(_database_numbers)}"
    url = servers.create_database(sqlalchemy.make_url(postgres_url), name)
    return url.render_as_string(hide_password=False)


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """Run a Redis server for the session; its keys are shared by all who ask."""
    program = servers.find_redis()
    if program is None:
        _do_without("no Redis server: install Debian's redis-server")
    with servers.run_redis(program) as url:
        yield url


@pytest.fixture
def empty_redis_url(redis_url: str) -> str:
    """Empty the Redis server for one test."""
    with redis.Redis.from_url(redis_url) as client:
        client.flushall()
    return redis_url


@pytest.fixture(scope="session")
def chromium() -> Path:
    """Find the browser's program."""
    program = servers.find_chromium()
    if program is None:
        _do_without("no Chromium: install Debian's chromium")
    return program


def _do_without(reason: str) -> NoReturn:
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
