"""The command line of `python -m ladder demo`."""

from __future__ import annotations

import argparse
import contextlib
import shutil
import signal
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from ladder.demo.show import Result, open_show
from ladder.embedded.addresses import prefer
from ladder.embedded.children import Stopped
from ladder.embedded.command import PORT, WEB_PORT, quieten_own_log
from ladder.embedded.parts import Layout
from ladder.embedded.setup import running
from ladder.errors import LadderError
from roundhouse.cli.folders import house_folder
from roundhouse.cli.screen import show

if TYPE_CHECKING:
    from collections.abc import Sequence

PAIR_DEALS = 4
TABLE_DEALS = 2
INTERRUPTED = 128 + signal.SIGINT


def main(arguments: Sequence[str]) -> int:
    """Run the demo; return 0 when everything was right.

    Raises `LadderError` with a sentence when something can't be had or a part ends.
    """
    options = _parser().parse_args(arguments)
    quieten_own_log()
    # Fresh each time: a second demo shows what the first one did.
    state_dir = Path(tempfile.mkdtemp(prefix="roundhouse-demo-"))
    is_right = False
    try:
        is_right = _run(state_dir, options)
    except (Stopped, KeyboardInterrupt):
        shutil.rmtree(state_dir, ignore_errors=True)
        return INTERRUPTED
    except LadderError as error:
        raise LadderError(f"{error}\nThe demo's logs are in {state_dir}.") from error
    if is_right:
        shutil.rmtree(state_dir, ignore_errors=True)
        return 0
    show(f"The demo's state and logs are in {state_dir}.")
    return 1


def _run(state_dir: Path, options: argparse.Namespace) -> bool:
    """Start everything, show it, and serve; return whether all was right."""
    began = time.monotonic()
    layout = Layout(state_dir, prefer(PORT), prefer(WEB_PORT), is_trusted=options.trusted)
    status = Console(stderr=True).status("Starting ...")
    with status, running(layout, status.update) as children:
        status.stop()
        show(f"All parts run, after {time.monotonic() - began:.1f} s.")
        is_rated = _look_at_sandbox(layout)
        with open_show(str(layout.grpc), is_rated=is_rated) as demo:
            demo.submit(options.examples)
            tournaments = [
                demo.create("the round-robin of pairs", 2, options.deals),
                demo.create("the table of four", 4, options.table_deals),
            ]
            demo.follow(tournaments)
            demo.tabulate(tournaments)
            result = demo.check(tournaments)
        _conclude(layout, result, time.monotonic() - began)
        if not options.exit:
            show("Serving until Ctrl-C.")
            with contextlib.suppress(Stopped):
                children.rest()
        return not result.faults


def _look_at_sandbox(layout: Layout) -> bool:
    """Say what holds the bots; return whether their games are rated.

    Raises `LadderError` where no sandbox can be had and nobody has asked to do without.
    """
    host = layout.describe_host().host
    if host.isolated:
        show(f"Each bot plays in a sandbox of its own ({host.driver}).")
        return True
    if layout.is_trusted:
        show("The bots run as plain processes (--trusted): nothing holds them, no game is rated.")
        return False
    raise LadderError(
        f"This machine has no sandbox for bots ({'; '.join(host.missing)}), and rated games need "
        "one; with --trusted the demo plays unrated games between plain processes."
    )


def _conclude(layout: Layout, result: Result, seconds: float) -> None:
    for fault in result.faults:
        show(fault)
    show(
        f"{result.verified} of {result.games} logs verified: played again from seed and actions "
        "they give the same events, states and standings."
    )
    show(f"{result.games} games, {result.forfeits} forfeits, {seconds:.0f} s from start to here.")
    show(f"The site:   {layout.site}")
    if result.replay:
        show(f"A replay:   {layout.site}games/{result.replay}")
    show(f"The ladder: {layout.grpc}, for instance `roundhouse leaderboard --ladder {layout.grpc}`")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m ladder demo",
        description="Play a tournament of the four house bots on this machine and serve the site.",
    )
    parser.add_argument(
        "--exit", action="store_true", help="end when all is shown; 0 only if all was right"
    )
    parser.add_argument(
        "--deals",
        type=_count,
        default=PAIR_DEALS,
        help="deals for each of the six pairs; each is played in both seatings (%(default)s)",
    )
    parser.add_argument(
        "--table-deals",
        type=_count,
        default=TABLE_DEALS,
        help="deals for the table of four; each is played in four seatings (%(default)s)",
    )
    parser.add_argument(
        "--trusted",
        action="store_true",
        help="run the bots as plain processes, without a sandbox; no game is rated then",
    )
    parser.add_argument(
        "--examples",
        type=Path,
        default=house_folder(),
        help="the folder that holds the house bots (the SDK's)",
    )
    return parser


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= 10_000):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of deals: give 1 to 10000")
    return int(text)
