"""The tickets of a user's own box: read from a CSV file, checked, and part of the digest."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from roundhouse.rules import (
    ErrorCode,
    RulesError,
    Ticket,
    edition,
    load_board,
    load_tickets_csv,
    start_game,
)
from tests.rules.games import CLASSIC, seed_of
from tests.rules.laws import check_laws

if TYPE_CHECKING:
    from pathlib import Path

USA = load_board("usa")
REFRESH = edition("refresh-2025")
OWN = REFRESH.with_tickets([replace(t, value=t.value + 1) for t in REFRESH.tickets])


def written(folder: Path, text: str) -> Path:
    """Write a file of tickets."""
    path = folder / "box.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_tickets_are_numbered_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = "value,city_b,note,city_a\n12,Miami,old,Boston\n 7 , Atlanta,, Chicago\n"
    assert load_tickets_csv(written(tmp_path, text), USA) == (
        Ticket(1, "Boston", "Miami", 12),
        Ticket(2, "Chicago", "Atlanta", 7),
    )


def test_the_file_of_an_edition_is_such_a_file(tmp_path: Path) -> None:
    lines = [f"{t.city_a},{t.city_b},{t.value}" for t in CLASSIC.tickets]
    text = "\ufeff" + "\r\n".join(["city_a,city_b,value", *lines])  # as a spreadsheet saves it
    assert load_tickets_csv(written(tmp_path, text), USA) == CLASSIC.tickets


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "have no column city_a"),
        ("city_a,city_b\n", "have no column value"),
        ("city_a,city_b,value\nBoston,Paris,3\n", "line 2: the board usa has no city 'Paris'"),
        ("city_a,city_b,value\nBoston,Miami\n", "a value of 1 to 999, not 'Boston', 'Miami'"),
        ("city_a,city_b,value\nBoston,Miami,0\n", "a value of 1 to 999"),
        ("city_a,city_b,value\nBoston,Miami,ten\n", "and 'ten'"),
        ("city_a,city_b,value\nBoston,Miami,1000\n", "a value of 1 to 999"),
        ("city_a,city_b,value\nBoston,Boston,3\n", "a ticket has two cities"),
        ("city_a,city_b,value\nBoston,Miami,3\nMiami,Boston,4\n", "line 3: Miami to Boston (4)"),
    ],
)
def test_a_file_that_is_no_such_table_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(RulesError) as caught:
        load_tickets_csv(written(tmp_path, text), USA)
    assert caught.value.code is ErrorCode.UNREADABLE
    assert sentence in str(caught.value)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="cannot be read: No such file"):
        load_tickets_csv(tmp_path / "none.csv", USA)
    (tmp_path / "bytes.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RulesError, match="it is not UTF-8 text"):
        load_tickets_csv(tmp_path / "bytes.csv", USA)


@pytest.mark.parametrize(
    ("tickets", "sentence"),
    [
        (
            REFRESH.tickets[:19],
            "19 tickets are too few: the opening offers of",
        ),
        ((*REFRESH.tickets, REFRESH.tickets[0]), "the same number"),
        ((*REFRESH.tickets, Ticket(99, "Boston", "Rome", 3)), "does not name two cities"),
        ((*REFRESH.tickets, Ticket(99, "Boston", "Boston", 3)), "does not name two cities"),
        ((*REFRESH.tickets, Ticket(0, "Boston", "Miami", 3)), "with a number and a value of 1"),
        ((*REFRESH.tickets, Ticket(99, "Boston", "Miami", 0)), "with a number and a value of 1"),
    ],
)
def test_tickets_that_do_not_fit_are_refused(tickets: tuple[Ticket, ...], sentence: str) -> None:
    with pytest.raises(RulesError) as caught:
        REFRESH.with_tickets(tickets)
    assert caught.value.code is ErrorCode.BAD_SET_UP
    assert sentence in str(caught.value)


def test_own_tickets_take_the_notice_away_and_are_told_apart_in_the_digest() -> None:
    assert (OWN.has_own_tickets, OWN.notice, OWN.edition) == (True, "", "refresh-2025")
    assert OWN.identity.startswith("refresh-2025+tickets:")
    ours, theirs = (start_game(rules, 2, seed_of(1))[0] for rules in (OWN, REFRESH))
    assert ours.ticket_deck == theirs.ticket_deck
    assert ours.digest() != theirs.digest()


def test_every_law_holds_with_own_tickets() -> None:
    check_laws(OWN, 3, 5, "ticketeer", share=0.3)
