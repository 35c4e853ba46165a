"""R-18 to R-21: tickets, the longest path, ranks. `test_trail` shows that the path is exact."""

from __future__ import annotations

import pytest

from roundhouse.rules import Standing, longest_path
from roundhouse.rules.scoring import score
from roundhouse.rules.standing import SeatResult
from tests.rules.games import CLASSIC, final_state

USA = CLASSIC.board


def ids(*names: str) -> tuple[int, ...]:
    """Return route ids by name."""
    return tuple(USA.route_named(name).id for name in names)


def result(
    *names: str, tickets: tuple[int, ...] = (), points: int = 0, forfeit: int = 0
) -> SeatResult:
    """Write what one seat ends with."""
    return SeatResult(ids(*names), tickets, points, 0, forfeit)


def scored(*results: SeatResult) -> tuple[Standing, ...]:
    """Score seats in classic."""
    return score(CLASSIC, results)


DENVER_EL_PASO = 7  # 4 points
DALLAS_NEW_YORK = 6  # 11 points


@pytest.mark.parametrize(
    ("names", "complete"),
    [
        ((), False),
        (("Denver-Santa Fe",), False),
        (("Denver-Santa Fe", "El Paso-Santa Fe"), True),
        (("El Paso-Santa Fe", "Atlanta-Nashville", "Denver-Santa Fe"), True),
        (("Atlanta-Miami", "Denver-Phoenix", "El Paso-Phoenix"), True),
        (("Denver-Santa Fe", "El Paso-Phoenix"), False),
    ],
)
def test_r18_a_ticket_counts_for_or_against(names: tuple[str, ...], *, complete: bool) -> None:
    standing = scored(result(*names, tickets=(DENVER_EL_PASO,)))[0]
    assert standing.ticket_points == (4 if complete else -4)
    assert (standing.tickets_completed, standing.tickets_failed) == (complete, not complete)


def test_r18_another_seats_routes_do_not_help() -> None:
    one = result("Denver-Santa Fe", tickets=(DENVER_EL_PASO,))
    other = result("El Paso-Santa Fe")
    assert scored(one, other)[0].ticket_points == -4


def test_r19_the_longest_path_passes_a_city_twice() -> None:
    names = ("Denver-Santa Fe", "El Paso-Santa Fe", "El Paso-Phoenix", "Phoenix-Santa Fe")
    assert longest_path(USA, ids(*names)) == 10


@pytest.mark.parametrize(
    ("names", "length"),
    [
        ((), 0),
        (("Atlanta-Nashville",), 1),
        (("Denver-Santa Fe", "Atlanta-Miami"), 5),
        (("Denver-Helena", "Denver-Omaha", "Denver-Phoenix"), 9),
    ],
)
def test_r19_small_networks(names: tuple[str, ...], length: int) -> None:
    assert longest_path(USA, ids(*names)) == length


def test_r19_every_seat_tied_for_the_longest_has_the_bonus() -> None:
    standings = scored(result("Denver-Helena"), result("Denver-Omaha"), result("Denver-Santa Fe"))
    assert [s.longest_bonus for s in standings] == [10, 10, 0]
    assert [s.total for s in standings] == [10, 10, 0]


def test_r19_nobody_has_the_bonus_when_nobody_owns_a_route() -> None:
    assert [s.longest_bonus for s in scored(result(), result())] == [0, 0]


@pytest.mark.parametrize(
    ("results", "placements"),
    [
        # the total decides
        ((result(points=9), result(points=5), result(points=7)), [1, 3, 2]),
        # equal totals: tickets completed (10 + 4 against 14)
        (
            (
                result("Denver-Santa Fe", "El Paso-Santa Fe", tickets=(7,), points=10),
                result("Denver-Santa Fe", "El Paso-Santa Fe", points=14),
            ),
            [1, 2],
        ),
        # then the longest-path bonus
        ((result("Denver-Helena", points=4), result("Atlanta-Nashville", points=14)), [1, 2]),
        # then the victory is shared, and the next placement is skipped
        ((result(points=8), result(points=8), result(points=2)), [1, 1, 3]),
        ((result(points=2), result(points=8), result(points=8), result(points=1)), [3, 1, 1, 4]),
        # scores may be negative
        ((result(tickets=(7,)), result(tickets=(6,)), result()), [2, 3, 1]),
        # a seat that forfeited is below everybody, whatever its score
        ((result(points=99, forfeit=1), result(tickets=(6,))), [2, 1]),
        ((result(points=99, forfeit=2), result(points=3, forfeit=1), result()), [2, 3, 1]),
        ((result(points=99, forfeit=1), result(points=3, forfeit=1), result()), [2, 2, 1]),
    ],
)
def test_r20_r21_placements(results: tuple[SeatResult, ...], placements: list[int]) -> None:
    assert [standing.placement for standing in scored(*results)] == placements


def test_r24_a_seat_that_forfeited_takes_no_part_in_the_bonus() -> None:
    standings = scored(result("Denver-Phoenix", forfeit=1), result("Denver-Helena"), result())
    assert [s.longest_bonus for s in standings] == [0, 10, 0]


@pytest.mark.parametrize("seats", [2, 5])
def test_the_parts_add_up_to_the_total(seats: int) -> None:
    standings = final_state(CLASSIC, seats, 3).standings()
    for standing in standings:
        parts = standing.route_points + standing.ticket_points + standing.longest_bonus
        assert standing.total == parts
        assert standing.tickets_completed + standing.tickets_failed == len(standing.tickets)
