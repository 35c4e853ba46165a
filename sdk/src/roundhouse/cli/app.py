"""The command group, and the one place where exceptions become a sentence and an exit code."""

import signal
import sys
import traceback
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

import click

import roundhouse
from roundhouse.cli import (
    check,
    evidence,
    games,
    gate,
    leaderboard,
    log,
    new,
    play,
    ratings,
    rules,
    show,
    submit,
    tournament,
    verify,
)
from roundhouse.cli.failure import CommandError, ExitCode
from roundhouse.errors import RoundhouseError
from roundhouse.plaintext import printable
from roundhouse.rules import RulesError

COMMANDS: tuple[click.Command, ...] = (
    new.new,
    play.play,
    gate.gate,
    check.check,
    submit.submit,
    tournament.tournament,
    leaderboard.leaderboard,
    ratings.ratings,
    games.games,
    log.log,
    evidence.evidence,
    show.show,
    verify.verify,
    rules.rules,
)


class TerminatedError(KeyboardInterrupt):
    """SIGTERM arrived. A kind of Ctrl-C, which local play never takes for the fault of a bot."""


class InterruptedCommandError(CommandError):
    """Report that the command was stopped by a signal."""

    def __init__(self, interrupt: KeyboardInterrupt) -> None:
        is_terminated = isinstance(interrupt, TerminatedError)
        super().__init__(
            "Terminated." if is_terminated else "Interrupted.",
            ExitCode.TERMINATED if is_terminated else ExitCode.INTERRUPTED,
        )


class InOrder(click.Group):
    """A group whose help lists the commands in the order in which an author meets them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names in the order of `COMMANDS`."""
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command. `run` reports Ctrl-C, without the empty line that click prints."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as interrupt:
            raise InterruptedCommandError(interrupt) from None


@click.group(
    cls=InOrder,
    commands=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    no_args_is_help=False,
    invoke_without_command=True,
)
@click.version_option(roundhouse.__version__, message="roundhouse %(version)s")
@click.option("--debug", is_flag=True, help="Show the traceback of a failure.")
@click.pass_context
def cli(context: click.Context, *, debug: bool) -> None:  # noqa: ARG001 - read by `run`
    """Write bots that play Ticket to Ride, try them, and send them up the ladder."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command line. Every failure ends as one sentence on standard error."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    before = signal.signal(signal.SIGTERM, _terminate)
    try:
        cli.main(words, prog_name="roundhouse", standalone_mode=False)
    except BaseException as error:  # noqa: BLE001 - this is the boundary
        code, sentence = explain(error, words)
        if "--debug" in words[:1]:
            traceback.print_exception(error)
        if sentence:
            sys.stderr.write(f"roundhouse: {sentence}\n")
        if isinstance(error, CommandError) and error.evidence:
            sys.stderr.write(f"{printable(error.evidence)}\n")
        return code
    finally:
        signal.signal(signal.SIGTERM, before)
    return ExitCode.DONE


def explain(error: BaseException, words: Sequence[str] = ()) -> tuple[int, str]:
    """Return the exit code and the sentence for an exception; no sentence where none is due."""
    code: int = ExitCode.FAILED
    sentence = ""
    match error:
        case SystemExit():
            code = error.code if isinstance(error.code, int) else ExitCode.FAILED
        case click.exceptions.Exit():
            code = error.exit_code
        case KeyboardInterrupt():
            return explain(InterruptedCommandError(error))
        case click.UsageError():
            command = error.ctx.command_path if error.ctx else "roundhouse"
            what = error.format_message().rstrip(".")
            code, sentence = ExitCode.USAGE, f"{what} (see `{command} --help`)."
        case CommandError():
            code, sentence = error.code, str(error)
        case click.ClickException() | RoundhouseError() | RulesError():
            sentence = str(error)
        case OSError() if error.strerror:
            place = f"{error.filename}: " if error.filename else ""
            sentence = f"{place}{error.strerror}."
        case _:
            again = " ".join(["roundhouse", "--debug", *words])
            sentence = (
                f"This is a fault of Roundhouse ({type(error).__name__}: {error}); "
                f"please report it with the output of `{again}`."
            )
    # It may repeat what a file or a server said, and no terminal shall obey that.
    return code, printable(" ".join(sentence.split()))


def _terminate(_number: int, _frame: FrameType | None) -> NoReturn:
    raise TerminatedError  # so that `finally` ends the processes that we started
