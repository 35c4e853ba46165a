"""`roundhouse ratings alarms`: results that an organiser should look at."""

import click

from roundhouse.api.ladder.v1.ladder_pb2 import ListAlarmsRequest
from roundhouse.api.ladder.v1.statistics_pb2 import AlarmKind
from roundhouse.cli.explain import pool_option
from roundhouse.cli.remote import CALL_SECONDS, ladder_option, open_ladder
from roundhouse.cli.screen import show, table

KINDS = {
    AlarmKind.ALARM_KIND_INTRANSITIVE: "intransitive",
    AlarmKind.ALARM_KIND_ANCHOR_DRIFT: "anchor drift",
    AlarmKind.ALARM_KIND_HOST: "host",
    AlarmKind.ALARM_KIND_COLLUSION: "collusion",
}


@click.command(short_help="Look for results that the ratings do not allow.")
@pool_option
@ladder_option
def alarms(pool: str, target: str) -> None:
    """List what the model of the ratings does not allow, the least likely by chance first.

    Triples of bots of which each beats the next, the anchor and house bots whose results drift,
    hosts that shift results, and bots that move together at shared tables. An alarm is a reason to
    look at games.
    """
    with open_ladder(target) as ladder:
        answer = ladder.ListAlarms(ListAlarmsRequest(pool=pool), timeout=CALL_SECONDS)
    looked_at = f"in {answer.groups} deal groups of {answer.pool}"
    if not answer.alarms:
        show(f"No alarms {looked_at}.")
        return
    rows = [
        (
            KINDS.get(alarm.kind, "?"),
            ", ".join(alarm.subjects),
            f"{alarm.deviations:+.1f}",
            f"{alarm.chance:.1g}",
            alarm.groups,
        )
        for alarm in answer.alarms
    ]
    columns = ("kind", "who", ">standard errors", ">by chance", ">deal groups")
    show(table(columns, rows))
    for alarm in answer.alarms:
        show(alarm.sentence)
    show(f"{len(answer.alarms)} alarms {looked_at}. They are reasons to look, and no verdicts.")
