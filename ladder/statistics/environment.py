"""What surrounds the bots must not matter: the time at which they play, and the referee's host."""

from collections.abc import Collection, Iterator, Sequence

from ladder.domain.alarm import Alarm, AlarmKind, WatchedGame
from ladder.statistics.shift import Observation, Shift, measure_shift, two_sided


def find_drifts(games: Sequence[WatchedGame], anchors: Collection[str]) -> list[Alarm]:
    """Compare the later half of the games of each anchor with the earlier half.

    Only games of the same versions in the same seats are compared, so that nothing but the
    surroundings can have changed: the referee, the clocks, the load, the rules.
    """
    found = []
    for anchor in sorted(anchors):
        orders = sorted(game.order for game in games if anchor in game.bots)
        if not orders:
            continue
        middle = orders[len(orders) // 2]
        shift = measure_shift(
            Observation(game.versions, game.group, game.order >= middle, game.rank(seat))
            for game, seat in _seats_of(games, anchor)
        )
        if shift is not None:
            found.append((anchor, shift))
    return [
        Alarm(
            kind=AlarmKind.ANCHOR_DRIFT,
            subjects=(anchor,),
            deviations=shift.deviations,
            chance=two_sided(shift.deviations, len(found)),
            groups=shift.groups,
            sentence=(
                f"{anchor} does {_better(shift)} in the later half of its games than in the "
                "earlier one, against the same versions in the same seats: something around the "
                "bots has changed."
            ),
        )
        for anchor, shift in found
    ]


def find_hosts(games: Sequence[WatchedGame]) -> list[Alarm]:
    """Compare the games of each bot under each host with those of the same versions elsewhere."""
    hosts = sorted({game.host for game in games if game.host})
    bots = sorted({bot for game in games for bot in game.bots})
    found = []
    for host in hosts if len(hosts) > 1 else ():
        for bot in bots:
            shift = measure_shift(
                Observation(game.versions, game.group, game.host == host, game.rank(seat))
                for game, seat in _seats_of(games, bot)
            )
            if shift is not None:
                found.append((host, bot, shift))
    return [
        Alarm(
            kind=AlarmKind.HOST,
            subjects=(host, bot),
            deviations=shift.deviations,
            chance=two_sided(shift.deviations, len(found)),
            groups=shift.groups,
            sentence=(
                f"{bot} does {_better(shift)} under the host {host} than elsewhere, against the "
                "same versions in the same seats."
            ),
        )
        for host, bot, shift in found
    ]


def _seats_of(games: Sequence[WatchedGame], bot: str) -> Iterator[tuple[WatchedGame, int]]:
    for game in games:
        if bot in game.bots:
            yield game, game.bots.index(bot)


def _better(shift: Shift) -> str:
    word = "better" if shift.difference > 0 else "worse"
    return f"{word} by {100 * abs(shift.difference):.0f} % of the points"
