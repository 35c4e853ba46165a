"""What the independent checker says of a game that cannot have been."""


class CheckError(Exception):
    """The document tells a game that cannot have been."""


def require(condition: object, what: str) -> None:
    if not condition:
        raise CheckError(what)
