"""Every table that the laws are checked at: editions, variants and numbers of seats."""

from __future__ import annotations

from roundhouse.rules import EDITIONS, VARIANTS, RulesError, RuleSet, edition


def named(label: str) -> RuleSet:
    """Return the rules that a label names: an edition and variants, joined by +."""
    name, *variants = label.split("+")
    return edition(name, variants)


def seats_of(rules: RuleSet) -> range:
    """Return every number of seats that can play."""
    return range(rules.min_seats, rules.max_seats + 1)


def with_variant(name: str, variant: str) -> RuleSet | None:
    """Return an edition with a variant, and what the variant needs; None where they clash."""
    needed = VARIANTS[variant].needs
    try:
        return edition(name, [variant, *([needed] if needed else [])])
    except RulesError:
        return None


ALONE = [(name, seats) for name in EDITIONS for seats in seats_of(edition(name))]
"""Every edition at every table."""

ON_CLASSIC = [
    (rules.label, seats)
    for rules in (with_variant("classic", variant) for variant in VARIANTS)
    if rules is not None
    for seats in seats_of(rules)
]
"""Every variant at every table of the classic edition."""

ELSEWHERE = [
    (rules.label, seats_of(rules)[number % len(seats_of(rules))])
    for name in EDITIONS[1:]
    for number, variant in enumerate(VARIANTS)
    if (rules := with_variant(name, variant)) is not None
]
"""Every variant with every other edition, at one table."""

TOGETHER = [
    ("classic+open_tickets+opening_exchange+quick+relaxed_locomotives+route_protection", 2),
    ("refresh-2025+open_tickets+opening_exchange+quick+ticket_market", 5),
    ("family-3+long+route_protection+ticket_market+unfinished_tickets_score_zero", 3),
    ("usa-1910+open_tickets+opening_exchange+quick+shared_network+teams+ticket_market", 4),
    ("+".join(["mega", *sorted(set(VARIANTS) - {"long", "solo"})]), 4),
    ("big-cities+quick+relaxed_locomotives+solo+unfinished_tickets_score_zero", 1),
    ("tiny+open_tickets+relaxed_locomotives+route_protection+ticket_market", 3),
]
"""Variants together, as many as go together among them."""

TABLES = ALONE + ON_CLASSIC + ELSEWHERE + TOGETHER
