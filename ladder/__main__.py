"""`python -m ladder`. Its commands stand in `ladder.command`, which takes a second to load."""

import signal
import sys
from importlib import import_module


def main() -> None:
    """Run the command line; Ctrl-C ends it without a word, also while it is being loaded."""
    try:
        import_module("ladder.command").run()
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)


if __name__ == "__main__":
    main()
