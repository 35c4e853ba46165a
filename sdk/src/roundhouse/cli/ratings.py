"""`roundhouse ratings`: where the numbers of a leaderboard come from."""

import click

from roundhouse.cli.alarms import alarms
from roundhouse.cli.explain import explain


@click.group(commands=[explain, alarms])
def ratings() -> None:
    """Explain ratings, and look at what stands behind them."""
