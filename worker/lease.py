"""A chunk that is ours for as long as we say so, and a watch over the call that plays it."""

from __future__ import annotations

import logging
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

import grpc

from worker.faults import describe
from worker.ladder_client import LeaseTakenError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import timedelta
    from types import TracebackType

    from worker.ladder_client import LadderClient
    from worker.referee_client import LaneCall

SILENCE_SECONDS = 60
"""A referee gives a sign of life every five seconds while it plays. Starting the bots may take
fifteen; one that is silent for this long hangs, and its lane is given to another."""

log = logging.getLogger(__name__)


class Lease:
    """Renew the lease of a chunk until the block ends, from a thread of its own.

    When the lease is lost to another worker, the call under `watch` is cancelled: two workers at
    one chunk harm nothing, since games are recorded once, but the second one's play is wasted.
    """

    __slots__ = (
        "_call",
        "_chunk_id",
        "_ended",
        "_heard",
        "_keeps",
        "_ladder",
        "_length",
        "_lost",
        "_thread",
        "_worker",
    )

    def __init__(self, ladder: LadderClient, chunk_id: str, worker: str, length: timedelta) -> None:
        self._ladder = ladder
        self._chunk_id = chunk_id
        self._worker = worker
        self._length = length
        self._ended = threading.Event()
        self._lost = threading.Event()
        self._call: LaneCall | None = None
        self._heard = 0.0
        self._keeps = False
        self._thread = threading.Thread(target=self._renew, name=f"lease {chunk_id}", daemon=True)

    @property
    def is_lost(self) -> bool:
        """Whether another worker holds the chunk now."""
        return self._lost.is_set()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._thread.join()
        if self.is_lost or self._keeps:
            return
        try:
            self._ladder.release(self._chunk_id, self._worker)
        except grpc.RpcError as refusal:
            log.warning(
                "The lease of %s is not given back (%s); it ends by itself.",
                self._chunk_id,
                describe(refusal),
            )

    def rest(self, length: timedelta) -> None:
        """Let nobody play the chunk for a while: keep the lease and stop renewing it."""
        self._ended.set()
        self._thread.join()
        try:
            self._ladder.renew(self._chunk_id, self._worker, length)
        except (LeaseTakenError, grpc.RpcError) as error:
            log.warning("%s can't be laid to rest: %s", self._chunk_id, error)
        else:
            self._keeps = True

    def pause(self, length: timedelta) -> bool:
        """Wait while the lease is held. Return whether it still is."""
        return not self._lost.wait(length.total_seconds())

    @contextmanager
    def watch(self, call: LaneCall) -> Iterator[None]:
        """Cancel the call when the lease is lost, or when `hear` was not called for too long."""
        self.hear()
        self._call = call
        try:
            if self.is_lost:  # it was lost between the call's start and this line
                call.cancel()
            yield
        finally:
            self._call = None

    def hear(self) -> None:
        """Note a sign of life of the call under watch."""
        self._heard = time.monotonic()

    def _renew(self) -> None:
        while not self._ended.wait(self._length.total_seconds() / 3):
            call = self._call
            if call and time.monotonic() - self._heard > SILENCE_SECONDS:
                log.warning("%s: the referee has been silent for too long.", self._chunk_id)
                call.cancel()
            try:
                self._ladder.renew(self._chunk_id, self._worker, self._length)
            except LeaseTakenError:
                log.warning("%s was given to another worker.", self._chunk_id)
                self._lost.set()
                if call:
                    call.cancel()
                return
            except grpc.RpcError as error:
                log.warning("The lease of %s is not renewed: %s", self._chunk_id, describe(error))
