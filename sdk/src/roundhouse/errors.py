"""The exceptions of the SDK: one root, one class for each reaction that a caller can have.

What the rules do not allow is a `roundhouse.rules.RulesError`, which stands apart.
"""


class RoundhouseError(Exception):
    """Report something to a person: the message is one sentence that says what to do."""


class CompressionError(RoundhouseError):
    """Report that bytes are not gzip, are damaged, or unpack to more than is allowed.

    The message is the end of a sentence, for instance `is cut short`; the caller knows the subject.
    """


class PackageError(RoundhouseError):
    """Report that a bot's folder, manifest or archive cannot be accepted."""


class ProtocolError(RoundhouseError):
    """Report a message that the protocol does not allow, or that this SDK cannot understand."""


class LogError(RoundhouseError):
    """Report that a log cannot be read."""


class BotError(RoundhouseError):
    """Report that a bot failed where it has no game left to forfeit."""


class ConnectionLostError(RoundhouseError):
    """Report that the referee cannot be reached, refused the bot, or went away.

    `is_refusal` tells a bot that the referee answered and said no.
    """

    def __init__(self, sentence: str, *, is_refusal: bool = False) -> None:
        super().__init__(sentence)
        self.is_refusal = is_refusal
