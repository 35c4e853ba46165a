"""Generate `sdk/src/roundhouse/api` from the .proto files, or check that it is fresh.

The output root is `sdk/src` and the proto root is this folder, so that the proto package
`roundhouse.api.game.v1` is the Python package of the same name and no import needs rewriting.

Beside it go copies of the .proto files that a bot in another language needs: `roundhouse new` hands
them out, and the SDK's wheel can hold only what lies in its own folder.

    python proto/generate.py            write the generated code
    python proto/generate.py --check    exit 1 and name the files that differ
"""

from __future__ import annotations

import argparse
import filecmp
import importlib.resources
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

PROTO_ROOT = Path(__file__).resolve().parent
OUTPUT_ROOT = PROTO_ROOT.parent / "sdk" / "src"
PACKAGE = Path("roundhouse", "api")
KIT_PROTOS = Path("roundhouse", "kits", "proto")
BOTS_SERVICE = "roundhouse/api/referee/v1/play.proto"
INIT = '"""Generated from `proto/`; never edited. `python proto/generate.py` makes it anew."""\n'


def generate(output_root: Path) -> None:
    """Write the generated package below `output_root`, replacing what stood there.

    Raises:
        subprocess.CalledProcessError: the compiler refused a file; it has printed why.
    """
    shutil.rmtree(output_root / PACKAGE, ignore_errors=True)
    output_root.mkdir(parents=True, exist_ok=True)
    sources = sorted(
        str(path.relative_to(PROTO_ROOT)) for path in (PROTO_ROOT / PACKAGE).rglob("*.proto")
    )
    well_known = importlib.resources.files("grpc_tools") / "_proto"
    # The plugins of mypy-protobuf stand beside the interpreter, which need not be on PATH.
    scripts = sysconfig.get_path("scripts")
    environment = os.environ | {"PATH": f"{scripts}{os.pathsep}{os.environ.get('PATH', '')}"}
    subprocess.run(
        [
            sys.executable,
            "-m",
            "grpc_tools.protoc",
            f"--proto_path={PROTO_ROOT}",
            f"--proto_path={well_known}",
            f"--python_out={output_root}",
            f"--grpc_python_out={output_root}",
            f"--mypy_out=quiet:{output_root}",
            f"--mypy_grpc_out=quiet:{output_root}",
            *sources,
        ],
        check=True,
        env=environment,
    )
    package = output_root / PACKAGE
    for source in sources:
        if "\nservice " not in (PROTO_ROOT / source).read_text(encoding="utf-8"):
            for suffix in (".py", ".pyi"):  # empty modules, which would only hide the real ones
                (output_root / source.replace(".proto", f"_pb2_grpc{suffix}")).unlink(
                    missing_ok=True
                )
    for folder in [package, *(path for path in package.rglob("*") if path.is_dir())]:
        (folder / "__init__.py").write_text(INIT, encoding="utf-8")
    shutil.rmtree(output_root / KIT_PROTOS, ignore_errors=True)
    for source in imported(BOTS_SERVICE):
        target = output_root / KIT_PROTOS / source
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(PROTO_ROOT / source, target)


def imported(source: str) -> set[str]:
    """Return a .proto file and all of ours that it imports, however indirectly."""
    found: set[str] = set()
    queue = [source]
    while queue:
        one = queue.pop()
        if one not in found:
            found.add(one)
            text = (PROTO_ROOT / one).read_text(encoding="utf-8")
            queue += re.findall(r'^import "(roundhouse/.+)";$', text, re.MULTILINE)
    return found


def differences(fresh: Path, committed: Path) -> list[str]:
    """Return the files, relative to the output root, that differ, are missing, or are left over."""

    def files(root: Path) -> set[Path]:
        return {
            path.relative_to(root)
            for folder in (PACKAGE, KIT_PROTOS)
            for path in (root / folder).rglob("*")
            if path.is_file() and path.suffix in {".py", ".pyi", ".proto"}
        }

    wanted, found = files(fresh), files(committed)
    stale = wanted ^ found
    stale |= {
        path
        for path in wanted & found
        if not filecmp.cmp(fresh / path, committed / path, shallow=False)
    }
    return sorted(str(path) for path in stale)


def main() -> int:
    """Run the command line; return its exit code."""
    parser = argparse.ArgumentParser(description="Generate the API package from the .proto files.")
    parser.add_argument("--check", action="store_true", help="only say whether it is fresh")
    arguments = parser.parse_args()
    if not arguments.check:
        generate(OUTPUT_ROOT)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder))
        stale = differences(Path(folder), OUTPUT_ROOT)
    if stale:
        print(f"The generated code is not fresh: {', '.join(stale)}. Run `proto/generate.py`.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
