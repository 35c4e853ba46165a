"""A log as one JSON document, described in `docs/log.md` and by `log.schema.json`.

It holds all that somebody needs to check the game with an engine of their own: the map, the
tickets, every card that moved, every claim with its payment, and the scores in parts.
"""

import json
from collections.abc import Iterable
from importlib.resources import files

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from roundhouse.api.game.v1 import event_pb2, log_pb2
from roundhouse.codec import (
    decode_action,
    decode_duration,
    decode_event,
    decode_measure,
    decode_rules,
    decode_standing,
    decode_timestamp,
)
from roundhouse.errors import LogError, ProtocolError
from roundhouse.replay.naming import Json, Naming, count_words
from roundhouse.rules import RulesError, RuleSet, format_action, format_event
from roundhouse.verdict import REASON_NAMES

DOCUMENT_FORMAT = 1
"""The version of the document. It changes only when a reader of the old one would go wrong."""


def to_json(log: log_pb2.GameLog) -> Json:
    """Return the log as a document of plain dicts, lists, strings and numbers.

    Raises `LogError` when the log names something that its board does not have.
    """
    try:
        rules = decode_rules(log.rules)
        naming = Naming(rules)
        return {
            **_head(log, rules, naming),
            "set_up": {
                "events": _events(log.set_up, rules, naming),
                "digest": log.set_up_digest.hex(),
            },
            "entries": [
                _entry(index, entry, rules, naming) for index, entry in enumerate(log.entries, 1)
            ],
            "standings": [naming.standing(decode_standing(one)) for one in log.standings],
            "final_digest": log.final_digest.hex(),
        }
    except (ProtocolError, RulesError, LookupError, ValueError) as error:
        raise LogError(f"The log cannot be shown: {error}") from error


def load_schema() -> Json:
    """Return the JSON Schema of the document."""
    text = (files("roundhouse.replay") / "log.schema.json").read_text(encoding="utf-8")
    schema: Json = json.loads(text)
    return schema


def _head(log: log_pb2.GameLog, rules: RuleSet, naming: Naming) -> Json:
    host = log.host
    return {
        "format": DOCUMENT_FORMAT,
        "game_id": log.game_id,
        "rules": _rules(rules),
        "board": _board(rules, naming),
        "seats": [
            {"seat": seat, "bot": entrant.bot, "version": entrant.version or None}
            for seat, entrant in enumerate(log.seats)
        ],
        "time_control": _time_control(log) if log.HasField("time_control") else None,
        "seed_commitment": log.seed_commitment.hex(),
        "seed": log.seed.hex() or None,
        "host": {
            "name": host.name,
            "referee_version": host.referee_version,
            "driver": host.driver,
            "isolated": host.isolated,
            "enforced": list(host.enforced),
            "missing": list(host.missing),
        },
        "started_at": _moment(log.started_at),
        "finished_at": _moment(log.finished_at),
    }


def _rules(rules: RuleSet) -> Json:
    return {
        "edition": rules.edition,
        "variants": list(rules.variants),
        "cards": count_words(rules.card_counts),
        "opening_hand": rules.opening_hand,
        "opening_offer": rules.opening_offer,
        "opening_keep": rules.opening_keep,
        "later_offer": rules.later_offer,
        "later_keep": rules.later_keep,
        "trains": rules.trains,
        "final_round_trains": rules.final_round_trains,
        "longest_path_bonus": rules.longest_path_bonus,
        "most_tickets_bonus": rules.most_tickets_bonus,
        "opening_rejects": rules.opening_rejects.value,
        "face_up_locomotive": rules.face_up_locomotive.value,
        "tie_breaks": [name.value for name in rules.tie_breaks],
        "own_tickets": rules.has_own_tickets,
    }


def _board(rules: RuleSet, naming: Naming) -> Json:
    return {
        "name": rules.board.name,
        "cities": [city.name for city in rules.board.cities],
        "routes": [naming.route(route.id) for route in rules.board.routes],
        "tickets": [naming.ticket(ticket.id) for ticket in rules.tickets],
    }


def _time_control(log: log_pb2.GameLog) -> Json:
    control = log.time_control
    return {
        "bank_seconds": _seconds(control.bank),
        "increment_seconds": _seconds(control.increment),
        "margin_seconds": _seconds(control.margin),
        "decision_cap_seconds": _seconds(control.decision_cap),
        "start_up_seconds": _seconds(control.start_up),
        "measure": decode_measure(control.measure).value,
    }


def _entry(index: int, entry: log_pb2.LogEntry, rules: RuleSet, naming: Naming) -> Json:
    acted = _forfeited(entry) if entry.WhichOneof("kind") == "forfeit" else None
    return {
        "index": index,
        "at_seconds": _seconds(entry.at),
        **(acted or _acted(entry.action, rules, naming)),
        "events": _events(entry.events, rules, naming),
        "digest": entry.digest.hex(),
    }


def _acted(answer: log_pb2.SeatAction, rules: RuleSet, naming: Naming) -> Json:
    action = decode_action(answer.action)
    return {
        "kind": "action",
        "seat": answer.seat,
        "decision_id": answer.decision_id,
        "used_seconds": _seconds(answer.used),
        "bank_seconds": _seconds(answer.bank) if answer.HasField("bank") else None,
        "action": naming.action(action),
        "notation": format_action(action, rules.board),
    }


def _forfeited(entry: log_pb2.LogEntry) -> Json:
    forfeit = entry.forfeit
    return {
        "kind": "forfeit",
        "seat": forfeit.seat,
        "decision_id": forfeit.decision_id,
        "reason": REASON_NAMES.get(forfeit.reason, "UNKNOWN"),
        "sentence": forfeit.sentence,
        "limit_seconds": _seconds(forfeit.limit),
        "margin_seconds": _seconds(forfeit.margin),
        "used_seconds": _seconds(forfeit.used),
        "passed_seconds": _seconds(forfeit.passed),
        "out_of_memory": forfeit.out_of_memory,
        "exit_code": forfeit.exit_code if forfeit.HasField("exit_code") else None,
    }


def _events(messages: Iterable[event_pb2.Event], rules: RuleSet, naming: Naming) -> list[Json]:
    found: list[Json] = []
    for message in messages:
        event = decode_event(message)
        if event is None:
            raise ProtocolError("it holds an event of a kind that this version does not know.")
        found.append({**naming.event(event), "notation": format_event(event, rules.board)})
    return found


def _seconds(message: Duration) -> float:
    return decode_duration(message).total_seconds()


def _moment(message: Timestamp) -> str:
    return decode_timestamp(message).isoformat()
