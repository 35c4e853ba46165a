"""`roundhouse submit`: send a bot to the ladder."""

import os

import click

from roundhouse.api.ladder.v1.ladder_pb2 import SubmitBotRequest
from roundhouse.cli.folders import find_folder
from roundhouse.cli.owner import owner_key
from roundhouse.cli.remote import SUBMIT_SECONDS, ladder_option, open_ladder
from roundhouse.cli.screen import show, waiting
from roundhouse.package import pack


@click.command(short_help="Send a bot to a ladder.")
@click.argument("folder", metavar="DIR")
@ladder_option
def submit(folder: str, target: str) -> None:
    """Submit the bot in the folder DIR, or a house bot by its name.

    The ladder checks it, lets it play one game in the sandbox, and accepts it as a new version.
    `roundhouse check DIR` does the same here beforehand. Your owner key goes with it, so that
    `roundhouse evidence` can show you, and nobody else, why it forfeits.
    """
    request = SubmitBotRequest(archive=pack(find_folder(folder)), owner_key=owner_key(os.environ))
    with waiting("checking and playing one game"), open_ladder(target) as ladder:
        answer = ladder.SubmitBot(request, timeout=SUBMIT_SECONDS)
    version = answer.version
    name = f"{version.bot}, version {version.number} ({version.hash[:12]})"
    if answer.already_submitted:
        show(f"{name} had been submitted before; nothing changed.")
    else:
        show(f"{name} is accepted.")
