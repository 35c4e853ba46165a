"""The JSON document: its schema, and a whole game checked from it alone."""

import copy
import json
from collections.abc import Callable

import pytest
from jsonschema import Draft202012Validator

from roundhouse.api.game.v1 import event_pb2, log_pb2
from roundhouse.errors import LogError
from roundhouse.replay import load_schema, to_json
from tests.sdk.replay.independent_checker import Checker, CheckError, Json
from tests.sdk.replay.logs import log_of, log_with_forfeits

VALIDATOR = Draft202012Validator(load_schema())


def document_of(log: log_pb2.GameLog) -> Json:
    """Return the document as a reader in another language would get it."""
    document: Json = json.loads(json.dumps(to_json(log)))
    return document


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(load_schema())


@pytest.mark.parametrize("log", [log_of(), log_of(3, rules="classic"), log_with_forfeits()])
def test_documents_keep_to_the_schema(log: log_pb2.GameLog) -> None:
    VALIDATOR.validate(document_of(log))


def test_a_log_with_clocks_keeps_to_the_schema() -> None:
    log = log_of()
    log.time_control.bank.seconds = 60
    log.entries[0].action.bank.nanos = 500_000_000
    log.seats[0].version = "ab" * 32
    log.seed = b""

    document = document_of(log)

    VALIDATOR.validate(document)
    assert document["time_control"]["bank_seconds"] == 60.0
    assert document["entries"][0]["bank_seconds"] == 0.5
    assert document["seed"] is None


def test_the_evidence_of_a_forfeit_that_others_may_read_is_in_the_document() -> None:
    log = log_with_forfeits()
    entry = next(entry for entry in log.entries if entry.HasField("forfeit"))
    entry.forfeit.margin.nanos = 250_000_000
    entry.forfeit.passed.seconds = 9
    entry.forfeit.out_of_memory = True
    entry.forfeit.last_request = b"the seat's cards"

    document = document_of(log)

    VALIDATOR.validate(document)
    (told, *_) = [told for told in document["entries"] if told["kind"] == "forfeit"]
    assert (told["margin_seconds"], told["passed_seconds"]) == (0.25, 9.0)
    assert told["out_of_memory"] is True
    assert "last_request" not in told


@pytest.mark.parametrize(
    ("seats", "rules"),
    [(2, "tiny"), (3, "tiny"), (2, "classic"), (3, "classic"), (4, "classic"), (5, "classic")],
)
def test_a_game_can_be_checked_from_its_document_alone(seats: int, rules: str) -> None:
    for seed in (1, 2, 3):
        Checker(document_of(log_of(seats, seed, rules))).check()


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_game_with_forfeits_can_be_checked_from_its_document_alone(seats: int) -> None:
    Checker(document_of(log_with_forfeits(seats))).check()


def first(document: Json, kind: str) -> Json:
    events = [event for entry in document["entries"] for event in entry["events"]]
    found: Json = next(event for event in events if event["event"] == kind)
    return found


def pay_another_colour(document: Json) -> None:
    first(document, "route_claimed")["payment"] = {"locomotive": 14}


def claim_twice(document: Json) -> None:
    claim = first(document, "route_claimed")
    document["entries"][-1]["events"].insert(0, copy.deepcopy(claim))


def draw_another_card(document: Json) -> None:
    event = first(document, "card_drawn")
    event["card"] = "red" if event["card"] != "red" else "blue"


LIES: list[tuple[Callable[[Json], object], str]] = [
    (lambda d: first(d, "route_claimed").update(points=99), "the points"),
    (pay_another_colour, "one colour, as many cards"),
    (claim_twice, "a route is claimed once"),
    (lambda d: first(d, "card_taken").update(slot=9), "the card of the slot"),
    (lambda d: d["standings"][0].update(total=999), "told twice"),
    (lambda d: d["entries"].pop(), "the game ends"),
    (lambda d: d["entries"][4].update(seat=1 - d["entries"][4]["seat"]), "is to act"),
    (lambda d: d["rules"]["cards"].update(red=99), "the deck's size is told"),
    (lambda d: first(d, "tickets_kept")["kept"].pop(), "the offered tickets"),
]


@pytest.mark.parametrize(("lie", "reason"), LIES)
def test_the_independent_checker_sees_lies(lie: Callable[[Json], object], reason: str) -> None:
    document = document_of(log_of(2, rules="classic"))
    lie(document)

    with pytest.raises(CheckError, match=reason):
        Checker(document).check()


def test_cards_are_named_in_words_and_routes_by_their_cities() -> None:
    document = document_of(log_of(2, rules="classic"))

    claim = first(document, "route_claimed")
    route = claim["route"]

    assert {route["city_a"], route["city_b"]} <= set(document["board"]["cities"])
    assert route in document["board"]["routes"]
    assert set(claim["payment"]) <= set(document["rules"]["cards"])
    assert claim["notation"].startswith(f"seat {claim['seat']} claims {route['city_a']}-")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda log: setattr(log.rules, "edition", "chess"),
        lambda log: log.entries[3].ClearField("action"),
        lambda log: log.entries[0].events.append(
            event_pb2.Event(route_claimed=event_pb2.RouteClaimed(route_id=999))
        ),
        lambda log: log.entries[0].events.append(event_pb2.Event()),
        lambda log: log.standings[0].tickets.append(999),
        lambda log: setattr(log.started_at, "seconds", 2**62),
        lambda log: setattr(log.entries[0].at, "seconds", 2**62),
    ],
)
def test_a_log_that_means_nothing_is_refused(spoil: Callable[[log_pb2.GameLog], object]) -> None:
    log = log_of()
    spoil(log)

    with pytest.raises(LogError, match=r"^The log cannot be shown: "):
        to_json(log)
