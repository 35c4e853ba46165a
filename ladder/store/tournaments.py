"""Tournaments: created once, read ever after. Their progress is kept where games are recorded."""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from ladder.domain.page import Page
from ladder.domain.tournament import Entrant, NewTournament, Tournament, TournamentStatus
from ladder.errors import InvalidError, NotFoundError
from ladder.models import BotRow, EntrantRow, TournamentRow, VersionRow
from ladder.store.bots import find_latest
from ladder.store.line import stand_in_line
from ladder.store.paging import clamp_limit, decode_number, encode_token
from roundhouse.timecontrol import Measure, TimeControl

_LISTING = "tournaments"


def create_tournament(
    session: Session, tournament_id: str, new: NewTournament, now: datetime
) -> Tournament:
    """Store a tournament; the latest versions of its bots are its entrants for good.

    Raises:
        NotFoundError: a bot does not exist.
        InvalidError: another tournament has this seed, and so games of the same identities.
    """
    stand_in_line(session)
    other = session.scalar(select(TournamentRow.id).where(TournamentRow.seed == new.seed))
    if other is not None:
        raise InvalidError(
            f"Tournament {other} has this seed already; choose another, or leave it to the ladder."
        )
    latest = find_latest(session, new.bots)
    missing = [name for name in new.bots if name not in latest]
    if missing:
        names = ", ".join(repr(name) for name in missing)
        raise NotFoundError(f"There is no bot {names}; submit it first.")
    control = new.time_control
    row = TournamentRow(
        id=tournament_id,
        name=new.name,
        edition=new.edition,
        variants=",".join(new.variants),
        table_size=new.table_size,
        deals=new.deals,
        bank=control.bank,
        increment=control.increment,
        margin=control.margin,
        decision_cap=control.decision_cap,
        start_up=control.start_up,
        measure=control.measure,
        seed=new.seed,
        is_rated=new.is_rated,
        status=TournamentStatus.CREATED,
        created_at=now,
    )
    session.add(row)
    session.flush()
    session.add_all(
        EntrantRow(
            tournament_number=row.number, position=position, version_number=latest[name].number
        )
        for position, name in enumerate(new.bots)
    )
    session.flush()
    return tournament_value(session, row)


def get_tournament(session: Session, tournament_id: str) -> Tournament:
    """Return a tournament.

    Raises:
        NotFoundError: there is none with that identity.
    """
    return tournament_value(session, find_row(session, tournament_id))


def list_tournaments(session: Session, *, limit: int = 0, token: str = "") -> Page[Tournament]:
    """List the tournaments, the newest first.

    Raises:
        InvalidError: the token is not one of this listing's.
    """
    limit = clamp_limit(limit)
    before = decode_number(_LISTING, token)
    query = select(TournamentRow).order_by(TournamentRow.number.desc()).limit(limit + 1)
    if before is not None:
        query = query.where(TournamentRow.number < before)
    rows = session.scalars(query).all()
    more = len(rows) > limit
    return Page(
        tournament_values(session, rows[:limit]),
        encode_token(_LISTING, str(rows[limit - 1].number)) if more else "",
    )


def find_row(session: Session, tournament_id: str, *, lock: bool = False) -> TournamentRow:
    """Return the row of a tournament, locked until the end of the transaction if wanted.

    Raises:
        NotFoundError: there is none with that identity.
    """
    query = select(TournamentRow).where(TournamentRow.id == tournament_id)
    row = session.scalars(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        raise NotFoundError(f"There is no tournament {tournament_id!r}.")
    return row


def tournament_value(session: Session, row: TournamentRow) -> Tournament:
    """Make the value of a row."""
    return tournament_values(session, [row])[0]


def named_variants(row: TournamentRow) -> tuple[str, ...]:
    """Return the variants that a tournament is played by."""
    return tuple(row.variants.split(",")) if row.variants else ()


def tournament_values(session: Session, rows: Sequence[TournamentRow]) -> tuple[Tournament, ...]:
    """Make the values of rows, with one query for all their entrants."""
    query = (
        select(EntrantRow.tournament_number, BotRow.name, VersionRow.hash)
        .join(VersionRow, VersionRow.number == EntrantRow.version_number)
        .join(BotRow, BotRow.number == VersionRow.bot_number)
        .where(EntrantRow.tournament_number.in_([row.number for row in rows]))
        .order_by(EntrantRow.tournament_number, EntrantRow.position)
    )
    entrants: defaultdict[int, list[Entrant]] = defaultdict(list)
    for number, bot, content_hash in session.execute(query):
        entrants[number].append(Entrant(bot, content_hash))
    return tuple(_value(row, tuple(entrants[row.number])) for row in rows)


def _value(row: TournamentRow, entrants: tuple[Entrant, ...]) -> Tournament:
    return Tournament(
        id=row.id,
        name=row.name,
        edition=row.edition,
        variants=named_variants(row),
        table_size=row.table_size,
        deals=row.deals,
        time_control=TimeControl(
            bank=row.bank,
            increment=row.increment,
            margin=row.margin,
            decision_cap=row.decision_cap,
            start_up=row.start_up,
            measure=Measure(row.measure),
        ),
        is_rated=row.is_rated,
        entrants=entrants,
        status=TournamentStatus(row.status),
        games=row.games,
        finished_games=row.finished_games,
        seed_commitment=hashlib.sha256(row.seed).digest(),
        created_at=row.created_at,
        finished_at=row.finished_at,
    )
