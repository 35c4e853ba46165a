"""The boundary: which exception becomes which sentence, and what a fault of ours looks like."""

from __future__ import annotations

import click
import pytest

from roundhouse.cli import app, main
from roundhouse.cli.app import COMMANDS, TerminatedError, cli, explain, run
from roundhouse.cli.failure import CommandError, ExitCode
from roundhouse.errors import LogError
from roundhouse.rules import ErrorCode, RulesError


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (KeyboardInterrupt(), 130, "Interrupted."),
        (TerminatedError(), 143, "Terminated."),
        (SystemExit(143), 143, ""),
        (click.exceptions.Exit(0), 0, ""),
        (click.UsageError("Bad."), 2, "Bad (see `roundhouse --help`)."),
        (CommandError("It failed."), 1, "It failed."),
        (CommandError("Say more.", ExitCode.USAGE), 2, "Say more."),
        (LogError("It is cut short."), 1, "It is cut short."),
        (LogError("The log \x1b[2J is cut short."), 1, "The log ?[2J is cut short."),
        (RulesError(ErrorCode.BAD_SET_UP, "Six\nare too many."), 1, "Six are too many."),
        (OSError(28, "No space left on device", "x"), 1, "x: No space left on device."),
    ],
    ids=lambda value: type(value).__name__,
)
def test_exceptions_become_sentences(error: BaseException, code: int, sentence: str) -> None:
    assert explain(error) == (code, sentence)


def test_an_unexpected_exception_says_how_to_report_it() -> None:
    code, sentence = explain(ZeroDivisionError("by zero"), ["play", "a", "b"])
    assert code == 1
    assert "ZeroDivisionError: by zero" in sentence
    assert "`roundhouse --debug play a b`" in sentence


@pytest.mark.parametrize("is_debug", [False, True])
def test_only_debug_shows_a_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *, is_debug: bool
) -> None:
    monkeypatch.setitem(cli.commands, "rules", click.Command("rules", callback=lambda: 1 // 0))
    assert run(["--debug", "rules"] if is_debug else ["rules"]) == 1
    err = capsys.readouterr().err
    assert ("Traceback" in err) is is_debug
    assert err.rstrip().splitlines()[-1].startswith("roundhouse: This is a fault of Roundhouse")


def test_ctrl_c_while_the_command_is_loaded_is_one_line_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("roundhouse.cli.import_module", interrupt)
    assert main([]) == 130
    assert capsys.readouterr().err == "roundhouse: Interrupted.\n"


def test_every_module_of_a_command_is_registered() -> None:
    assert tuple(cli.commands.values()) == COMMANDS
    assert app.cli.list_commands(click.Context(cli))[0] == "new"
