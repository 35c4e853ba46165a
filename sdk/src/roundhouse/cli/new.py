"""`roundhouse new`: write the folder of a new bot."""

import shutil
from pathlib import Path

import click

from roundhouse.cli.failure import CommandError, ExitCode
from roundhouse.cli.folders import HOUSE_BOTS
from roundhouse.cli.kit import KITS, kit_files
from roundhouse.cli.screen import show
from roundhouse.errors import PackageError
from roundhouse.package import Manifest


@click.command(short_help="Write the folder of a new bot.")
@click.argument("name")
@click.option(
    "--language",
    type=click.Choice(list(KITS)),
    default="python",
    show_default=True,
    help="What the bot is written in.",
)
def new(name: str, language: str) -> None:
    """Write a folder NAME with a bot, its manifest and a test."""
    try:
        Manifest.parse(Manifest(name, language, ("bot",)).to_toml())
    except PackageError as error:
        raise CommandError(str(error), ExitCode.USAGE) from error
    if name in HOUSE_BOTS:
        raise CommandError(f"{name} is the name of a house bot; choose another.", ExitCode.USAGE)
    texts = kit_files(language, name)
    folder = Path(name)
    try:
        folder.mkdir()
    except FileExistsError:
        raise CommandError(f"{name} exists already; choose another name.") from None
    try:
        for file, text in texts.items():
            path = folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)  # a full disk or Ctrl-C leaves no half a bot
        raise
    kit = KITS[language]
    build = f"Build it: {kit.build.format(name=name)}. " if kit.build else ""
    show(f"{name}/ is written. {build}Try it: {kit.play.format(name=name)}")
