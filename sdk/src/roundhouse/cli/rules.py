"""`roundhouse rules`: what an edition and its variants mean."""

import click

from roundhouse.cli.choice import choose_rules, variant_option
from roundhouse.cli.screen import show, table
from roundhouse.rules import (
    EDITIONS,
    VARIANTS,
    describe_edition,
    describe_rules,
    describe_summary,
    describe_title,
)


@click.command(short_help="Show the rules of an edition.")
@click.argument("edition", default="classic")
@variant_option
def rules(edition: str, variants: tuple[str, ...]) -> None:
    """Show the rules of an EDITION, classic by default, and all editions and variants."""
    chosen = choose_rules(edition, variants)
    show(f"{describe_summary(chosen)}.")
    if chosen.notice:
        show(chosen.notice)
    show("")
    clauses = [(one.rule, one.value, one.ruling) for one in describe_rules(chosen)]
    title = describe_title(chosen)
    show(table((f"rule of {title}", "value", "ruling"), clauses, wraps=("value",)))
    show("")
    known = [(name, describe_edition(name)) for name in EDITIONS]
    show(table(("edition", "what it is"), known, wraps=("what it is",)))
    show("")
    rows = [(one.name, one.meaning, _combines(one.name), one.ruling) for one in VARIANTS.values()]
    columns = ("variant", "what it means", "combines", "ruling")
    show(table(columns, rows, wraps=("what it means", "combines")))


def _combines(name: str) -> str:
    """Say what a variant needs, and what it contradicts."""
    row = VARIANTS[name]
    against = {*row.excludes, *(one.name for one in VARIANTS.values() if name in one.excludes)}
    parts = [f"only with {row.needs}"] if row.needs else []
    parts += [f"not with {other}" for other in sorted(against)]
    return ", ".join(parts)
