from pathlib import Path

from ladder.embedded.parts import Layout, followed_settings, ignored_settings
from roundhouse.address import Address

OURS = {
    "HOME": "/home/ada",
    "ROUNDHOUSE_DATABASE_URL": "postgresql://elsewhere/ladder",
    "ROUNDHOUSE_SERVICE_TOKEN": "somebody else's",
    "ROUNDHOUSE_SANDBOX_UID_FIRST": "70000",
    "ROUNDHOUSE_WORKER_LANES": "1",
}


def layout(*, is_trusted: bool = False) -> Layout:
    web, grpc = Address("127.0.0.1:8080"), Address("127.0.0.1:7431")
    return Layout(Path("/state"), grpc, web, is_trusted=is_trusted)


def test_what_says_where_something_is_has_no_effect_here() -> None:
    assert ignored_settings(OURS) == ["ROUNDHOUSE_DATABASE_URL", "ROUNDHOUSE_SERVICE_TOKEN"]
    assert set(followed_settings(OURS)) == set(OURS) - set(ignored_settings(OURS))


def test_the_parts_are_told_of_each_other_and_of_nothing_else() -> None:
    value = layout()
    environment = value.environment(OURS)
    assert "ROUNDHOUSE_DATABASE_URL" not in environment
    assert environment["HOME"] == "/home/ada"
    assert environment["ROUNDHOUSE_WORKER_LANES"] == "1"
    assert environment["ROUNDHOUSE_REFEREE_TARGETS"] == environment["ROUNDHOUSE_REFEREE_LISTEN"]
    assert environment["ROUNDHOUSE_SERVICE_TOKEN"] == value.token != layout().token
    assert value.token not in repr(value)


def test_a_lease_is_short_unless_somebody_says_otherwise() -> None:
    name = "ROUNDHOUSE_WORKER_LEASE_SECONDS"
    assert layout().environment({})[name] == "10"
    assert layout().environment({name: "45"})[name] == "45"


def test_only_the_referee_is_told_to_trust_bots() -> None:
    trusting = [
        part.name for part in layout(is_trusted=True).parts() if "--trusted" in part.command
    ]
    assert trusting == ["referee"]
    assert not any("--trusted" in part.command for part in layout().parts())
