"""What an import costs: the rules need nothing, and `import roundhouse` is cheap."""

import subprocess
import sys

import pytest

import roundhouse

PROGRAM = "import sys; {}; print(*sorted(name.partition('.')[0] for name in sys.modules))"


def loaded(statement: str) -> set[str]:
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(statement)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return set(ended.stdout.split())


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import roundhouse", {"grpc", "google", "csv", "asyncio"}),
        ("import roundhouse.rules", {"grpc", "google", "asyncio"}),
        ("from roundhouse import Bot", {"grpc", "google", "asyncio"}),
        ("import roundhouse.statistics", {"grpc", "google", "numpy"}),
        ("import roundhouse.package", {"grpc", "google"}),
        ("import roundhouse.replay", {"grpc"}),
        ("import roundhouse.arena", {"grpc"}),
        ("from roundhouse import serve", {"click", "rich"}),
    ],
)
def test_an_import_loads_no_more_than_it_needs(statement: str, absent: set[str]) -> None:
    assert not loaded(statement) & absent


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'roundhouse' has no attribute 'Bott'"):
        roundhouse.Bott  # type: ignore[attr-defined] # noqa: B018 - the lookup is the test
