"""`docker-compose.yml` and the image files fit each other and the services' settings."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from ladder.settings import Settings as LadderSettings
from referee.settings import RefereeSettings
from roundhouse import statefolder
from worker.settings import WorkerSettings

ROOT = Path(__file__).parents[2]
SERVICES = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
OURS = ("migrate", "ladder", "referee", "worker")
BUILT = [name for name in SERVICES if "build" in SERVICES[name]]


def _without_variables(text: str) -> str:
    """Put in the defaults that Compose would: `${NAME:-default}`."""
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", text)


def _image_file(service: str) -> Path:
    build = SERVICES[service]["build"]
    return Path(ROOT, build["context"], build["dockerfile"])


def _environment(service: str) -> dict[str, str]:
    """Collect what the service will find: the image's variables, then those of Compose."""
    image = dict(re.findall(r"(ROUNDHOUSE_\w+)=(\S+)", _image_file(service).read_text()))
    compose = SERVICES[service].get("environment", {})
    return image | {name: _without_variables(value) for name, value in compose.items()}


def test_every_part_of_the_distributed_set_up_is_there() -> None:
    assert set(SERVICES) == {"postgres", "redis", *OURS}
    assert [*OURS] == BUILT


@pytest.mark.parametrize("service", OURS)
def test_an_image_file_copies_only_what_the_build_context_has(service: str) -> None:
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    sources = re.findall(r"^COPY (?!--from)(\S+) ", _image_file(service).read_text(), re.MULTILINE)

    assert sources
    for source in sources:
        assert (ROOT / source).exists()
        assert source == "." or f"!{source}" in ignored


@pytest.mark.parametrize("service", OURS)
def test_every_variable_is_one_that_the_service_reads(service: str) -> None:
    package = _image_file(service).parent
    known = set()
    # Which folder is the state folder is said in one place for all of them.
    for source in (*package.rglob("*.py"), Path(statefolder.__file__)):
        known |= set(re.findall(r"ROUNDHOUSE_[A-Z_]+", source.read_text()))

    assert set(_environment(service)) <= known


def test_the_settings_reach_across_the_services() -> None:
    ladder = LadderSettings.from_environment(_environment("ladder"))
    referee = RefereeSettings.from_environment(_environment("referee"))
    worker = WorkerSettings.from_environment(_environment("worker"))

    assert ladder.database_url.host == "postgres"
    assert (
        ladder.database_url == LadderSettings.from_environment(_environment("migrate")).database_url
    )
    assert worker.broker_url.startswith("redis://redis:")
    assert worker.ladder_target == f"ladder:{ladder.listen[0].port}"
    assert worker.referee_targets == ladder.referee_targets
    assert worker.referee_targets == (f"referee:{referee.listen[0].port}",)
    assert worker.service_token == ladder.service_token == referee.service_token


def test_the_database_has_the_user_whom_the_ladder_names() -> None:
    url = LadderSettings.from_environment(_environment("ladder")).database_url
    postgres = SERVICES["postgres"]["environment"]

    assert url.username == postgres["POSTGRES_USER"]
    assert url.password == _without_variables(postgres["POSTGRES_PASSWORD"])
    assert url.database == postgres["POSTGRES_DB"]


def test_only_loopback_is_published() -> None:
    published = [port for service in SERVICES.values() for port in service.get("ports", [])]

    assert published
    assert all(port.startswith("127.0.0.1:") for port in published)


@pytest.mark.parametrize("service", SERVICES)
def test_nobody_starts_before_what_it_needs_is_healthy(service: str) -> None:
    for needed, how in SERVICES[service].get("depends_on", {}).items():
        if how["condition"] == "service_healthy":
            assert "healthcheck" in SERVICES[needed]
        else:
            assert how["condition"] == "service_completed_successfully"
            assert SERVICES[needed]["restart"] == "no"


def test_compose_accepts_the_file() -> None:
    if not _has_compose():
        pytest.skip("no `docker compose` on this machine")
    checked = subprocess.run(
        ["docker", "compose", "config", "--quiet"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/")},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (checked.returncode, checked.stderr) == (0, "")


def _has_compose() -> bool:
    docker = shutil.which("docker")
    return docker is not None and (
        subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode
        == 0
    )
