"""Nothing of a bot is built or run by whoever packs, reads or unpacks it."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from roundhouse.package import pack, read_package

if TYPE_CHECKING:
    from pathlib import Path

TRAP = "import pathlib; pathlib.Path({!r}).touch()\n"
PYTHON = ("setup.py", "conftest.py", "sitecustomize.py", "usercustomize.py", "bot.py", "build.py")
READER = """
import pathlib, sys
from roundhouse.package import read_package
package = read_package(pathlib.Path(sys.argv[1]).read_bytes())
folder = pathlib.Path(sys.argv[2])
folder.mkdir()
package.unpack_into(folder)
"""


def test_files_that_build_tools_would_run_are_nothing_but_files(tmp_path: Path) -> None:
    bot, sprung = tmp_path / "bot", tmp_path / "sprung"
    bot.mkdir()
    for name in PYTHON:
        (bot / name).write_text(TRAP.format(str(sprung)))
    (bot / "Makefile").write_text(f"all:\n\ttouch {sprung}\n")
    (bot / "build.sh").write_text(f"#!/bin/sh\ntouch {sprung}\n")
    (bot / "build.sh").chmod(0o755)
    (bot / "pyproject.toml").write_text('[build-system]\nrequires = []\nbuild-backend = "build"\n')
    (bot / "package.json").write_text(f'{{"scripts": {{"preinstall": "touch {sprung}"}}}}\n')
    (bot / "roundhouse.toml").write_text(
        'name = "trap"\nlanguage = "python"\nentry = "./build.sh"\n'
    )

    archive = tmp_path / "archive"
    archive.write_bytes(pack(bot))
    assert len(read_package(archive.read_bytes()).files) == len(list(bot.iterdir()))
    # From the unpacked folder as well: whatever an interpreter loads there by itself.
    command = [sys.executable, "-c", READER, str(archive), str(tmp_path / "out")]
    subprocess.run(command, cwd=tmp_path, check=True)

    assert (tmp_path / "out" / "setup.py").exists()
    assert not sprung.exists()
