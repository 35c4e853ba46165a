"""Bots and their versions."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import ColumnElement, Select, and_, select
from sqlalchemy.orm import Session

from ladder.domain.bot import Bot, BotVersion
from ladder.domain.page import Page
from ladder.errors import InvalidError, NotFoundError
from ladder.models import ArchiveRow, BotRow, VersionRow
from ladder.store.line import stand_in_line
from ladder.store.paging import clamp_limit, decode_token, encode_token
from roundhouse.package import Package

_LISTING = "bots"


def get_bot(session: Session, name: str) -> Bot:
    """Return a bot.

    Raises:
        NotFoundError: there is none of that name.
    """
    row = session.execute(_bots().where(BotRow.name == name)).one_or_none()
    if row is None:
        raise NotFoundError(f"There is no bot {name!r}.")
    return _bot(*row)


def bot_number(session: Session, name: str) -> int:
    """Return the key of a bot.

    Raises:
        NotFoundError: there is none of that name.
    """
    number = session.scalar(select(BotRow.number).where(BotRow.name == name))
    if number is None:
        raise NotFoundError(f"There is no bot {name!r}.")
    return number


def list_bots(session: Session, *, limit: int = 0, token: str = "") -> Page[Bot]:
    """List the bots by name.

    Raises:
        InvalidError: the token is not one of this listing's.
    """
    limit = clamp_limit(limit)
    after = decode_token(_LISTING, token)
    query = _bots().where(BotRow.name > after).order_by(BotRow.name).limit(limit + 1)
    bots = tuple(_bot(*row) for row in session.execute(query))
    more = len(bots) > limit
    return Page(bots[:limit], encode_token(_LISTING, bots[limit - 1].name) if more else "")


def list_versions(session: Session, name: str) -> tuple[BotVersion, ...]:
    """List a bot's versions, the newest first.

    Raises:
        NotFoundError: there is no bot of that name.
    """
    query = (
        select(VersionRow)
        .join(BotRow, BotRow.number == VersionRow.bot_number)
        .where(BotRow.name == name)
        .order_by(VersionRow.position.desc())
    )
    versions = tuple(_version(name, row) for row in session.scalars(query))
    if not versions:
        raise NotFoundError(f"There is no bot {name!r}.")
    return versions


def find_version(session: Session, content_hash: str) -> BotVersion | None:
    """Return the version with that content hash, or None."""
    row = session.execute(
        select(BotRow.name, VersionRow)
        .join(BotRow, BotRow.number == VersionRow.bot_number)
        .where(VersionRow.hash == content_hash)
    ).one_or_none()
    return None if row is None else _version(row[0], row[1])


def get_archive(session: Session, content_hash: str) -> bytes:
    """Return the archive of a version.

    Raises:
        NotFoundError: there is no such version.
    """
    data = session.scalar(
        select(ArchiveRow.data)
        .join(VersionRow, VersionRow.number == ArchiveRow.version_number)
        .where(VersionRow.hash == content_hash)
    )
    if data is None:
        raise NotFoundError(f"There is no bot version {content_hash!r}.")
    return data


def require_owner(session: Session, name: str, owner: str | None) -> None:
    """See to it that the owner may submit under that name: nobody else took it with a key before.

    Raises:
        InvalidError: the name is somebody else's.
    """
    first = session.scalar(
        select(VersionRow.owner)
        .join(BotRow, BotRow.number == VersionRow.bot_number)
        .where(BotRow.name == name, VersionRow.position == 1)
    )
    if first is not None and first != owner:
        raise InvalidError(
            f"The name {name} is taken by another owner; choose another name, or submit with the "
            "owner key of its first version."
        )


def add_version(
    session: Session,
    package: Package,
    archive: bytes,
    now: datetime,
    *,
    owner: str | None = None,
) -> tuple[BotVersion, bool]:
    """Store an accepted archive as its bot's latest version.

    Returns the version, and whether this very archive had been stored before; then nothing
    changes, its owner neither. The name is part of the archive, so equal archives are of one bot.

    Raises:
        InvalidError: the name is somebody else's.
    """
    stand_in_line(session)
    known = find_version(session, package.hash)
    if known is not None:
        return known, True
    manifest = package.manifest
    require_owner(session, manifest.name, owner)
    bot = session.scalars(select(BotRow).where(BotRow.name == manifest.name)).one_or_none()
    if bot is None:
        bot = BotRow(name=manifest.name, versions=0, created_at=now)
        session.add(bot)
    bot.versions += 1
    session.flush()
    row = VersionRow(
        bot_number=bot.number,
        position=bot.versions,
        hash=package.hash,
        language=manifest.language,
        description=manifest.description,
        size=len(archive),
        submitted_at=now,
        owner=owner,
    )
    session.add(row)
    session.flush()
    session.add(ArchiveRow(version_number=row.number, data=archive))
    session.flush()
    return _version(manifest.name, row), False


def find_latest(session: Session, names: Iterable[str]) -> dict[str, VersionRow]:
    """Return the latest versions of those of the bots that exist, by name."""
    query = (
        select(BotRow.name, VersionRow)
        .join(VersionRow, _is_latest())
        .where(BotRow.name.in_(list(names)))
    )
    return dict(session.execute(query).all())


def _is_latest() -> ColumnElement[bool]:
    return and_(VersionRow.bot_number == BotRow.number, VersionRow.position == BotRow.versions)


def _bots() -> Select[BotRow, VersionRow]:
    return select(BotRow, VersionRow).join(VersionRow, _is_latest())


def _bot(bot: BotRow, latest: VersionRow) -> Bot:
    return Bot(bot.name, bot.versions, _version(bot.name, latest), bot.created_at)


def _version(bot: str, row: VersionRow) -> BotVersion:
    return BotVersion(
        bot, row.hash, row.position, row.language, row.description, row.size, row.submitted_at
    )
