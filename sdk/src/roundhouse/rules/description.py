"""What rules mean, in words: for the command line, for web pages and for the documentation."""

from dataclasses import dataclass

from roundhouse.rules.cards import LOCOMOTIVE, describe_cards
from roundhouse.rules.editions import describe_edition
from roundhouse.rules.ruleset import OpeningRejects, RuleSet
from roundhouse.rules.variants import VARIANTS

_REJECTS = {
    OpeningRejects.SEAT_ORDER: "under the deck, in seat order",
    OpeningRejects.SHUFFLED: "shuffled together, then under the deck",
}


@dataclass(frozen=True, slots=True)
class Clause:
    """One line of a description: the rule, what it is here, and the ruling that it belongs to."""

    rule: str
    value: str
    ruling: str = ""


def describe_rules(rules: RuleSet) -> tuple[Clause, ...]:
    """Return the rules line by line, the variants in force at the end."""
    ties = ", ".join((*rules.tie_breaks, "shared"))
    last = rules.final_round_trains
    least, most = rules.min_seats, rules.max_seats
    return (
        Clause("players", f"{least} to {most}" if least < most else str(least)),
        Clause("board", rules.board.name),
        Clause("train cards", _describe_box(rules)),
        Clause("opening hand", str(rules.opening_hand), "R-01"),
        Clause("trains", str(rules.trains), "R-11"),
        Clause("tickets in the deck", _describe_tickets(rules)),
        Clause(
            "opening offer, keep at least", f"{rules.opening_offer}, {rules.opening_keep}", "R-01"
        ),
        Clause("rejects of the opening go", _REJECTS[rules.opening_rejects], "R-01"),
        Clause("a later offer, keep at least", _describe_later(rules), "R-14"),
        Clause("order of returned tickets", "the player's", "R-15"),
        Clause("face-up locomotive as first card", rules.face_up_locomotive.value, "R-04"),
        Clause("final round", f"at {last} trains or fewer", "R-16"),
        Clause("longest path", _describe_bonus(rules.longest_path_bonus), "R-19"),
        Clause("most completed tickets", _describe_bonus(rules.most_tickets_bonus), "R-27"),
        Clause("ties after the score", ties, "R-20"),
        *(Clause(name, VARIANTS[name].meaning, VARIANTS[name].ruling) for name in rules.variants),
    )


def describe_title(rules: RuleSet) -> str:
    """Name edition and variants, as every page and screen does.

    >>> from roundhouse.rules import edition
    >>> describe_title(edition("classic", ["quick", "open_tickets"]))
    'classic + open_tickets + quick'
    """
    own = (" with tickets of an own box",) if rules.has_own_tickets else ()
    return " + ".join((rules.edition, *rules.variants)) + "".join(own)


def describe_summary(rules: RuleSet) -> str:
    """Say in one line what the edition is, without its variants."""
    return f"{rules.edition}: {describe_edition(rules.edition)}"


def _describe_box(rules: RuleSet) -> str:
    colours = sorted(set(rules.card_counts[:LOCOMOTIVE]))
    locomotives = rules.card_counts[LOCOMOTIVE]
    total = sum(rules.card_counts)
    if len(colours) > 1:
        return f"{total}: {describe_cards(rules.card_counts)}"
    return f"{total}: {colours[0]} of each colour, {locomotives} locomotives"


def _describe_tickets(rules: RuleSet) -> str:
    return f"{len(rules.tickets)}{' of an own box' if rules.has_own_tickets else ''}"


def _describe_later(rules: RuleSet) -> str:
    return f"{rules.later_offer}, {rules.later_keep}" if rules.later_offer else "none (R-26)"


def _describe_bonus(points: int) -> str:
    return f"{points} points" if points else "no bonus"
