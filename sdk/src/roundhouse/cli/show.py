"""`roundhouse show`: print a game readably, or as the documented JSON."""

import json
from pathlib import Path

import click

from roundhouse.cli.luck import LUCK_NOTE, luck_table
from roundhouse.cli.screen import show as show_table
from roundhouse.luck import measure_luck
from roundhouse.plaintext import one_line
from roundhouse.replay import read_log, to_json, to_text


@click.command(short_help="Print a logged game.")
@click.argument("log", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the JSON document of docs/log.md.")
def show(log: Path, *, as_json: bool) -> None:
    """Print the game in the file LOG."""
    game = read_log(log)
    if as_json:
        click.echo(json.dumps(to_json(game), indent=2, ensure_ascii=False))
    else:
        click.echo(to_text(game))
        measured = measure_luck(game)
        if measured is not None:
            names = [one_line(seat.bot) for seat in game.seats]
            click.echo()
            show_table(luck_table(names, measured))
            click.echo(LUCK_NOTE)
