"""What a container really holds on this machine, asked as for bubblewrap and told apart by kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.sandbox.driver import SandboxUnavailable
from referee.sandbox.policy import PolicyReport
from referee.sandbox.probe import LOOKED_AT, ask, group_features, machine_facts
from referee.sandbox.spec import Limits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.sandbox.oci import OciDriver
    from referee.sandbox.probe import Answers

LIST = "allow-list of system calls (seccomp)"


async def inspect(driver: OciDriver) -> PolicyReport:
    """Run the probe's script in a container as a bot would run, and report.

    Raises `SandboxUnavailable` if the container cannot be made, or does not hold what every one
    must: then no bot may run here.
    """
    engine = driver.ground.engine
    seen = await ask(driver, driver.state)
    if not seen.is_answered:
        raise SandboxUnavailable(
            f"{engine.kind} cannot make a container here ({seen.exit.describe()}: {seen.last});"
            " set ROUNDHOUSE_SANDBOX_RUNTIME to the other of runsc and runc, or unset"
            " ROUNDHOUSE_SANDBOX to use bubblewrap"
        )
    promises = tuple(_promises(driver, seen.answers))
    seen.require(promises)
    features = tuple(group_features(driver.hierarchy, has_freezer=seen.has_freezer))
    if not engine.has_own_kernel and driver.ground.seccomp is None:
        features += ((LIST, False),)
    return PolicyReport(
        driver=driver.name,
        is_isolated=True,
        enforced=(
            *(what for what, _ in promises),
            "a uid of its own for every bot",
            *([] if engine.has_own_kernel else [LOOKED_AT]),
            *(what for what, has in features if has),
            "limits of each process (rlimits)",
            f"limits: {Limits().describe()}",
        ),
        missing=tuple(what for what, has in features if not has),
        facts=((engine.kind, engine.version), *machine_facts(driver.hierarchy)),
        has_meter=driver.hierarchy.has_meter,
    )


def _promises(driver: OciDriver, answers: Answers) -> Iterator[tuple[str, bool]]:
    """Yield what every container must hold, each with what was seen."""
    engine = driver.ground.engine
    zero = ["0000000000000000"]
    capabilities = [answers.values(name) for name in ("CapPrm", "CapEff", "CapBnd")]
    yield "no capabilities", capabilities == [zero, zero, zero]
    yield "no network but its own loopback", set(answers.values("interface")) <= {"lo"}
    yield "no processes but its own", len(answers.values("process")) <= 3
    yield "read-only system and bot", not answers.values("writable")
    if engine.has_own_kernel:
        yield "a kernel of its own (gVisor)", answers.values("NoNewPrivs") == []
        return
    yield "no new privileges", answers.values("NoNewPrivs") == ["1"]
    if driver.ground.seccomp is not None:
        yield LIST, answers.values("Seccomp") == ["2"]
