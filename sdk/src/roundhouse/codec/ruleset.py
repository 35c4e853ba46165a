"""Rules of a game: edition, variants and own tickets decide; the rest is a convenience."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from roundhouse.api.game.v1 import board_pb2, ruleset_pb2
from roundhouse.codec.board import decode_tickets, encode_tickets
from roundhouse.codec.cards import encode_counts
from roundhouse.errors import ProtocolError
from roundhouse.plaintext import one_line
from roundhouse.rules import RulesError, RuleSet, edition

_LONGEST_NAME = 60  # characters of a name from elsewhere that a sentence repeats


@lru_cache(maxsize=64)
def encode_rules(rules: RuleSet) -> ruleset_pb2.RuleSet:
    """Return the message for the rules. It is shared: never change it."""
    return ruleset_pb2.RuleSet(
        edition=rules.edition,
        variants=rules.variants,
        board=rules.board.name,
        opening_offer=rules.opening_offer,
        opening_keep=rules.opening_keep,
        later_offer=rules.later_offer,
        later_keep=rules.later_keep,
        trains=rules.trains,
        final_round_trains=rules.final_round_trains,
        longest_path_bonus=rules.longest_path_bonus,
        cards=encode_counts(rules.card_counts),
        opening_hand=rules.opening_hand,
        most_tickets_bonus=rules.most_tickets_bonus,
        own_tickets=encode_tickets(rules.tickets) if rules.has_own_tickets else (),
    )


def decode_rules(message: ruleset_pb2.RuleSet) -> RuleSet:
    """Return the rules that a message names.

    Raises `ProtocolError` when this SDK does not play them, or would play them otherwise: two
    releases that disagree about an edition must not play or replay one game.
    """
    try:
        rules = name_rules(message.edition, message.variants, message.own_tickets)
    except RulesError as error:
        raise ProtocolError(str(error)) from error
    ours = encode_rules(rules)
    for field in ours.DESCRIPTOR.fields:
        if getattr(ours, field.name) != getattr(message, field.name):
            raise ProtocolError(
                f"The rules say {field.name} = {_show(getattr(message, field.name))}, but in this "
                f"version of the SDK the edition {rules.label} has "
                f"{_show(getattr(ours, field.name))}; install the version that the referee runs."
            )
    return rules


def name_rules(
    name: str, variants: Iterable[str], own_tickets: Sequence[board_pb2.Ticket]
) -> RuleSet:
    """Return the rules that edition and variants name, with the tickets of a user's box, if any.

    Raises `RulesError` when there are no such rules.
    """
    rules = edition(
        one_line(name, _LONGEST_NAME), [one_line(one, _LONGEST_NAME) for one in variants]
    )
    return rules.with_tickets(decode_tickets(own_tickets)) if own_tickets else rules


def _show(value: object) -> str:
    return one_line(str(value), _LONGEST_NAME)  # a message prints on several lines
