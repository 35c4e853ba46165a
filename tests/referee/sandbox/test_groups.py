"""Control groups on machines that this one is not: v2, hybrid, v1, and none."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from referee.sandbox import Limits, SandboxError, Usage
from referee.sandbox.cgroup import Cgroup, settings
from referee.sandbox.hierarchy import LEAF, Hierarchy, find_hierarchy

if TYPE_CHECKING:
    from pathlib import Path

V2_MOUNT = "30 24 0:26 {root} {at} rw,nosuid - cgroup2 cgroup2 rw"
V1_MOUNT = "31 24 0:27 / {at}/{names} rw - cgroup cgroup rw,{names}"


@dataclass
class Machine:
    """A machine's cgroup files, faked in a folder: its /proc/self and its mounts."""

    folder: Path

    @property
    def proc(self) -> Path:
        return self.folder / "proc"

    @property
    def top(self) -> Path:
        return self.folder / "cgroup"

    def write(self, mounts: str, own: str) -> None:
        self.proc.mkdir()
        text = mounts.format(root="/", at=self.top, names="{names}")
        (self.proc / "mountinfo").write_text(text)
        (self.proc / "cgroup").write_text(own)

    def group(self, path: str, **files: str) -> Path:
        folder = self.top / path
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name.replace("__", ".")).write_text(text)
        return folder


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_v2_gives_its_controllers_to_groups_below_our_own(machine: Machine) -> None:
    machine.write(V2_MOUNT, "0::/system.slice/roundhouse.service\n")
    own = machine.group(
        "system.slice/roundhouse.service",
        cgroup__controllers="cpu io memory pids\n",
        cgroup__subtree_control="",
    )
    found = find_hierarchy(machine.proc)
    assert found == Hierarchy(2, dict.fromkeys(("cpu", "memory", "pids"), own), own)
    assert (own / "cgroup.subtree_control").read_text() == "+cpu +memory +pids"
    assert found.bases == (own,)
    assert found.describe() == "v2"


def test_a_lane_in_the_leaf_makes_its_groups_beside_it(machine: Machine) -> None:
    machine.write(V2_MOUNT, f"0::/own/{LEAF}\n")
    machine.group(f"own/{LEAF}")
    own = machine.group(
        "own", cgroup__controllers="memory pids", cgroup__subtree_control="memory pids"
    )
    assert find_hierarchy(machine.proc) == Hierarchy(2, {"memory": own, "pids": own}, own)


def test_a_hybrid_machine_limits_by_v1_and_kills_by_v2(machine: Machine) -> None:
    mounts = [V1_MOUNT.format(at="{at}", names=names) for names in ("cpu,cpuacct", "memory")]
    machine.write(
        "\n".join((*mounts, V2_MOUNT.replace("{at}", "{at}/unified"))),
        "5:memory:/job\n4:cpu,cpuacct:/\n1:name=systemd:/\n0::/\n",
    )
    memory = machine.group("memory/job")
    cpu = machine.group("cpu,cpuacct")
    unified = machine.group("unified")
    found = find_hierarchy(machine.proc)
    assert found == Hierarchy(1, {"memory": memory, "cpu": cpu, "cpuacct": cpu}, unified)
    assert found.bases == (memory, cpu, unified)
    assert found.describe() == "v1 hybrid"


def test_a_whole_hierarchy_has_trees_that_only_a_runtime_has_a_use_for(machine: Machine) -> None:
    mounts = [V1_MOUNT.format(at="{at}", names=names) for names in ("pids", "devices", "freezer")]
    machine.write(
        "\n".join((*mounts, V2_MOUNT.replace("{at}", "{at}/unified"))),
        "5:pids:/job\n4:devices:/\n3:freezer:/\n0::/\n",
    )
    pids, devices = machine.group("pids/job"), machine.group("devices")
    freezer, unified = machine.group("freezer"), machine.group("unified")
    folders = {"pids": pids, "devices": devices, "freezer": freezer}
    assert find_hierarchy(machine.proc, is_whole=True) == Hierarchy(1, folders, unified)
    assert find_hierarchy(machine.proc) == Hierarchy(1, {"pids": pids}, unified)


def test_v1_alone_is_used_without_a_switch_to_kill(machine: Machine) -> None:
    machine.write(V1_MOUNT.format(at="{at}", names="pids"), "3:pids:/\n")
    pids = machine.group("pids")
    assert find_hierarchy(machine.proc) == Hierarchy(1, {"pids": pids}, None)


@pytest.mark.parametrize(
    ("mounts", "own"),
    [("", ""), (V2_MOUNT, "0::/gone\n"), (V2_MOUNT, ""), ("", "0::/\n")],
)
def test_a_machine_without_groups_of_ours_has_none(machine: Machine, mounts: str, own: str) -> None:
    machine.write(mounts, own)
    assert find_hierarchy(machine.proc) is None
    assert find_hierarchy(machine.folder / "missing") is None


def test_a_part_of_the_tree_that_a_container_sees_is_found(machine: Machine) -> None:
    machine.proc.mkdir()
    (machine.proc / "mountinfo").write_text(V2_MOUNT.format(root="/docker/1", at=machine.top))
    (machine.proc / "cgroup").write_text("0::/docker/1/x\n")
    own = machine.group("x", cgroup__controllers="pids", cgroup__subtree_control="pids")
    assert find_hierarchy(machine.proc) == Hierarchy(2, {"pids": own}, own)


LIMITS = Limits(memory_bytes=1 << 28, processes=10, cpu_cores=0.5)


def test_each_version_has_the_same_limits_in_its_own_words() -> None:
    assert {(file, value) for _, file, value in settings(2, LIMITS)} == {
        ("pids.max", "13"),
        ("memory.max", "268435456"),
        ("memory.swap.max", "0"),
        ("memory.oom.group", "1"),
        ("cpu.max", "50000 100000"),
    }
    assert {(file, value) for _, file, value in settings(1, LIMITS)} == {
        ("pids.max", "13"),
        ("memory.limit_in_bytes", "268435456"),
        ("memory.memsw.limit_in_bytes", "268435456"),
        ("memory.swappiness", "0"),
        ("cpu.cfs_period_us", "100000"),
        ("cpu.cfs_quota_us", "50000"),
    }


def test_counters_are_read_from_either_version(tmp_path: Path) -> None:
    for version, files in (
        (
            2,
            {
                "memory.events": "low 0\noom 3\noom_kill 2\n",
                "memory.peak": "4096\n",
                "cpu.stat": "usage_usec 1500000\nuser_usec 1\n",
            },
        ),
        (
            1,
            {
                "memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n",
                "memory.max_usage_in_bytes": "4096\n",
                "cpuacct.usage": "1500000000\n",
            },
        ),
    ):
        base = tmp_path / str(version)
        base.mkdir()
        folders = dict.fromkeys(("memory", "cpuacct"), base)
        group = Cgroup(Hierarchy(version, folders, base if version == 2 else None), "g", LIMITS)
        assert (group.oom_kills(), group.memory_peak(), group.cpu_seconds()) == (0, None, None)
        for name, text in files.items():
            (base / "g" / name).write_text(text)
        assert (group.oom_kills(), group.memory_peak(), group.cpu_seconds()) == (2, 4096, 1.5)
        assert group.doors == (str(base / "g" / "cgroup.procs"),)


def test_an_empty_group_is_removed(tmp_path: Path) -> None:
    group = Cgroup(Hierarchy(2, {"memory": tmp_path}, tmp_path), "g", LIMITS)
    asyncio.run(group.end())
    assert list(tmp_path.iterdir()) == []
    asyncio.run(group.end())


def test_a_group_that_cannot_be_made_leaves_no_half(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    hierarchy = Hierarchy(1, {"memory": tmp_path / "a", "pids": tmp_path / "missing"}, None)
    with pytest.raises(SandboxError, match="cannot make the control group g"):
        Cgroup(hierarchy, "g", LIMITS)
    assert list((tmp_path / "a").iterdir()) == []


@pytest.mark.parametrize(
    ("version", "is_unified", "file", "words"),
    [
        (2, True, "cgroup.freeze", ("1", "0")),
        (1, True, "cgroup.freeze", ("1", "0")),
        (1, False, "freezer.state", ("FROZEN", "THAWED")),
    ],
    ids=["v2", "hybrid", "v1"],
)
def test_a_group_is_frozen_in_the_words_of_its_version(
    tmp_path: Path, version: int, file: str, words: tuple[str, str], *, is_unified: bool
) -> None:
    folders = {} if is_unified else {"freezer": tmp_path}
    group = Cgroup(Hierarchy(version, folders, tmp_path if is_unified else None), "g", LIMITS)
    assert not group.freeze()  # an older kernel, which has no such file
    (tmp_path / "g" / file).write_text("")
    seen = []
    for act in (group.freeze, group.thaw):
        (tmp_path / "g" / file).write_text("")
        act()
        seen.append((tmp_path / "g" / file).read_text())
    assert tuple(seen) == words


def test_a_v1_group_is_thawed_before_it_is_killed(tmp_path: Path) -> None:
    group = Cgroup(Hierarchy(1, {"freezer": tmp_path}, None), "g", LIMITS)
    (tmp_path / "g" / "freezer.state").write_text("")
    group.kill()
    assert (tmp_path / "g" / "freezer.state").read_text() == "THAWED"


def test_the_freezer_of_v1_is_used_where_there_is_no_other(machine: Machine) -> None:
    machine.write(V1_MOUNT.format(at="{at}", names="freezer"), "3:freezer:/\n")
    freezer = machine.group("freezer")
    assert find_hierarchy(machine.proc) == Hierarchy(1, {"freezer": freezer}, None)


@pytest.mark.parametrize(
    ("version", "stat"),
    [(2, "usage_usec 5\nthrottled_usec 400000\n"), (1, "nr_periods 9\nthrottled_time 400000000\n")],
)
def test_what_a_groups_own_share_withheld_is_not_the_machines_fault(
    tmp_path: Path, version: int, stat: str
) -> None:
    group = Cgroup(Hierarchy(version, {"cpu": tmp_path}, tmp_path), "g", LIMITS)
    assert group.stalled() is None
    folder = tmp_path / "g"
    lines = (
        "some avg10=9.00 avg60=1.00 avg300=0.10 total=2500000",
        "full avg10=0.00 total=1500000",
    )
    (folder / "cpu.pressure").write_text("\n".join(lines))
    assert group.stalled() == timedelta(seconds=1.5)
    (folder / "cpu.stat").write_text(stat)
    assert group.stalled() == timedelta(seconds=1.1)
    (folder / "cpu.pressure").write_text(lines[0])
    assert group.stalled() is None


def test_the_usage_holds_every_counter_that_there_is(tmp_path: Path) -> None:
    folders = dict.fromkeys(("memory", "pids", "cpu"), tmp_path)
    group = Cgroup(Hierarchy(2, folders, tmp_path), "g", LIMITS)
    for name, text in {
        "memory.events": "oom_kill 2\n",
        "memory.peak": "4096\n",
        "pids.events": "max 7\n",
        "cpu.stat": "usage_usec 1500000\nthrottled_usec 250000\n",
        "cpu.pressure": "full avg10=0.00 total=1250000\n",
    }.items():
        (tmp_path / "g" / name).write_text(text)
    assert group.usage() == Usage(1.5, 4096, 2, 7, 0.25, 1.0)
    bare = tmp_path / "bare"
    bare.mkdir()
    assert Cgroup(Hierarchy(2, {}, bare), "g", LIMITS).usage() == Usage()
