"""`python -m worker run` plays, `python -m worker broker` serves the embedded broker."""

from __future__ import annotations

import argparse
import os
import sys

from roundhouse.statefolder import state_folder
from worker import broker
from worker.settings import SettingsError, WorkerSettings


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m worker", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("run", help="plan tournaments and have their lanes played")
    commands.add_parser("broker", help="serve the embedded broker on a Unix socket")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.command == "broker":
            broker.run(state_folder(os.environ))
        from worker import run  # noqa: PLC0415 - Celery takes half a second to import

        return run.run(WorkerSettings.from_environment(os.environ))
    except (SettingsError, broker.BrokerError) as error:
        print(error, file=sys.stderr)  # noqa: T201 - the command line's answer
        return 1


if __name__ == "__main__":
    sys.exit(main())
