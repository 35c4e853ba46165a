"""The owner key: a secret of this user, made once, that goes with every submission."""

import secrets
from collections.abc import Mapping
from pathlib import Path

from roundhouse.statefolder import state_folder

KEY_BYTES = 32
NAME = "owner-key"
"""The file, in the state folder; nobody else may read it."""


def owner_key(environment: Mapping[str, str]) -> str:
    """Return ROUNDHOUSE_OWNER_KEY, else the key of this user, made when it is first needed.

    Raises `OSError` where no file can be made.
    """
    given = environment.get("ROUNDHOUSE_OWNER_KEY", "").strip()
    if given:
        return given
    path = state_folder(environment) / NAME
    try:
        return path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return _make(path)


def _make(path: Path) -> str:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    key = secrets.token_urlsafe(KEY_BYTES)
    # Written whole and then named, and never over another: two commands may come at once.
    draft = path.with_name(f"{NAME}.{secrets.token_hex(4)}")
    draft.touch(mode=0o600, exist_ok=False)
    draft.write_text(f"{key}\n", encoding="ascii")
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        key = path.read_text(encoding="ascii").strip()
    finally:
        draft.unlink()
    return key
