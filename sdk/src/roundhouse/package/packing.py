"""Pack a bot's folder: the same files give the same archive, and so the same content hash."""

import io
import os
import posixpath
import stat
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from roundhouse.compression import compress
from roundhouse.errors import PackageError
from roundhouse.package.archive import Package, read_package
from roundhouse.package.limits import MAX_ARCHIVE_BYTES, MAX_FILES, MAX_UNPACKED_BYTES
from roundhouse.package.manifest import MANIFEST_NAME, Manifest

_JUNK_FOLDERS = frozenset({"__pycache__", "__MACOSX", "node_modules"})
_JUNK_SUFFIXES = (".pyc", ".pyo", "~")


def pack(folder: Path) -> bytes:
    """Return the archive of a bot's folder, a tar.gz in which only names and content matter.

    Files are sorted; owners, dates and all mode bits but "executable" are dropped. Left out are
    hidden files, caches, and virtual environments. Raises `PackageError` when the manifest is
    missing or wrong or names a program of the folder that is not there, for links and other special
    files, and above the limits.
    """
    Manifest.load(folder)
    try:
        tar = _tar(folder)
    except OSError as error:
        raise PackageError(
            f"{error.filename or folder} cannot be read: {error.strerror}."
        ) from error
    archive = compress(tar)
    if len(archive) > MAX_ARCHIVE_BYTES:
        raise PackageError(
            f"{folder} packs to {len(archive)} bytes; an archive may have {MAX_ARCHIVE_BYTES} at "
            "most. Move out of the folder what the bot does not need."
        )
    _require_program(read_package(archive))  # what we pack, we accept: names, duplicates, sizes
    return archive


def _require_program(package: Package) -> None:
    """Refuse to pack a bot of one's own that was not built: nothing is built where it is played."""
    program = package.manifest.entry[0]
    if "/" not in program or program.startswith("/"):
        return  # a program of the referee's machine
    file = next((one for one in package.files if one.name == posixpath.normpath(program)), None)
    if file is None:
        raise PackageError(
            f"{MANIFEST_NAME}: the entry starts {program}, which is not in the folder; "
            "build the bot first."
        )
    if not file.is_executable:
        raise PackageError(f"{file.name} is not executable; allow it with chmod +x.")


def _tar(folder: Path) -> bytes:
    buffer = io.BytesIO()
    total = 0
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for count, path in enumerate(_files(folder)):
            name = path.relative_to(folder).as_posix()
            info = tarfile.TarInfo(name)
            status = path.stat()
            info.size = status.st_size
            info.mode = 0o755 if status.st_mode & stat.S_IXUSR else 0o644
            total += info.size
            if total > MAX_UNPACKED_BYTES or count >= MAX_FILES:
                raise PackageError(
                    f"{folder} holds more than {MAX_FILES} files or "
                    f"{MAX_UNPACKED_BYTES // 1024**2} MiB. "
                    "Move out of it what the bot does not need."
                )
            try:
                with path.open("rb") as stream:
                    tar.addfile(info, stream)
            except ValueError as error:  # a name that fits no ustar header
                raise PackageError(f"The name {name!r} is too long; shorten it.") from error
    return buffer.getvalue()


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files that belong to the bot, sorted by path, so that the order is always one."""
    found: list[Path] = []

    def stop(error: OSError) -> NoReturn:
        raise error  # a folder that cannot be listed must not be left out in silence

    for parent, folders, names in os.walk(folder, onerror=stop):
        kept = [name for name in folders if not _is_junk_folder(Path(parent, name))]
        for name in kept:
            _require_plain(Path(parent, name))
        folders[:] = kept  # tells `os.walk` where to go on
        for name in names:
            if not name.startswith(".") and not name.endswith(_JUNK_SUFFIXES):
                _require_plain(Path(parent, name))
                found.append(Path(parent, name))
    return iter(sorted(found, key=lambda path: path.relative_to(folder).as_posix().encode()))


def _is_junk_folder(path: Path) -> bool:
    is_environment = (path / "pyvenv.cfg").exists()
    return path.name.startswith(".") or path.name in _JUNK_FOLDERS or is_environment


def _require_plain(path: Path) -> None:
    mode = path.lstat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        kind = "a symbolic link" if stat.S_ISLNK(mode) else "neither a file nor a folder"
        raise PackageError(f"{path} is {kind}; put a copy of the file in its place.")
