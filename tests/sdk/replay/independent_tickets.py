"""The ticket deck as somebody knows it who sees what is drawn and given back, and no more."""

from collections.abc import Iterable

from tests.sdk.replay.suspicion import require


class TicketDeck:
    """Lots from the top to the bottom; within a lot the order is not known.

    At first all is one lot. What is given back goes under it ticket by ticket, in a known order, or
    as one more lot where rejects are shuffled together.
    """

    def __init__(self, tickets: Iterable[int]) -> None:
        self._lots = [set(tickets)]
        self._mixed: set[int] = set()

    def all(self) -> list[int]:
        return [ticket for lot in self._lots for ticket in lot]

    def draw(self, ticket: int) -> None:
        require(self._lots and ticket in self._lots[0], "the top ticket is drawn")
        self._lots[0].remove(ticket)
        if not self._lots[0]:
            del self._lots[0]

    def put_under(self, tickets: list[int], *, is_mixed: bool) -> None:
        if not is_mixed:
            self._lots += [{ticket} for ticket in tickets]
        elif tickets:
            if self._lots[-1:] != [self._mixed]:
                self._mixed = set()
                self._lots.append(self._mixed)
            self._mixed |= set(tickets)
