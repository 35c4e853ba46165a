"""Present wrong tokens for ever."""

import contextlib

import grpc
from stream import Stream

while True:
    with contextlib.suppress(grpc.RpcError):
        Stream(token="0" * 43).receive()
