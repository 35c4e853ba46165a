"""Tournaments to plan, as fixed values and as a strategy."""

from datetime import timedelta

from hypothesis import strategies as st

from worker.planning import Tournament

SEED = bytes(range(32))
HASHES = tuple(f"{number:064x}" for number in range(8))


def tournament(
    versions: int = 4, table_size: int = 2, deals: int = 3, bank: float = 60, increment: float = 0.5
) -> Tournament:
    return Tournament(
        id="t-ab12cd",
        seed=SEED,
        table_size=table_size,
        deals=deals,
        versions=HASHES[:versions],
        bank=timedelta(seconds=bank),
        increment=timedelta(seconds=increment),
    )


@st.composite
def tournaments(draw: st.DrawFn) -> Tournament:
    table_size = draw(st.integers(2, 5))
    count = draw(st.integers(table_size, 7))
    return Tournament(
        id=f"t-{draw(st.integers(0, 2**24 - 1)):06x}",
        seed=draw(st.binary(min_size=32, max_size=32)),
        table_size=table_size,
        deals=draw(st.integers(1, 9)),
        versions=tuple(draw(st.permutations(HASHES[:count]))),
        bank=timedelta(seconds=draw(st.integers(0, 600))),
        increment=timedelta(milliseconds=draw(st.integers(0, 5000))),
    )
