"""The manifest `roundhouse.toml`: what a bot is called and how it is started."""

import json
import re
import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, Self

from roundhouse.errors import PackageError
from roundhouse.package.limits import MAX_MANIFEST_BYTES

MANIFEST_NAME = "roundhouse.toml"
"""The manifest's file name, at the top of a bot's folder."""

_NAME = re.compile(r"[a-z][a-z0-9-]{1,31}")
_LANGUAGE = re.compile(r"[a-z][a-z0-9+#.-]{0,31}")
_KEYS = ("name", "language", "entry", "description")
_MAX_ARGUMENTS = 64
_MAX_DESCRIPTION = 200

_WRITE_NAME = "2 to 32 lower-case letters, digits or hyphens, a letter first, such as 'night-train'"
_WRITE_LANGUAGE = "the language in lower case, such as 'python' or 'c++'"
_WRITE_ENTRY = "the command that starts the bot, such as ['python3', 'bot.py']"
_WRITE_DESCRIPTION = f"one line of at most {_MAX_DESCRIPTION} characters, or leave it out"
_LONGEST_VALUE = 60  # characters of a wrong value that a sentence repeats


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a bot says about itself.

    `entry` is the command that starts it, in its folder. Construct it with `parse` or `load`, which
    check everything.
    """

    name: str
    language: str
    entry: tuple[str, ...]
    description: str = ""

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the manifest of a bot's folder. Raise `PackageError` when it is missing or wrong."""
        path = folder / MANIFEST_NAME
        if not folder.is_dir():
            raise PackageError(f"{folder} is not a folder; name the folder that holds your bot.")
        try:
            return cls.parse(path.read_bytes())
        except FileNotFoundError:
            raise PackageError(
                f"{folder} has no {MANIFEST_NAME}; write one with name, language and entry, "
                "or let `roundhouse new` write it."
            ) from None
        except OSError as error:
            raise PackageError(f"{path} cannot be read: {error.strerror}.") from error

    @classmethod
    def parse(cls, text: str | bytes) -> Self:
        r"""Read a manifest. Raise `PackageError`, which names field, value and what to write.

        >>> Manifest.parse('name = "rail"\nlanguage = "python"\nentry = "python3 bot.py"').entry
        ('python3', 'bot.py')
        """
        table = _read_toml(text)
        for key in table:
            if key not in _KEYS:
                raise PackageError(
                    f"{MANIFEST_NAME}: the field {_show(key)} is not known; "
                    f"the fields are {', '.join(_KEYS)}."
                )
        return cls(
            name=_word(table, "name", _NAME, _WRITE_NAME),
            language=_word(table, "language", _LANGUAGE, _WRITE_LANGUAGE),
            entry=_entry(table),
            description=_description(table),
        )

    def to_toml(self) -> str:
        """Return the text of the manifest, which `parse` reads back to an equal value."""
        # A JSON string is a TOML string, but for DEL, which `parse` refuses in every field.
        lines = [
            f"name = {json.dumps(self.name)}",
            f"language = {json.dumps(self.language)}",
            f"entry = [{', '.join(json.dumps(word, ensure_ascii=False) for word in self.entry)}]",
        ]
        if self.description:
            lines.append(f"description = {json.dumps(self.description, ensure_ascii=False)}")
        return "\n".join(lines) + "\n"


def _read_toml(text: str | bytes) -> dict[str, object]:
    size = len(text)
    if size > MAX_MANIFEST_BYTES:
        raise PackageError(
            f"{MANIFEST_NAME} has {size} bytes; it may have {MAX_MANIFEST_BYTES} at most."
        )
    try:
        return tomllib.loads(text if isinstance(text, str) else text.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise PackageError(
            f"{MANIFEST_NAME} is not UTF-8 text (byte {error.start}); save it as UTF-8."
        ) from error
    except (ValueError, RecursionError) as error:  # numbers without end, brackets without end
        reason = str(error).rstrip(".")
        raise PackageError(f"{MANIFEST_NAME} is not valid TOML: {reason}.") from error


def _word(table: Mapping[str, object], key: str, pattern: re.Pattern[str], write: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not pattern.fullmatch(value):
        _refuse(table, key, write)
    return value


def _entry(table: Mapping[str, object]) -> tuple[str, ...]:
    value = table.get("entry")
    if isinstance(value, str):
        try:
            value = shlex.split(value)
        except ValueError:  # a quotation without an end
            _refuse(table, "entry", _WRITE_ENTRY)
    if not isinstance(value, list) or not value or len(value) > _MAX_ARGUMENTS:
        _refuse(table, "entry", _WRITE_ENTRY)
    words = tuple(word for word in value if isinstance(word, str) and word.isprintable())
    if len(words) != len(value) or not words[0]:
        _refuse(table, "entry", _WRITE_ENTRY)
    return words


def _description(table: Mapping[str, object]) -> str:
    value = table.get("description", "")
    if not isinstance(value, str) or len(value) > _MAX_DESCRIPTION or not value.isprintable():
        _refuse(table, "description", _WRITE_DESCRIPTION)
    return value


def _refuse(table: Mapping[str, object], key: str, write: str) -> NoReturn:
    if key not in table:
        raise PackageError(f"{MANIFEST_NAME}: the field '{key}' is missing; write {write}.")
    raise PackageError(f"{MANIFEST_NAME}: '{key}' is {_show(table[key])}; write {write}.")


def _show(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 3]}..."
