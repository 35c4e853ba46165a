"""`roundhouse new`: write the folder of a new bot."""

import shutil
from importlib.resources import files
from pathlib import Path
from string import Template

import click

from roundhouse.cli.failure import CommandError, ExitCode
from roundhouse.cli.folders import HOUSE_BOTS
from roundhouse.cli.screen import show
from roundhouse.errors import PackageError
from roundhouse.package import MANIFEST_NAME, Manifest

TEMPLATES = ("bot.py", "test_bot.py", "README.md")
"""The files of a new bot beside its manifest, each made from `roundhouse/cli/template/NAME.txt`."""


@click.command(short_help="Write the folder of a new bot.")
@click.argument("name")
def new(name: str) -> None:
    """Write a folder NAME with a bot, its manifest and a test."""
    manifest = Manifest(name, "python", ("python3", "bot.py")).to_toml()
    try:
        Manifest.parse(manifest)
    except PackageError as error:
        raise CommandError(str(error), ExitCode.USAGE) from error
    if name in HOUSE_BOTS:
        raise CommandError(f"{name} is the name of a house bot; choose another.", ExitCode.USAGE)
    texts = {MANIFEST_NAME: manifest} | {file: _fill(file, name) for file in TEMPLATES}
    folder = Path(name)
    try:
        folder.mkdir()
    except FileExistsError:
        raise CommandError(f"{name} exists already; choose another name.") from None
    try:
        for file, text in texts.items():
            (folder / file).write_text(text, encoding="utf-8")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)  # a full disk or Ctrl-C leaves no half a bot
        raise
    show(f"{name}/ is written. Try it: roundhouse play {name} random --games 20")


def _fill(file: str, name: str) -> str:
    # The suffix keeps `none` and `action` from names that Python or the template use.
    words = "".join(part.capitalize() for part in name.removesuffix("-bot").split("-")) + "Bot"
    source = files("roundhouse.cli") / "template" / f"{file}.txt"
    return Template(source.read_text(encoding="utf-8")).substitute(name=name, class_name=words)
