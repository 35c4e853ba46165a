"""`roundhouse ratings`: where the numbers of a leaderboard come from."""

import click

from roundhouse.cli.alarms import alarms
from roundhouse.cli.explain import explain
from roundhouse.cli.rebuild import rebuild


@click.group(commands=[explain, alarms, rebuild])
def ratings() -> None:
    """Explain ratings, doubt them, and recompute them."""
