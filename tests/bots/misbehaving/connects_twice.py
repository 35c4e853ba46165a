"""Present the token a second time: refused, and the first connection plays on."""

import grpc
from stream import Stream

stream = Stream()
stream.receive()
try:
    Stream().receive()
except grpc.RpcError as error:
    if error.code() is grpc.StatusCode.UNAUTHENTICATED and "used already" in error.details():
        stream.play_on()
