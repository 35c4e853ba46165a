"""The log of a game: write it, read it, play it again, and show it.

The log is the message `GameLog`; its file is that message under gzip, without a date, so that equal
logs are equal files. `docs/log.md` describes it, and the JSON document that `to_json` makes.
"""

from roundhouse.errors import LogError
from roundhouse.replay.document import load_schema, to_json
from roundhouse.replay.file import (
    LOG_FORMAT,
    MAX_LOG_BYTES,
    dump_log,
    load_log,
    read_log,
    write_log,
)
from roundhouse.replay.recorder import DIGEST_BYTES, Recorder
from roundhouse.replay.steps import Step, steps
from roundhouse.replay.text import to_text
from roundhouse.replay.verification import Verification, verify

__all__ = [
    "DIGEST_BYTES",
    "LOG_FORMAT",
    "MAX_LOG_BYTES",
    "LogError",
    "Recorder",
    "Step",
    "Verification",
    "dump_log",
    "load_log",
    "load_schema",
    "read_log",
    "steps",
    "to_json",
    "to_text",
    "verify",
    "write_log",
]
