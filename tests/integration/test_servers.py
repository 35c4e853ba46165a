"""The servers that tests run on are real, apart from one another, and gone afterwards."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
import redis
import sqlalchemy

from tests import servers

_PATIENCE_SECONDS = 30.0


def _names_of_tables(url: str) -> list[str]:
    engine = sqlalchemy.create_engine(url)
    try:
        return sqlalchemy.inspect(engine).get_table_names()
    finally:
        engine.dispose()


def _run_sql(url: str, statement: str) -> None:
    engine = sqlalchemy.create_engine(url)
    try:
        with engine.begin() as connection:
            connection.execute(sqlalchemy.text(statement))
    finally:
        engine.dispose()


def test_each_test_gets_an_empty_database(postgres_url: str, empty_postgres_url: str) -> None:
    _run_sql(empty_postgres_url, "CREATE TABLE games (id integer)")

    assert _names_of_tables(empty_postgres_url) == ["games"]
    assert _names_of_tables(postgres_url) == []


def test_redis_is_emptied_for_a_test(empty_redis_url: str) -> None:
    with redis.Redis.from_url(empty_redis_url) as client:
        assert client.dbsize() == 0
        assert client.info("server")["redis_version"]


def test_postgres_leaves_neither_process_nor_folder(postgres_url: str) -> None:
    programs = servers.find_postgres()
    assert programs is not None
    with servers.run_postgres(programs) as url:
        folder = Path(str(url.query["host"]))
        process_id = int((folder / "data" / "postmaster.pid").read_text().splitlines()[0])
        assert url.render_as_string() != postgres_url

    assert not folder.exists()
    assert not Path(f"/proc/{process_id}").exists()
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(host=str(folder), user="roundhouse")


def test_a_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    broken = tmp_path / "redis-server"
    broken.write_text("#!/bin/sh\necho 'no memory left'\n")
    broken.chmod(0o755)

    with pytest.raises(servers.ServerStartError, match="no memory left"), servers.run_redis(broken):
        pass


def test_a_server_dies_with_a_killed_test_run(redis_url: str) -> None:
    assert redis_url  # skips where there is no Redis
    script = (
        "import redis\n"
        "from tests import servers\n"
        "with servers.run_redis(servers.find_redis()) as url:\n"
        "    print(redis.Redis.from_url(url).info('server')['process_id'], flush=True)\n"
        "    input()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    ) as run:
        assert run.stdout is not None
        server = os.pidfd_open(int(run.stdout.readline()))
        try:
            run.send_signal(signal.SIGKILL)
            gone, _, _ = select.select([server], [], [], _PATIENCE_SECONDS)
        finally:
            os.close(server)

    assert gone, "the server outlived the test run that started it"


@pytest.mark.parametrize("name", ["empty_postgres_url", "empty_redis_url"])
def test_servers_are_not_reachable_from_other_machines(
    name: str, request: pytest.FixtureRequest
) -> None:
    url = sqlalchemy.make_url(request.getfixturevalue(name))

    assert url.host in {None, "127.0.0.1"}


def test_chromium_draws_a_page_without_a_screen(chromium: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p id=greeting></p><script>greeting.textContent = 6 * 7</script>")
    printed = subprocess.run(
        [
            chromium,
            "--headless",
            "--no-sandbox",  # root may not use Chromium's own sandbox
            "--disable-gpu",
            "--disable-background-networking",
            "--no-first-run",
            f"--user-data-dir={tmp_path / 'profile'}",
            "--dump-dom",
            page.as_uri(),
        ],
        check=True,
        capture_output=True,
        text=True,
        timeout=_PATIENCE_SECONDS * 4,
    ).stdout

    assert '<p id="greeting">42</p>' in printed
