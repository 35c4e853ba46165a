"""`roundhouse show`: print a game readably, or as the documented JSON."""

import json
from pathlib import Path

import click

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
