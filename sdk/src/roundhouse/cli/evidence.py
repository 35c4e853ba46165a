"""`roundhouse evidence`: why one's own bots forfeited a game, with all that the referee knows."""

import os
import signal

import click
from google.protobuf.duration_pb2 import Duration
from google.protobuf.json_format import MessageToJson

from roundhouse.api.game.v1 import observation_pb2, verdict_pb2
from roundhouse.api.ladder.v1.ladder_pb2 import GetGameRequest, ListEvidenceRequest
from roundhouse.api.referee.v1.play_pb2 import PlayResponse
from roundhouse.cli.owner import owner_key
from roundhouse.cli.remote import CALL_SECONDS, ladder_option, open_ladder
from roundhouse.cli.screen import show
from roundhouse.plaintext import printable
from roundhouse.verdict import REASON_NAMES

MIB = 1024 * 1024


@click.command(short_help="Show why your bots forfeited a game.")
@click.argument("game_id")
@click.option(
    "--request", "with_request", is_flag=True, help="Show the last request, too, as JSON."
)
@ladder_option
def evidence(game_id: str, *, with_request: bool, target: str) -> None:
    """Show the evidence against those of your bots that forfeited a game.

    It is shown to whoever submitted the bot, once the log of the game can be read.
    """
    request = ListEvidenceRequest(game_id=game_id, owner_key=owner_key(os.environ))
    with open_ladder(target) as ladder:
        forfeits = ladder.ListEvidence(request, timeout=CALL_SECONDS).forfeits
        game = ladder.GetGame(GetGameRequest(game_id=game_id), timeout=CALL_SECONDS).game
    for forfeit in forfeits:
        for line in evidence_lines(game.seats[forfeit.seat].bot, game_id, forfeit):
            show(line)
        if with_request and forfeit.last_request:
            show("The last request:")
            message = PlayResponse.FromString(forfeit.last_request)
            show(MessageToJson(message, preserving_proto_field_name=True))
        if forfeit.output_tail:
            show("The end of its output:")
            show(printable(forfeit.output_tail.decode(errors="replace")).rstrip())


def evidence_lines(bot: str, game_id: str, forfeit: verdict_pb2.Forfeit) -> list[str]:
    """Say what the referee noted of a forfeit, one thing a line."""
    reason = REASON_NAMES.get(forfeit.reason, "unknown reason")
    lines = [f"{bot} forfeited game {game_id} ({reason}): {forfeit.sentence}"]
    if forfeit.phase:
        phase = observation_pb2.Phase.Name(forfeit.phase).removeprefix("PHASE_").lower()
        asked = f"decision {forfeit.decision_id}" if forfeit.decision_id else "no decision open"
        lines.append(f"  when      {phase.replace('_', ' ')}, {asked}")
    if forfeit.decision_id:
        lines.append(
            f"  time      limit {_seconds(forfeit.limit)}, margin {_seconds(forfeit.margin)},"
            f" used {_seconds(forfeit.used)}, passed {_seconds(forfeit.passed)}"
        )
    if forfeit.HasField("exit_code"):
        end = _end(forfeit.exit_code)
        lines.append(f"  process   {end}{', out of memory' if forfeit.out_of_memory else ''}")
    if forfeit.HasField("usage"):
        lines.append(
            f"  usage     {', '.join(_usage(forfeit.usage)) or 'nothing is counted there'}"
        )
    return lines


def _usage(usage: verdict_pb2.BotUsage) -> list[str]:
    parts = []
    if usage.HasField("processor"):
        parts.append(f"processor {_seconds(usage.processor)}")
    if usage.HasField("withheld"):
        parts.append(f"withheld by its share {_seconds(usage.withheld)}")
    if usage.HasField("stalled"):
        parts.append(f"waited for a processor {_seconds(usage.stalled)}")
    if usage.HasField("memory_peak"):
        parts.append(f"most memory {usage.memory_peak / MIB:.1f} MiB")
    if usage.HasField("memory_kills"):
        parts.append(f"kills at the memory limit {usage.memory_kills}")
    if usage.HasField("refused_processes"):
        parts.append(f"processes refused {usage.refused_processes}")
    return parts


def _end(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"


def _seconds(time: Duration) -> str:
    return f"{time.ToTimedelta().total_seconds():.3g} s"
