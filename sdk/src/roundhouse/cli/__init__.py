"""The `roundhouse` command. It needs the extra `cli`, which a bot at play does without."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0, 1 failure, 2 usage, 130 interrupted.

    `arguments` defaults to those of the process. Where the extra is not installed, one sentence
    says how to install it.
    """
    if any(find_spec(name) is None for name in ("click", "rich")):
        sys.stderr.write(
            "The roundhouse command needs the extra 'cli': "
            "install it by pip install 'roundhouse-sdk[cli]'.\n"
        )
        return 1
    # gRPC's core writes lines of its own about refused connections; our sentence says it once.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    try:
        code: int = import_module("roundhouse.cli.app").run(arguments)
    except KeyboardInterrupt:  # while the modules were still being loaded
        sys.stderr.write("roundhouse: Interrupted.\n")
        return 130
    return code
