"""The command line of `python -m ladder up`."""

from __future__ import annotations

import argparse
import logging
import os

from rich.console import Console

from ladder.embedded.addresses import LOOPBACK, require_free
from ladder.embedded.children import Stopped
from ladder.embedded.parts import Layout, followed_settings, ignored_settings
from ladder.embedded.setup import running
from ladder.settings import DEFAULT_WEB_LISTEN, Settings
from roundhouse.address import LADDER, Address

PORT = Address(LADDER).port
WEB_PORT = Address(DEFAULT_WEB_LISTEN).port


def main(arguments: list[str]) -> int:
    """Run all parts on this machine until Ctrl-C; return the exit code.

    Raises `LadderError` with a sentence when something can't be had or a part ends.
    """
    options = _parser().parse_args(arguments)
    quieten_own_log()
    layout = Layout(
        state_dir=Settings.from_environment(followed_settings(os.environ)).state_dir,
        grpc=require_free(Address.at(LOOPBACK, options.port), "--port"),
        web=require_free(Address.at(LOOPBACK, options.web_port), "--web-port"),
        is_trusted=options.trusted,
    )
    console = Console(highlight=False)
    say_what_is_ignored(console)
    try:
        with (
            console.status("Starting ...") as status,
            running(layout, status.update) as children,
        ):
            status.stop()
            console.print(f"The site:            {layout.site}")
            console.print(f"For bots' authors:   {layout.grpc} (gRPC)")
            console.print(f"State and logs:      {layout.state_dir}")
            say_what_holds_the_bots(console, layout)
            console.print("Ctrl-C stops everything; what was recorded stays.")
            children.rest()
    except Stopped:
        return 0


def quieten_own_log() -> None:
    """Leave the screen to what is said to the user; the parts have logs of their own."""
    logging.getLogger().setLevel(logging.WARNING)


def say_what_is_ignored(console: Console) -> None:
    """Name the settings that have no effect here."""
    ignored = ignored_settings(os.environ)
    if ignored:
        console.print(f"[yellow]Without effect here: {', '.join(ignored)}.[/]")


def say_what_holds_the_bots(console: Console, layout: Layout) -> bool:
    """Tell whether the bots are isolated, and return it."""
    host = layout.describe_host().host
    if host.isolated:
        console.print(f"Each bot is held by: {host.driver}")
    elif layout.is_trusted:
        console.print(
            "[yellow]Bots run as plain processes (--trusted): they can read and change what you "
            "can, and no game is rated.[/]"
        )
    else:
        why = "; ".join(host.missing) or "the referee's log says why"
        console.print(
            f"[yellow]No sandbox can be had on this machine ({why}), so rated games are refused; "
            "--trusted plays unrated ones with plain processes.[/]"
        )
    return host.isolated


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m ladder up", description="Run all parts on this machine until Ctrl-C."
    )
    parser.add_argument(
        "--port", type=port, default=PORT, help="gRPC port (default %(default)s; 0: a free one)"
    )
    parser.add_argument(
        "--web-port",
        type=port,
        default=WEB_PORT,
        help="port of the site (default %(default)s; 0: a free one)",
    )
    parser.add_argument(
        "--trusted",
        action="store_true",
        help="run bots as plain processes, without a sandbox; no game is rated then",
    )
    return parser


def port(text: str) -> int:
    """Read a port number."""
    if not (text.isascii() and text.isdecimal() and int(text) < 65536):
        raise argparse.ArgumentTypeError(f"{text!r} is no port: give a number, 0 to 65535")
    return int(text)
