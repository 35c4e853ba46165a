"""The independent checker sees lies: a game is not taken for right because nobody looked."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.sdk.replay.independent_checker import Checker, CheckError, Json
from tests.sdk.replay.logs import document_of, first, log_of


def claims_of(document: Json) -> list[Json]:
    """Return the entries that claim a route."""
    return [
        entry
        for entry in document["entries"]
        if entry["kind"] == "action" and entry["action"]["action"] == "claim_route"
    ]


def pay_another_colour(document: Json) -> None:
    first(document, "route_claimed")["payment"] = {"locomotive": 14}


def claim_twice(document: Json) -> None:
    one, other, *_ = claims_of(document)
    other["action"]["route"] = first({"entries": [other]}, "route_claimed")["route"] = one[
        "action"
    ]["route"]


def do_something_else(document: Json) -> None:
    one, other, *_ = claims_of(document)
    one["action"]["route"] = other["action"]["route"]


def draw_another_card(document: Json) -> None:
    event = first(document, "card_drawn")
    event["card"] = "purple" if event["card"] == "locomotive" else "locomotive"


def pass_though_cards_lie_there(document: Json) -> None:
    entry = claims_of(document)[0]
    entry["events"].append({"event": "turn_passed", "seat": 1 - entry["seat"]})


def begin_the_final_round_again(document: Json) -> None:
    entries = document["entries"]
    at = next(i for i, e in enumerate(entries) if "final_round" in kinds_of(e))
    entries[at + 1]["events"].append({"event": "final_round", "seat": entries[at + 1]["seat"]})


def forget_the_final_round(document: Json) -> None:
    entry = next(e for e in document["entries"] if "final_round" in kinds_of(e))
    entry["events"] = [e for e in entry["events"] if e["event"] != "final_round"]


def kinds_of(entry: Json) -> list[str]:
    return [event["event"] for event in entry["events"]]


LIES: list[tuple[Callable[[Json], object], str]] = [
    (lambda d: first(d, "route_claimed").update(points=99), "the points"),
    (pay_another_colour, "one colour, as many cards"),
    (claim_twice, "a route is claimed once"),
    (do_something_else, "the action is what happened"),
    (lambda d: first(d, "card_taken").update(slot=9), "the action is what happened"),
    (draw_another_card, "still in the deck|no card is gained|in the hand|the hands"),
    (lambda d: d["standings"][0].update(total=999), "told twice"),
    (lambda d: d["entries"].pop(), "the game ends"),
    (lambda d: d["entries"][4].update(seat=1 - d["entries"][4]["seat"]), "the seat is who acted"),
    (lambda d: d["rules"]["cards"].update(red=99), "the deck's size is told"),
    (lambda d: first(d, "tickets_kept")["kept"].pop(), "the offered tickets"),
    (pass_though_cards_lie_there, "could"),
    (begin_the_final_round_again, "a turn ends as told|few trains are left"),
    (forget_the_final_round, "final_round is due"),
]


@pytest.mark.parametrize(("lie", "reason"), LIES)
def test_lies_about_what_happened_are_seen(lie: Callable[[Json], object], reason: str) -> None:
    document = document_of(log_of(2, rules="classic"))
    lie(document)

    with pytest.raises(CheckError, match=reason):
        Checker(document).check()


OTHER_RULES: list[tuple[str, int, dict[str, Any], str]] = [
    ("classic", 2, {"trains": 44}, "trains_left|the trains are there|final_round"),
    ("classic", 2, {"final_round_trains": 1}, "few trains|turn ends|final_round|game_ended"),
    ("classic", 2, {"opening_hand": 5}, "the hand"),
    ("classic", 2, {"opening_offer": 4}, "the size of the offer"),
    ("classic", 2, {"opening_keep": 4}, "enough tickets are kept"),
    ("classic", 2, {"later_offer": 4}, "the size of the offer"),
    ("classic", 2, {"longest_path_bonus": 5}, "total is|longest_path_bonus is"),
    ("usa-1910", 4, {"most_tickets_bonus": 14}, "total is|tickets_bonus is"),
    ("classic", 2, {"face_up_locomotive": "counts as one of two draws"}, "is to act"),
    ("family-3", 2, {"face_up_locomotive": "ends the turn"}, "is to act"),
    ("classic+relaxed_locomotives", 2, {"face_up_locomotive": "ends the turn"}, "to act|face-up"),
    ("classic+open_tickets", 2, {"variants": []}, "tickets are open"),
    ("classic+ticket_market", 3, {"variants": []}, "there is a market"),
    ("classic+opening_exchange+quick", 3, {"variants": ["quick"]}, "exchange_ticket is no answer"),
    ("classic", 3, {"variants": ["opening_exchange", "quick"]}, "is no answer in exchange"),
    ("classic+teams", 4, {"variants": []}, "team_total is|placement is"),
    ("classic+shared_network+teams", 4, {"variants": ["teams"]}, "total is|ticket_points is"),
    ("classic+solo", 1, {"variants": []}, "only solo discards a card"),
    ("classic+unfinished_tickets_score_zero", 2, {"variants": []}, "total is|ticket_points is"),
]


@pytest.mark.parametrize(("label", "seats", "others", "reason"), OTHER_RULES)
def test_a_game_by_other_rules_than_it_names_is_seen(
    label: str, seats: int, others: dict[str, Any], reason: str
) -> None:
    document = document_of(log_of(seats, rules=label))
    Checker(document).check()
    document["rules"].update(others)

    with pytest.raises(CheckError, match=reason):
        Checker(document).check()


def test_the_checker_knows_which_routes_are_protected() -> None:
    document = document_of(log_of(2, rules="classic+route_protection"))
    checker = Checker(document)
    routes = {(r["city_a"], r["city_b"]): r for r in document["board"]["routes"]}
    one_way, other_way = routes["Boston", "Montreal"], routes["Boston", "New York"]
    checker.owners[one_way["id"]] = 0

    assert checker.what_closes(other_way, 0) == "the ways into Boston are protected"
    assert checker.what_closes(other_way, 1) == ""
    checker.turns.finished = [2, 2]
    assert checker.what_closes(other_way, 0) == ""
