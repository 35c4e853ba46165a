"""A log as text, for people: one line an action, and what it brought about."""

from collections.abc import Iterable, Iterator

from roundhouse.api.game.v1 import event_pb2, log_pb2
from roundhouse.codec import (
    decode_action,
    decode_duration,
    decode_event,
    decode_rules,
    decode_standing,
    decode_timestamp,
)
from roundhouse.errors import LogError, ProtocolError
from roundhouse.plaintext import one_line
from roundhouse.rules import (
    GameEnded,
    KeepTickets,
    RulesError,
    RuleSet,
    describe_title,
    format_action,
    format_event,
)
from roundhouse.verdict import REASON_NAMES

_COLUMNS = (
    ("team", "team_total"),
    ("place", "placement"),
    ("total", "total"),
    ("routes", "route_points"),
    ("tickets", "ticket_points"),
    ("path", "longest_path"),
    ("bonus", "longest_bonus"),
    ("most", "tickets_bonus"),
    ("done", "tickets_completed"),
    ("missed", "tickets_failed"),
    ("trains", "trains_left"),
)


_ONLY_SOMETIMES = frozenset({"team_total", "tickets_bonus"})
"""Columns that are left out where all of it is 0: only some rules have them."""


def to_text(log: log_pb2.GameLog) -> str:
    """Return the game as text, without a line break at the end.

    Raises `LogError` when the log names something that its board does not have.
    """
    try:
        rules = decode_rules(log.rules)
        lines = [*_head(log, rules), "", *_body(log, rules), "", *_standings(log)]
    except (ProtocolError, RulesError, LookupError, ValueError) as error:
        raise LogError(f"The log cannot be shown: {error}") from error
    return "\n".join(lines)


def _head(log: log_pb2.GameLog, rules: RuleSet) -> Iterator[str]:
    started = decode_timestamp(log.started_at)
    day = f"{started:%Y-%m-%d %H:%M:%S} UTC"
    yield f"Game {one_line(log.game_id)}, {describe_title(rules)}, {day}"
    if rules.notice:
        yield f"  {rules.notice}"
    for seat, entrant in enumerate(log.seats):
        version = f" ({one_line(entrant.version[:12])})" if entrant.version else ""
        yield f"  seat {seat}: {one_line(entrant.bot)}{version}"
    isolation = "isolated" if log.host.isolated else "not isolated"
    yield f"  played {one_line(log.host.driver) or 'somewhere'}, {isolation}"
    yield f"  seed {log.seed.hex() or 'not revealed yet'}"
    yield f"  commitment {log.seed_commitment.hex()}"


def _body(log: log_pb2.GameLog, rules: RuleSet) -> Iterator[str]:
    tickets = {ticket.id: ticket for ticket in rules.tickets}
    yield "set-up"
    yield from _events(log.set_up, rules)
    for index, entry in enumerate(log.entries, start=1):
        if entry.WhichOneof("kind") == "forfeit":
            forfeit = entry.forfeit
            reason = REASON_NAMES.get(forfeit.reason, "unknown")
            sentence = one_line(forfeit.sentence, 1000)
            yield f"{index:4}. seat {forfeit.seat} forfeits ({reason}): {sentence}"
        else:
            action = decode_action(entry.action.action)
            used = decode_duration(entry.action.used).total_seconds()
            text = format_action(action, rules.board)
            yield f"{index:4}. seat {entry.action.seat}: {text}  [{used:.3f} s]"
            if isinstance(action, KeepTickets):
                yield from (f"        keeps {tickets[ticket]}" for ticket in action.keep)
        yield from _events(entry.events, rules)


def _events(messages: Iterable[event_pb2.Event], rules: RuleSet) -> Iterator[str]:
    for message in messages:
        event = decode_event(message)
        if event is not None and not isinstance(event, GameEnded):  # the table below says it better
            yield f"        {format_event(event, rules.board)}"


def _standings(log: log_pb2.GameLog) -> Iterator[str]:
    standings = [decode_standing(message) for message in log.standings]
    if len(standings) != len(log.seats):
        raise ProtocolError(f"It has {len(standings)} standings for {len(log.seats)} seats.")
    names = [one_line(entrant.bot) for entrant in log.seats]
    width = max(len(name) for name in names)
    columns = [
        (title, field)
        for title, field in _COLUMNS
        if field not in _ONLY_SOMETIMES or any(getattr(one, field) for one in standings)
    ]
    yield f"  {'bot':{width}}" + "".join(f"{title:>8}" for title, _ in columns)
    for standing in sorted(standings, key=lambda one: (one.placement, one.seat)):
        values = "".join(f"{getattr(standing, field):>8}" for _, field in columns)
        note = "  forfeited" if standing.forfeited else ""
        yield f"  {names[standing.seat]:{width}}{values}{note}"
