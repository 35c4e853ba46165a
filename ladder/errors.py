"""What goes wrong in the ladder: one exception for each reaction that a caller can have.

The messages are sentences for people. `ladder.service.errors` translates the types to gRPC codes,
and the web pages to HTTP codes; nobody else needs to know them.
"""


class LadderError(Exception):
    """The root of everything that the ladder says no with."""


class NotFoundError(LadderError):
    """The thing that was asked for does not exist."""


class InvalidError(LadderError):
    """What was sent is wrong in itself, and will be wrong the next time."""


class WrongMomentError(LadderError):
    """What was asked for is not possible in the present state, but may be in another one."""


class UnavailableError(LadderError):
    """Something that the ladder needs is away or busy; the same request may succeed later."""


class UnauthenticatedError(LadderError):
    """The service token is missing or wrong."""


class SchemaError(LadderError):
    """The database has another schema than this version of the ladder works with."""


class SettingsError(LadderError):
    """A setting cannot be understood; the process must not start with it."""
