"""Read the command line, fuzz, and print what was sent, what came of it, and what is left."""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import sys
import time
from pathlib import Path

from bench.fuzz.ledger import Ledger
from bench.fuzz.table import fuzz

WARM_UP = 2000
"""Messages before the first figures, so that what is made once is not taken for a leak."""
CLIENTS_CALL = "_AioCall."
"""Of the fuzzing client itself, which gRPC now and then never ends; the referee makes none."""
SHOWN = 10


def figures() -> dict[str, int]:
    """Return what this process holds."""
    gc.collect()
    status = Path("/proc/self/status").read_text(encoding="ascii")
    fields = dict(line.split(":", 1) for line in status.splitlines())
    tasks = [task.get_coro() for task in asyncio.all_tasks()]
    calls = [task for task in tasks if getattr(task, "__qualname__", "").startswith(CLIENTS_CALL)]
    return {
        "descriptors": len(list(Path("/proc/self/fd").iterdir())),
        "threads": int(fields["Threads"]),
        "tasks": len(tasks) - len(calls),
        "calls": len(calls),
        "objects": len(gc.get_objects()),
        "memory, KiB": int(fields["VmRSS"].split()[0]),
    }


async def measure(seed: int, messages: int, at_once: int) -> list[str]:
    """Fuzz, print the figures, and return the failures."""
    ledger = Ledger()
    began = time.monotonic()
    lives, held = 0, []
    for part, upto in enumerate((min(WARM_UP, messages // 2), messages // 2, messages)):
        lives += await fuzz(f"{seed}/{part}", upto, ledger, at_once=at_once)
        held.append(figures())
    took = time.monotonic() - began
    print(
        f"seed {seed}: {ledger.messages} messages in {ledger.games} games of {lives} bots,"
        f" {took:.0f} s, load {os.getloadavg()[0]:.1f}"
    )
    for title, counts in (
        ("sent", ledger.kinds),
        ("came to", ledger.verdicts),
        ("greetings refused", ledger.refusals),
        ("aborted", ledger.aborts),
    ):
        print(f"{title}: " + ", ".join(f"{count} {kind}" for kind, count in counts.most_common()))
    print(f"{'':<14}{'warm':>10}{'half':>10}{'end':>10}")
    for name in held[0]:
        print(f"{name:<14}" + "".join(f"{figure[name]:>10}" for figure in held))
    return ledger.failures


def main() -> None:
    """Exit with 1 if any message came to anything but its verdict."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, default=4, help="at once")
    arguments = parser.parse_args()
    gc.freeze()
    gc.disable()  # as a lane's process does: it collects between games
    failures = asyncio.run(measure(arguments.seed, arguments.messages, arguments.tables))
    print(f"wrong verdicts and failures: {len(failures)}")
    for failure in failures[:SHOWN]:
        print(f"  {failure}")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
