"""What every channel to a service has in common: the size of messages, and credentials."""

MESSAGE_LIMIT = 64 * 1024 * 1024
"""Bytes: five archives of 8 MiB in one lane, and the plan of a large tournament."""

OPTIONS: tuple[tuple[str, int], ...] = (
    ("grpc.max_receive_message_length", MESSAGE_LIMIT),  # by default 4 MiB
    ("grpc.max_send_message_length", MESSAGE_LIMIT),
    ("grpc.enable_http_proxy", 0),  # a proxy of the web cannot carry calls to this machine
)

Metadata = tuple[tuple[str, str], ...]


def authorization(token: str | None) -> Metadata:
    """Return the metadata that internal calls carry, where there is a service token.

    >>> authorization("secret")
    (('authorization', 'Bearer secret'),)
    """
    return (("authorization", f"Bearer {token}"),) if token else ()
