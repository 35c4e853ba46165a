"""The starter kits: the files of a new bot, in each language that `roundhouse new` knows.

A kit is a folder below `roundhouse/kits`. Its files are real ones, that editors and compilers can
read, with a few words in double braces; `.txt` at the end of a name keeps Python's tools off.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

from roundhouse import API_VERSION


@dataclass(frozen=True, slots=True)
class Kit:
    """What there is to know of a kit beside its files; `{name}` stands for the bot's name."""

    build: str
    """The command that makes what is submitted out of what is written; empty without any."""
    has_protocol: bool
    """Whether it gets the .proto files: the SDK speaks the protocol for Python alone."""
    play: str
    """The command that tries the bot out."""


KITS = {
    "python": Kit("", has_protocol=False, play="roundhouse play {name} random --games 20"),
    "node": Kit(
        "npm ci --prefix {name}",
        has_protocol=True,
        play="roundhouse play {name} random --games 20 --sandbox",
    ),
    "cpp": Kit(
        "make -C {name}",
        has_protocol=True,
        play="roundhouse play {name} random --games 20 --sandbox",
    ),
}
"""The kits by their folders' names."""


def kit_files(language: str, name: str) -> dict[str, str]:
    """Return the texts of a new bot's files by their paths below its folder."""
    words = {
        "{{name}}": name,
        # The suffix keeps `none` and `action` from names that the language or the kit use.
        "{{class_name}}": f"{_capitalised(name.removesuffix('-bot'))}Bot",
        "{{api_version}}": API_VERSION,
    }
    kits = files("roundhouse") / "kits"
    found = {path.removesuffix(".txt"): text for path, text in _texts(kits / language)}
    for word, meaning in words.items():
        found = {path: text.replace(word, meaning) for path, text in found.items()}
    if KITS[language].has_protocol:
        found |= {f"proto/{path}": text for path, text in _texts(kits / "proto")}
    return found


def _texts(folder: Traversable, above: str = "") -> Iterator[tuple[str, str]]:
    """Yield path and text of each file below a folder."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _texts(entry, f"{above}{entry.name}/")
        else:
            yield f"{above}{entry.name}", entry.read_text(encoding="utf-8")


def _capitalised(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("-"))
