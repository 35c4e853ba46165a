"""`docs/running.md` lists every setting that any part reads."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SETTING = re.compile(r"\bROUNDHOUSE_[A-Z][A-Z_]*[A-Z]\b")
OF_BOTS = {"ROUNDHOUSE_SOCKET", "ROUNDHOUSE_TOKEN"}
OWN = {"ROUNDHOUSE_TEST", "ROUNDHOUSE_WORKER", "ROUNDHOUSE_OWNER"}  # not for anybody to set


def test_every_setting_is_listed_and_nothing_else() -> None:
    read = {
        name
        for folder in ("ladder", "referee", "worker", "sdk/src")
        for source in (ROOT / folder).rglob("*.py")
        for name in SETTING.findall(source.read_text(encoding="utf-8"))
    }
    rows = re.findall(
        r"^\| `(ROUNDHOUSE_\w+)` \|", (ROOT / "docs" / "running.md").read_text(), re.MULTILINE
    )
    assert set(rows) == read - OF_BOTS - OWN
    assert len(set(rows)) == len(rows)
