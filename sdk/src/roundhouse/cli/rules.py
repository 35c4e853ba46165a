"""`roundhouse rules`: the editions, and what one of them says."""

from dataclasses import fields

import click

from roundhouse.cli.screen import show, table
from roundhouse.rules import EDITIONS, RuleSet
from roundhouse.rules import edition as edition_rules


@click.command(short_help="Show the rules of an edition.")
@click.argument("edition", default="classic")
def rules(edition: str) -> None:
    """Show the rules of an EDITION, classic by default."""
    ruleset = edition_rules(edition)
    rows = [
        (field.name.replace("_", " "), _word(getattr(ruleset, field.name), field.name))
        for field in fields(RuleSet)
    ]
    show(table(("rule", "value"), rows))
    show(f"Editions of this version: {', '.join(EDITIONS)}.")


def _word(value: object, name: str) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case tuple() if name == "tickets":
            return f"{len(value)} in the deck"
        case tuple():
            return ", ".join(str(one) for one in value)
        case _:
            return str(getattr(value, "name", value) if name == "board" else value)
