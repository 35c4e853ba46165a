"""The bundle that a runtime is given, as a function of what is asked for."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from referee.sandbox import Limits, SandboxSpec, SandboxUnavailable
from referee.sandbox.bundle import (
    FIRST,
    Ground,
    Place,
    configuration,
    generated,
    write_bundle,
)
from referee.sandbox.engine import Engine
from referee.sandbox.guest import System
from referee.sandbox.hierarchy import Hierarchy
from referee.sandbox.interpreter import Interpreter
from referee.sandbox.oci import group_path, host_limits
from referee.sandbox.runtime import Runtime
from referee.sandbox.skeleton import Skeleton

if TYPE_CHECKING:
    from collections.abc import Mapping

TOP = Path("/sys/fs/cgroup")
MIB = 1024 * 1024
RUNC = Engine(Path("/usr/sbin/runc"), "runc", "1.1.5")
RUNSC = Engine(Path("/usr/bin/runsc"), "runsc", "0.0~20221219.0")
SYSTEM = System(
    folders=(("/usr", None), ("/bin", "usr/bin")),
    configuration=(Path("/etc/ld.so.cache"),),
    masks=(("/proc/keys", False), ("/proc/sys", True)),
)
RUNTIME = Runtime(Path("/state/runtimes/1"), Interpreter(None, "/usr"), lock=-1)
GROUND = Ground(RUNC, Path("/state/roots/1"), RUNTIME, SYSTEM, "/usr/bin/setpriv", {"x": 1})
PLACE = Place(64007, Path("/state/containers/rh-1"), "rh-1")
SPEC = SandboxSpec(
    name="hoarder",
    command=("python3", "bot.py", "--fast"),
    folder=Path("/state/run/1/bot"),
    socket=Path("/state/run/1/s.sock"),
    environment={"ROUNDHOUSE_TOKEN": "t", "ROUNDHOUSE_SOCKET": "/elsewhere"},
    limits=Limits(
        memory_bytes=100 * MIB, processes=20, cpu_cores=0.5, tmp_bytes=MIB, open_files=99
    ),
)


def at(document: Mapping[str, Any], path: str) -> Any:  # noqa: ANN401 - whatever stands there
    value: Any = document
    for key in path.split("."):
        value = value[int(key) if key.isdecimal() else key]
    return value


@pytest.fixture(params=[RUNC, RUNSC], ids=lambda engine: engine.kind)
def ground(request: pytest.FixtureRequest) -> Ground:
    return replace(GROUND, engine=request.param)


def document_of(ground: Ground) -> dict[str, Any]:
    """Return the document as a runtime would read it."""
    document: dict[str, Any] = json.loads(json.dumps(configuration(SPEC, ground, PLACE)))
    return document


def mounts_of(ground: Ground) -> dict[str, dict[str, Any]]:
    return {mount["destination"]: mount for mount in document_of(ground)["mounts"]}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("root", {"path": "/state/roots/1", "readonly": True}),
        ("process.user", {"uid": 64007, "gid": 64007}),
        ("process.terminal", False),
        ("process.noNewPrivileges", True),
        ("process.cwd", "/bot"),
        ("process.capabilities.bounding", []),
        ("process.capabilities.effective", []),
        ("process.capabilities.permitted", []),
        ("process.capabilities.inheritable", []),
        ("process.capabilities.ambient", []),
        ("linux.cgroupsPath", "rh-1"),
        ("linux.resources.memory", {"limit": 100 * MIB}),
        ("linux.resources.pids", {"limit": 23}),
        ("linux.resources.cpu", {"quota": 50_000, "period": 100_000}),
        ("linux.resources.devices", [{"allow": False, "access": "rwm"}]),
    ],
)
def test_every_runtime_is_told_the_same(ground: Ground, path: str, value: object) -> None:
    assert at(document_of(ground), path) == value


def test_every_namespace_is_new_and_none_is_joined(ground: Ground) -> None:
    kinds = ["pid", "mount", "network", "ipc", "uts", "cgroup"]
    assert at(document_of(ground), "linux.namespaces") == [{"type": kind} for kind in kinds]


def test_the_limits_of_each_process_are_set_hard(ground: Ground) -> None:
    limits = at(document_of(ground), "process.rlimits")
    assert {limit["type"]: limit["hard"] for limit in limits} == {
        "RLIMIT_CORE": 0,
        "RLIMIT_CPU": SPEC.limits.cpu_seconds,
        "RLIMIT_FSIZE": MIB,
        "RLIMIT_NOFILE": 99,
        "RLIMIT_NPROC": 20,
        "RLIMIT_MEMLOCK": 65536,
    }
    assert all(limit["soft"] == limit["hard"] for limit in limits)


def test_the_environment_is_ours_and_cannot_be_overruled_by_the_spec(ground: Ground) -> None:
    variables = dict(entry.split("=", 1) for entry in at(document_of(ground), "process.env"))
    assert variables["ROUNDHOUSE_TOKEN"] == "t"
    assert variables["ROUNDHOUSE_SOCKET"] == "/run/roundhouse.sock"
    assert set(variables) == {
        *("PATH", "HOME", "TMPDIR", "LANG", "PWD", "PYTHONUNBUFFERED"),
        *("PYTHONDONTWRITEBYTECODE", "ROUNDHOUSE_TOKEN", "ROUNDHOUSE_SOCKET"),
    }


def test_a_container_of_the_hosts_kernel_dies_with_its_runtime() -> None:
    first = ["/bin/sh", "-c", FIRST, "bot", "python3", "bot.py", "--fast"]
    dying = ["/usr/bin/setpriv", "--pdeathsig", "KILL", "--", *first]
    assert at(document_of(GROUND), "process.args") == dying
    # gVisor's processes die with the launcher by themselves, and know no parent outside.
    assert at(document_of(replace(GROUND, engine=RUNSC)), "process.args") == first


def test_all_that_is_shown_of_the_host_is_read_only(ground: Ground) -> None:
    bound = [mount for mount in mounts_of(ground).values() if mount["type"] == "bind"]
    for mount in bound:
        is_device = mount["source"].startswith("/dev/")
        assert {"rbind", "nosuid"} <= set(mount["options"])
        assert is_device or {"ro", "nodev"} <= set(mount["options"])
    sources = {mount["source"] for mount in bound if not mount["source"].startswith("/dev/")}
    assert {"/usr", str(SPEC.folder), str(SPEC.socket), str(RUNTIME.folder)} <= sources
    assert "/bin" not in sources  # a link in the root


def test_what_can_be_written_is_bounded(ground: Ground) -> None:
    mounts = mounts_of(ground)
    writable = {name for name, mount in mounts.items() if mount["type"] == "tmpfs"}
    assert writable == {"/tmp", "/dev/shm"}
    for name in writable:
        assert mounts[name]["options"] == ["nosuid", "nodev", "mode=1777", f"size={MIB}"]


def test_the_hosts_proc_is_masked_and_stood_in_for_and_gvisors_is_its_own() -> None:
    assert at(document_of(GROUND), "linux.maskedPaths") == ["/proc/keys", "/proc/sys"]
    assert {"/proc/meminfo", "/proc/stat", "/proc/uptime", "/proc/loadavg"} <= set(
        mounts_of(GROUND)
    )
    guest = replace(GROUND, engine=RUNSC)
    assert "maskedPaths" not in document_of(guest)["linux"]
    assert not [name for name in mounts_of(guest) if name.startswith(("/proc/", "/dev/n"))]


def test_a_machine_without_a_known_filter_gets_none() -> None:
    assert document_of(GROUND)["linux"]["seccomp"] == {"x": 1}
    assert "seccomp" not in document_of(replace(GROUND, seccomp=None))["linux"]


def test_gvisor_brings_its_own_list_of_calls() -> None:
    assert "seccomp" not in document_of(replace(GROUND, engine=RUNSC))["linux"]


def test_a_copied_interpreter_is_shown_where_it_believes_to_be() -> None:
    copied = replace(RUNTIME, interpreter=Interpreter(Path("/state/python"), "/opt/python"))
    ground = replace(GROUND, runtime=copied)
    assert mounts_of(ground)["/opt/python"]["source"] == "/state/python"
    assert "LD_LIBRARY_PATH=/opt/python/lib" in at(document_of(ground), "process.env")
    assert "/opt/python" in Skeleton.of(SYSTEM, copied.interpreter).folders


def test_a_bundle_on_disk_is_what_it_was_told_to_be(tmp_path: Path) -> None:
    place = Place(64007, tmp_path, "rh-1")
    write_bundle(SPEC, GROUND, place)
    written = json.loads((tmp_path / "config.json").read_text())
    assert written == json.loads(json.dumps(configuration(SPEC, GROUND, place)))
    assert (tmp_path / "etc.passwd").read_text() == "bot:x:64007:64007:bot:/tmp:/bin/sh\n"
    sources = {mount["source"] for mount in written["mounts"]}
    for inside in generated(SPEC.limits, RUNC, 64007):
        assert str(place.file(inside)) in sources
        assert place.file(inside).stat().st_mode & 0o777 == 0o644


def test_the_root_holds_a_place_for_every_mount(tmp_path: Path, ground: Ground) -> None:
    root = Skeleton.of(SYSTEM, RUNTIME.interpreter).stage(tmp_path)
    for inside, mount in mounts_of(ground).items():
        if not inside.startswith("/proc/"):
            is_folder = mount["type"] != "bind" or inside in {"/usr", "/dev", "/bot"}
            place = root / inside.lstrip("/")
            assert place.is_dir() if is_folder else place.exists(), inside
    assert str((root / "bin").readlink()) == "usr/bin"
    assert (root / "tmp").stat().st_mode & 0o7777 == 0o1777
    assert (root.parent.stat().st_mode & 0o777) == 0o700
    assert Skeleton.of(SYSTEM, RUNTIME.interpreter).stage(tmp_path) == root


def test_a_root_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "roots").write_text("in the way")
    with pytest.raises(SandboxUnavailable, match="cannot make the containers' root"):
        Skeleton.of(SYSTEM, RUNTIME.interpreter).stage(tmp_path)


def test_the_command_lines_are_those_that_the_runtimes_know() -> None:
    assert RUNC.command(Path("/b"), "rh-1") == (
        *("/usr/sbin/runc", "--root", "/b/state"),
        *("run", "--keep", "-b", "/b", "rh-1"),
    )
    assert RUNSC.command(Path("/b"), "rh-1") == (
        *("/usr/bin/runsc", "--root", "/b/state", "--ignore-cgroups", "--network=none"),
        *("--host-uds=open", "run", "--bundle", "/b", "rh-1"),
    )


@pytest.mark.parametrize(
    ("hierarchy", "path"),
    [
        (Hierarchy(1, {"pids": TOP / "pids" / "job"}, TOP / "unified"), "rh-1"),
        (Hierarchy(1, {"pids": TOP / "pids"}, None), "rh-1"),
        (Hierarchy(2, {"pids": TOP}, TOP), "/rh-1"),
        (Hierarchy(2, {"pids": TOP / "own"}, TOP / "own"), "/own/rh-1"),
    ],
)
def test_the_group_is_named_as_the_runtime_will_find_it(hierarchy: Hierarchy, path: str) -> None:
    assert group_path(hierarchy, "rh-1") == path


def test_the_group_has_room_for_what_makes_and_keeps_a_container() -> None:
    assert host_limits(Limits(processes=4), RUNC).processes == 32
    assert host_limits(Limits(processes=64), RUNC) == Limits(processes=64)
    assert host_limits(Limits(processes=64), RUNSC) == Limits(processes=640)
