"""End before anything happens."""

import sys

sys.exit(7)
