"""What an organiser asks for, checked and with every default filled in."""

import math
import secrets
from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime, timedelta

from ladder.domain.tournament import NewTournament
from ladder.errors import InvalidError
from roundhouse import rules
from roundhouse.timecontrol import TimeControl

DEFAULT_EDITION = "classic"
MAX_GAMES = 50_000
"""In one tournament: its plan is one message of 20 MB, and one transaction of some 6 seconds, for
which recorders wait on SQLite."""
MAX_NAME = 120
_MAX_TIME = timedelta(hours=1)
_ID_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"  # without l and o, which look like 1 and 0


def new_tournament_id() -> str:
    """Make a short identity that nobody has used: 8 letters and digits are 40 bits."""
    return "t-" + "".join(secrets.choice(_ID_ALPHABET) for _ in range(8))


def plan_tournament(  # noqa: PLR0913 - the parts of a request, all named
    *,
    name: str,
    bots: Sequence[str],
    edition: str,
    variants: Sequence[str],
    table_size: int,
    deals: int,
    time_control: TimeControl | None,
    seed: bytes,
    is_unrated: bool,
    now: datetime,
) -> NewTournament:
    """Check a request and fill in what it leaves open.

    A fresh seed is secret and random. One that was given is known to somebody, who could know the
    cards: such a tournament is never rated. Nor is one with variants: a pool of ratings is of one
    game, which variants change; `solo` has no opponents, and in `teams` a seat is placed by what
    its partner does.

    Raises:
        InvalidError: something cannot be played; the sentence says what.
        RulesError: there is no such edition or variant, they contradict each other, or they are
            not for so many seats.
    """
    ruleset = rules.edition(edition or DEFAULT_EDITION, variants)
    ruleset.require_supported()
    ruleset.require_seats(table_size)
    _check_bots(bots, table_size)
    _check_size(len(bots), table_size, deals)
    if len(name) > MAX_NAME or not name.isprintable():
        raise InvalidError(f"A tournament's name is one line of at most {MAX_NAME} characters.")
    if seed and len(seed) != 32:
        raise InvalidError(f"The seed has {len(seed)} bytes; it needs 32, or none at all.")
    control = time_control or TimeControl()
    for field in fields(control):
        part = getattr(control, field.name)
        if isinstance(part, timedelta) and part > _MAX_TIME:
            raise InvalidError(f"The {field.name} of a time control is an hour at most.")
    return NewTournament(
        name=name.strip() or f"Round-robin of {now:%d %B %Y, %H:%M} UTC",
        bots=tuple(bots),
        edition=ruleset.edition,
        variants=ruleset.variants,
        table_size=table_size,
        deals=deals,
        time_control=control,
        seed=seed or secrets.token_bytes(32),
        is_rated=not (is_unrated or seed or ruleset.variants),
    )


def _check_bots(bots: Sequence[str], table_size: int) -> None:
    repeated = sorted({bot for bot in bots if bots.count(bot) > 1})
    if repeated:
        raise InvalidError(f"The bot {repeated[0]!r} is named twice; a bot enters once.")
    if len(bots) < table_size:
        raise InvalidError(
            f"A table of {table_size} needs at least {table_size} bots, not {len(bots)}."
        )


def _check_size(bots: int, table_size: int, deals: int) -> None:
    if deals < 1:
        raise InvalidError("A pairing has at least 1 deal.")
    games = math.comb(bots, table_size) * deals * table_size
    if games > MAX_GAMES:
        raise InvalidError(
            f"{bots} bots at tables of {table_size} with {deals} deals are {games} games; a "
            f"tournament has {MAX_GAMES} at most."
        )
