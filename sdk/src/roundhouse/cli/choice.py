"""The options that choose the rules of a game: edition, variants, and own tickets."""

from pathlib import Path

import click

from roundhouse.rules import EDITIONS, VARIANTS, RuleSet, edition, load_tickets_csv

edition_option = click.option(
    "--edition",
    default="classic",
    show_default=True,
    help=f"The edition of the rules: {', '.join(EDITIONS)}.",
)
"""Which edition is played."""

variant_option = click.option(
    "--variant",
    "variants",
    multiple=True,
    metavar="V",
    help=f"A variant, once for each: {', '.join(VARIANTS)}.",
)
"""Which variants are in force."""

tickets_option = click.option(
    "--tickets",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A CSV file with the tickets of your own box: city_a, city_b, value.",
)
"""Whose tickets are in the deck."""


def choose_rules(name: str, variants: tuple[str, ...], tickets: Path | None = None) -> RuleSet:
    """Return the rules that the options name. Raise `RulesError` when there are none such."""
    rules = edition(name, variants)
    return rules if tickets is None else rules.with_tickets(load_tickets_csv(tickets, rules.board))
