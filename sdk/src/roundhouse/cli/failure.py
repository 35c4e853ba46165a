"""What a command reports when it cannot do its work: one sentence and an exit code."""

from enum import IntEnum


class ExitCode(IntEnum):
    """Name the exit codes of the command."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    """The command line itself is wrong; the number is click's and the shell's."""
    INTERRUPTED = 130
    """Ctrl-C: 128 + SIGINT."""
    TERMINATED = 143
    """128 + SIGTERM."""


class CommandError(Exception):
    """Report what the user can put right.

    The message is one sentence: what was wrong, with which value, and what to do. What a bot
    printed is evidence, and stands below it as it is.
    """

    def __init__(
        self, sentence: str, code: ExitCode = ExitCode.FAILED, *, evidence: str = ""
    ) -> None:
        super().__init__(sentence)
        self.code = code
        self.evidence = evidence
