"""The referee's commands: `python -m referee serve` and, started by it, `.. lane`."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import sys

from referee.sandbox import SandboxSettings
from referee.settings import RefereeSettings, SettingsError


def main() -> int:
    """Run a command and return its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m referee", description="Referee games between bots."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    serve = commands.add_parser("serve", help="play lanes for whoever asks, until Ctrl-C")
    serve.add_argument(
        "--trusted",
        action="store_true",
        help="run bots as plain processes, without isolation; such games are never rated",
    )
    commands.add_parser("lane", help="play the lane on stdin (the service starts this)")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    try:
        if arguments.command == "lane":
            return _lane(SandboxSettings.from_environment(os.environ))
        settings = RefereeSettings.from_environment(os.environ)
        return _serve(settings.trusted() if arguments.trusted else settings)
    except SettingsError as error:
        return _complain(error)


def _serve(settings: RefereeSettings) -> int:
    # Imported here: a wrong setting is told without waiting.
    from referee.server import AddressError, serve  # noqa: PLC0415

    try:
        asyncio.run(serve(settings))
    except AddressError as error:
        return _complain(error)
    return 0


def _lane(settings: SandboxSettings) -> int:
    from referee.lane_process import LaneError, run_lane  # noqa: PLC0415 - as above

    try:
        asyncio.run(run_lane(settings))
    except LaneError as error:
        return _complain(error)
    except asyncio.CancelledError:
        return 128 + signal.SIGTERM
    return 0


def _complain(error: Exception) -> int:
    print(error, file=sys.stderr)  # noqa: T201 - for whoever started us
    return 1


if __name__ == "__main__":
    sys.exit(main())
