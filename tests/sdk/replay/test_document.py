"""The JSON document and its schema."""

from collections.abc import Callable

import pytest
from jsonschema import Draft202012Validator

from roundhouse.api.game.v1 import event_pb2, log_pb2
from roundhouse.errors import LogError
from roundhouse.replay import load_schema, to_json
from tests.sdk.replay.logs import document_of, first, log_of, log_with_forfeits

VALIDATOR = Draft202012Validator(load_schema())


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
