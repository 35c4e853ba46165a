"""This machine and its isolation, as logs and callers know it."""

from __future__ import annotations

import platform
from importlib.metadata import version
from typing import TYPE_CHECKING

from roundhouse.api.game.v1.log_pb2 import Host

if TYPE_CHECKING:
    from referee.sandbox import PolicyReport


def describe_host(report: PolicyReport) -> Host:
    """Return what stands in the log of every game that is played under this report."""
    facts = [f"{name}: {value}" for name, value in report.facts]
    return Host(
        referee_version=version("roundhouse"),
        driver=report.driver,
        isolated=report.is_isolated,
        enforced=[*facts, *report.enforced],
        missing=report.missing,
        name=platform.node(),
    )
