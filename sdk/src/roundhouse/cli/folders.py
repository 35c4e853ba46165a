"""Bots on this machine: folders with a manifest, and the house bots by their names."""

import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

import roundhouse
from roundhouse.bot import Bot
from roundhouse.cli.failure import CommandError
from roundhouse.package import MANIFEST_NAME, Manifest

HOUSE_BOTS: tuple[str, ...] = ("random", "greedy", "hoarder", "planner")
"""The bots that ship with the SDK, weakest first."""


@dataclass(frozen=True, slots=True)
class BotFolder:
    """A bot's folder with its manifest. `name` tells it apart from the others at the table."""

    name: str
    path: Path
    manifest: Manifest


def house_folder() -> Path:
    """Return where the house bots lie: in the wheel, or beside the sources in a clone."""
    package = Path(roundhouse.__file__).parent
    shipped = package / "examples"
    return shipped if shipped.is_dir() else package.parents[1] / "examples"


def find_folder(word: str) -> Path:
    """Return the folder that a word on the command line means.

    A folder of that name wins over a house bot, so that nobody plays a house bot unawares.
    """
    path = Path(word)
    if path.is_dir():
        return path
    if word in HOUSE_BOTS:
        return house_folder() / word
    if path.exists():
        raise CommandError(f"{word} is a file; name the folder that has {MANIFEST_NAME} in it.")
    raise CommandError(
        f"There is no folder {word!r}, and no house bot of that name ({', '.join(HOUSE_BOTS)})."
    )


def find_bots(words: Sequence[str]) -> list[BotFolder]:
    """Return the bots that the words mean; equal names become `planner`, `planner-2`, ..."""
    bots: list[BotFolder] = []
    for word in words:
        path = find_folder(word)
        bot = BotFolder("", path, Manifest.load(path))
        before = sum(other.manifest.name == bot.manifest.name for other in bots)
        bots.append(replace(bot, name=f"{bot.manifest.name}{f'-{before + 1}' if before else ''}"))
    return bots


def load_bot(bot: BotFolder) -> Callable[[], Bot]:
    """Return the class of a Python bot, to be played in this process.

    Its module is loaded, and so runs with the rights of the user: that is for one's own bots.
    Raises `CommandError` when it is no Python bot, cannot be loaded, or defines no single `Bot`.
    """
    script = next((word for word in bot.manifest.entry if word.endswith(".py")), None)
    if bot.manifest.language != "python" or script is None:
        raise CommandError(
            f"{bot.name} is written in {bot.manifest.language} or has no script as its entry, "
            f"so it cannot be played in this process: use --sandbox."
        )
    module = _load_module(bot, bot.path / script)
    classes = [
        value
        for value in vars(module).values()
        if inspect.isclass(value)
        and issubclass(value, Bot)
        and value.__module__ == module.__name__
        and not inspect.isabstract(value)
    ]
    if len(classes) != 1:
        names = ", ".join(found.__name__ for found in classes) or "none"
        raise CommandError(
            f"{bot.path / script} must define one subclass of Bot to be played in this process, "
            f"not {len(classes)} ({names})."
        )
    found: type[Bot] = classes[0]
    return found


def _load_module(bot: BotFolder, script: Path) -> ModuleType:
    # A name of its own: two bots both have a bot.py.
    name = f"roundhouse_bot_{bot.name.replace('-', '_')}"
    spec = importlib.util.spec_from_file_location(name, script)
    if spec is None or spec.loader is None or not script.is_file():
        raise CommandError(
            f"{bot.name}: the entry names {script.name}, which is not in the folder."
        )
    module = importlib.util.module_from_spec(spec)
    with _own_imports(script.parent):
        sys.modules[name] = module  # dataclasses of the bot look their module up
        try:
            spec.loader.exec_module(module)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a bot may raise anything, SystemExit included
            raise CommandError(f"{script} cannot be loaded: {_locate(error)}.") from error
    return module


@contextmanager
def _own_imports(folder: Path) -> Iterator[None]:
    """Let a bot import the modules of its folder, and keep them from the next bot."""
    home = str(folder.resolve())
    sys.path.insert(0, home)
    before = set(sys.modules)
    try:
        yield
    finally:
        sys.path.remove(home)
        for name in set(sys.modules) - before:
            origin = getattr(sys.modules[name], "__file__", None)
            if origin and Path(origin).is_relative_to(home) and "roundhouse_bot_" not in name:
                del sys.modules[name]


def _locate(error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        return f"{error.msg} (line {error.lineno})"
    frames = traceback.extract_tb(error.__traceback__)
    return f"{type(error).__name__}: {error} (line {frames[-1].lineno})"
