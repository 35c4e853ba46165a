"""A lane as it is played: the same seats, game after game, in one set of bot processes."""

from __future__ import annotations

import asyncio
import contextlib
import gc
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from referee.game import Game
from referee.host import describe_host
from referee.player import Player
from referee.sandbox.stage import publish
from referee.strain import Pulse
from referee.verdict import AbortError, AbortReason
from roundhouse import API_VERSION
from roundhouse.api.game.v1.log_pb2 import LogSeat
from roundhouse.api.referee.v1.match_pb2 import (
    GameAborted,
    GameFinished,
    GameProgress,
    LaneStarted,
    PlayLaneResponse,
)
from roundhouse.api.referee.v1.play_pb2 import Welcome
from roundhouse.replay import Recorder, dump_log

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from referee.request import Deal, LaneRequest
    from referee.sandbox import Driver, PolicyReport, Stage

    Emit = Callable[[PlayLaneResponse], Awaitable[None]]

PROGRESS_SECONDS = 4.0
"""Between two signs of life; callers are promised one every five seconds."""


class Lane:
    """The seats of a lane and the games that they play."""

    def __init__(
        self, request: LaneRequest, driver: Driver, report: PolicyReport, stage: Stage, emit: Emit
    ) -> None:
        """Unpack the bots; `play` starts and plays them.

        Raises:
            OSError: the bots' files cannot be written.
        """
        self._request = request
        self._host = describe_host(report)
        self._emit = emit
        self._next_decision_id = 1
        self._game: Game | None = None
        self._pulse = Pulse()
        self._players = tuple(
            _seat_player(request, seat, driver, stage, self._pulse)
            for seat in range(len(request.seats))
        )

    async def play(self) -> None:
        """Play all games. Each is sent on when it has ended, well or not; none is left out."""
        await self._emit(PlayLaneResponse(lane_started=LaneStarted(host=self._host)))
        try:
            for deal in self._request.games:
                await self._emit(await self._play(deal))
            for player in self._players:
                player.say_goodbye()
            await asyncio.gather(*(player.gone() for player in self._players))
        finally:
            await asyncio.gather(*(player.kill() for player in self._players))
            self._pulse.stop()

    async def _play(self, deal: Deal) -> PlayLaneResponse:
        progress = asyncio.create_task(self._show_life(deal))
        try:
            return PlayLaneResponse(game_finished=await self._referee(deal))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is ours and no seat's
            # What is left of this game may be in any state: the next one starts with fresh bots.
            await asyncio.gather(*(player.kill() for player in self._players))
            if not isinstance(error, AbortError):
                sentence = f"The referee failed: {type(error).__name__}: {error}."
                error = AbortError(AbortReason.INTERNAL, sentence)
            return PlayLaneResponse(
                game_aborted=GameAborted(
                    game_id=deal.game_id, reason=error.reason.value, sentence=str(error)
                )
            )
        finally:
            self._game = None
            gc.collect()
            progress.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await progress

    async def _referee(self, deal: Deal) -> GameFinished:
        request = self._request
        control = request.control
        # Twice, since while one bot starts another may end or speak, which between two games is no
        # forfeit: a fresh one takes its place.
        for _ in range(2):
            await asyncio.gather(*(player.make_ready(control) for player in self._players))
        for player in self._players:
            player.require_custody()
        recorder = Recorder(
            game_id=deal.game_id,
            rules=request.rules,
            seats=[LogSeat(bot=seat.bot, version=seat.version) for seat in request.seats],
            seed=deal.seed,
            time_control=control,
            host=self._host,
            started_at=datetime.now(UTC),
        )
        game = self._game = Game(
            deal.game_id,
            request.rules,
            control,
            deal.seed,
            self._players,
            recorder,
            first_decision_id=self._next_decision_id,
        )
        await game.play()
        session = game.session
        self._next_decision_id = session.next_decision_id
        log = recorder.finish(
            finished_at=datetime.now(UTC), standings=session.standings, digest=session.digest
        )
        await asyncio.gather(*(player.gone() for player in self._players))
        return GameFinished(
            game_id=deal.game_id,
            log=dump_log(log),
            forfeits=[
                forfeit.encode(
                    self._players[forfeit.seat].evidence(game.last_request(forfeit.seat))
                )
                for forfeit in session.forfeits
            ],
        )

    async def _show_life(self, deal: Deal) -> None:
        while True:
            decisions = self._game.decisions if self._game is not None else 0
            await self._emit(
                PlayLaneResponse(
                    game_progress=GameProgress(game_id=deal.game_id, decisions=decisions)
                )
            )
            await asyncio.sleep(PROGRESS_SECONDS)


def _seat_player(
    request: LaneRequest, seat: int, driver: Driver, stage: Stage, pulse: Pulse
) -> Player:
    bot = request.seats[seat]
    folder = stage.new_folder()
    bot.package.unpack_into(folder)
    publish(folder)
    welcome = Welcome(api_version=API_VERSION, seat=seat, games=len(request.games))
    return Player(bot.bot, bot.package.manifest.entry, folder, welcome, driver, stage, pulse)
