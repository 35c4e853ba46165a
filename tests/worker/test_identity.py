"""The derivation of names and seeds, against vectors made by the formula of `docs/worker.md`."""

import base64
import hashlib
import hmac
from pathlib import Path

import pytest

from tests.worker.tournaments import SEED, tournament
from worker import identity
from worker.planning import plan

DOCS = Path(__file__).parents[2] / "docs" / "worker.md"
GOLDEN = Path(__file__).parent / "golden" / "plan.txt"

DEALS = [
    (0, 0, "ab5ae8b42a229124b9687c69419b080fb94d4c1be600c2bb5291e38744563385"),
    (0, 1, "06038c07ef166ddf30c285bb56d4837e64a2fab55bf3f091642a0240a9d20eb4"),
    (2, 1, "6967cba39d506a018d80edabbd14480afd1307e6cf31ee852a86bb89887c0331"),
]
GAMES = [
    (0, 0, 0, "gqs5zqowa3pymfcd"),
    (0, 0, 1, "ovbm2267nv4pvdmk"),
    (2, 1, 1, "x53zywk7xwa4q4qb"),
]


@pytest.mark.parametrize(("pairing", "deal", "expected"), DEALS)
def test_deal_seeds_meet_the_published_vectors(pairing: int, deal: int, expected: str) -> None:
    assert identity.deal_seed(SEED, pairing, deal).hex() == expected


@pytest.mark.parametrize(("pairing", "deal", "rotation", "expected"), GAMES)
def test_game_ids_meet_the_published_vectors(
    pairing: int, deal: int, rotation: int, expected: str
) -> None:
    assert identity.game_id(SEED, pairing, deal, rotation) == expected


def test_the_vectors_are_published() -> None:
    published = DOCS.read_text(encoding="utf-8")
    for *_, expected in [*DEALS, *GAMES]:
        assert f"`{expected}`" in published


def test_the_formula_is_plain_hmac() -> None:
    message = b"roundhouse game" + bytes([0, 0, 0, 7, 0, 0, 1, 2, 0, 0, 0, 3])
    digest = hmac.new(SEED, message, hashlib.sha256).digest()
    expected = base64.b32encode(digest[:10]).decode().lower()
    assert identity.game_id(SEED, 7, 258, 3) == expected


def test_a_drawn_table_has_the_same_bots() -> None:
    table = ("a", "b", "c", "d", "e")
    drawn = {identity.seat_table(SEED, pairing, table) for pairing in range(200)}
    assert {tuple(sorted(order)) for order in drawn} == {table}
    assert len(drawn) > 60  # of 120 orders


@pytest.mark.parametrize(
    ("pairing", "rotation", "chunk", "expected"),
    [(3, 1, 0, "t-ab12cd-p003-r1-c0"), (1234, 0, 17, "t-ab12cd-p1234-r0-c17")],
)
def test_chunk_ids_name_their_place(pairing: int, rotation: int, chunk: int, expected: str) -> None:
    assert identity.chunk_id("t-ab12cd", pairing, rotation, chunk) == expected


def test_a_whole_plan_is_what_it_was(request: pytest.FixtureRequest) -> None:
    """A change here breaks tournaments that are being played: their plan is made only once, but a
    second worker may be making it at the moment of an upgrade."""
    lines = "".join(
        f"{game.game_id} {game.chunk_id} {game.pairing} {game.deal} {game.rotation} "
        f"{game.seed.hex()} {','.join(version[-2:] for version in game.versions)}\n"
        for game in plan(tournament(versions=4, table_size=3, deals=4))
    )
    if request.config.getoption("--update-golden"):
        GOLDEN.write_text(lines, encoding="utf-8")
    assert lines == GOLDEN.read_text(encoding="utf-8")
