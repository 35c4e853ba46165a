"""The tickets of a user's own box, from a CSV file."""

import csv
from pathlib import Path

from roundhouse.rules.board import Board, Ticket
from roundhouse.rules.errors import ErrorCode, RulesError

_COLUMNS = ("city_a", "city_b", "value")
_MOST_BYTES = 1_000_000


def load_tickets_csv(path: Path | str, board: Board) -> tuple[Ticket, ...]:
    """Read tickets from a CSV file with the columns `city_a`, `city_b` and `value`.

    Tickets are numbered from 1 in the order of the file; other columns are left aside. Hand them to
    `RuleSet.with_tickets`. Raise `RulesError` (UNREADABLE) that names file and line when the file
    is not such a table, or a ticket names a city that the board does not have or stands twice.
    """
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            text = file.read(_MOST_BYTES)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise RulesError(
            ErrorCode.UNREADABLE, f"The tickets {path} cannot be read: {reason}."
        ) from error
    rows = csv.DictReader(text.splitlines(), skipinitialspace=True)
    missing = [name for name in _COLUMNS if name not in (rows.fieldnames or ())]
    if missing:
        raise RulesError(
            ErrorCode.UNREADABLE,
            f"The tickets {path} have no column {missing[0]}; the first line names the columns "
            f"{', '.join(_COLUMNS)}.",
        )
    tickets: list[Ticket] = []
    pairs: set[frozenset[str]] = set()
    for row in rows:
        ticket = _read_row(row, len(tickets) + 1, board, f"{path}, line {rows.line_num}")
        pair = frozenset((ticket.city_a, ticket.city_b))
        if pair in pairs:
            raise RulesError(
                ErrorCode.UNREADABLE, f"{path}, line {rows.line_num}: {ticket} stands there twice."
            )
        pairs.add(pair)
        tickets.append(ticket)
    return tuple(tickets)


def _read_row(row: dict[str, str | None], number: int, board: Board, where: str) -> Ticket:
    city_a, city_b, value = ((row[name] or "").strip() for name in _COLUMNS)
    for name in (city_a, city_b):
        if not board.has_city(name):
            raise RulesError(
                ErrorCode.UNREADABLE, f"{where}: the board {board.name} has no city {name!r}."
            )
    if city_a == city_b or not (value.isascii() and value.isdigit() and 0 < int(value) < 1000):
        raise RulesError(
            ErrorCode.UNREADABLE,
            f"{where}: a ticket has two cities and a value of 1 to 999, not {city_a!r}, {city_b!r} "
            f"and {value!r}.",
        )
    return Ticket(number, city_a, city_b, int(value))
