"""Submission: an archive is checked, plays a smoke game, and becomes its bot's latest version."""

from datetime import datetime

from ladder.domain.bot import BotVersion
from ladder.smoke import SmokeTest
from ladder.store.bots import add_version, find_version, require_owner
from ladder.store.database import Database
from roundhouse.package import content_hash, read_package


def submit(
    database: Database,
    smoke: SmokeTest,
    archive: bytes,
    now: datetime,
    *,
    owner: str | None = None,
) -> tuple[BotVersion, bool]:
    """Accept an archive as a bot version, or say why not; nothing is stored then.

    Returns the version, and whether this very archive had been submitted before: it has passed
    its checks already, and changes nothing. A new archive may be like an older version of its bot
    in all but one byte; it is a version of its own. No transaction is open while the smoke game
    is played. The owner of a version is who submitted it first.

    Raises:
        PackageError: the archive or its manifest is not as it must be.
        InvalidError: the bot forfeited its smoke game, or its name is somebody else's.
        UnavailableError: no smoke game could be played.
    """
    with database.read() as session:
        known = find_version(session, content_hash(archive))
    if known is not None:
        return known, True
    package = read_package(archive)
    with database.read() as session:  # before a game is played for nothing
        require_owner(session, package.manifest.name, owner)
    smoke.check(package, archive)
    with database.write() as session:
        return add_version(session, package, archive, now, owner=owner)
