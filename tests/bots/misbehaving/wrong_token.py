"""Present a token that is not this seat's, and hang when refused."""

import time

import grpc
from stream import Stream

try:
    Stream(token="0" * 43).receive()
except grpc.RpcError as error:
    if error.code() is grpc.StatusCode.UNAUTHENTICATED:
        time.sleep(600)
