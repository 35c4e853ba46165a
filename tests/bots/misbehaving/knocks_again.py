"""With a decision open, connect anew in the hope of another clock; then never answer."""

import time

import grpc
from stream import Stream

stream = Stream()
stream.next_decision()
for _ in range(3):
    try:
        Stream().receive()
    except grpc.RpcError as error:
        print("refused", error.code().name, flush=True)
time.sleep(600)
