"""Read an uploaded archive without trusting a byte of it.

The walk over the headers is our own and knows two kinds of member, files and folders, in the ustar
format: Python's `tarfile` follows extensions (sparse files, pax records, long names) that let a
small archive claim a large or a misplaced file, and its safe filter is missing from Debian's Python
3.11.2. Each header is read by `tarfile.TarInfo`.
"""

import hashlib
import os
import tarfile
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from roundhouse.compression import decompress
from roundhouse.errors import CompressionError, PackageError
from roundhouse.package.limits import (
    MAX_ARCHIVE_BYTES,
    MAX_FILES,
    MAX_NAME_BYTES,
    MAX_UNPACKED_BYTES,
)
from roundhouse.package.manifest import MANIFEST_NAME, Manifest

_BLOCK = tarfile.BLOCKSIZE
_FILES = (tarfile.REGTYPE, tarfile.AREGTYPE)
_KINDS = {
    tarfile.SYMTYPE: "a symbolic link",
    tarfile.LNKTYPE: "a hard link",
    tarfile.CHRTYPE: "a device",
    tarfile.BLKTYPE: "a device",
    tarfile.FIFOTYPE: "a named pipe",
    tarfile.GNUTYPE_SPARSE: "a sparse file",
}
# Every file costs its header and padding, so the tar file may be larger than its content.
_MAX_TAR_BYTES = MAX_UNPACKED_BYTES + 2 * MAX_FILES * _BLOCK + tarfile.RECORDSIZE


@dataclass(frozen=True, slots=True)
class PackedFile:
    """One file of a bot: its path below the bot's folder, with `/` between the parts."""

    name: str
    data: bytes
    is_executable: bool


@dataclass(frozen=True, slots=True)
class Package:
    """A bot's archive, read and checked."""

    manifest: Manifest
    hash: str
    files: tuple[PackedFile, ...]

    def unpack_into(self, folder: Path) -> None:
        """Write the files below an empty folder, readable by everybody.

        Raises `PackageError` when the folder is missing or not empty, or cannot be written to.
        """
        try:
            if any(folder.iterdir()):
                raise PackageError(f"The folder {folder} is not empty; unpack into an empty one.")
            for file in self.files:
                path = folder / file.name
                path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
                mode = 0o755 if file.is_executable else 0o644
                # O_EXCL: nothing is overwritten or followed, even if somebody else is at work here.
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
                with os.fdopen(os.open(path, flags, mode), "wb") as stream:
                    stream.write(file.data)
        except OSError as error:
            raise PackageError(f"Cannot unpack into {folder}: {error.strerror}.") from error


def content_hash(archive: bytes) -> str:
    """Return the name of a bot version: the SHA-256 of its archive, 64 hexadecimal digits."""
    return hashlib.sha256(archive).hexdigest()


def read_package(archive: bytes) -> Package:
    """Check an archive and read its files and manifest, without touching the disk.

    Raises `PackageError` with the reason. Nothing beyond the limits is ever decompressed.
    """
    if len(archive) > MAX_ARCHIVE_BYTES:
        raise PackageError(
            f"The archive has {len(archive)} bytes; it may have {MAX_ARCHIVE_BYTES} at most."
        )
    try:
        tar = decompress(archive, _MAX_TAR_BYTES)
    except CompressionError as error:
        raise PackageError(f"The archive {error}; upload a tar.gz file.") from error
    files = tuple(_files(tar))
    _require_distinct(files)
    manifest = next((file.data for file in files if file.name == MANIFEST_NAME), None)
    if manifest is None:
        raise PackageError(
            f"The archive has no {MANIFEST_NAME} at its top; pack the bot's folder itself."
        )
    return Package(Manifest.parse(manifest), content_hash(archive), files)


def _files(tar: bytes) -> Iterator[PackedFile]:
    """Yield the files of a tar file; folders are implied by them and only checked."""
    total = count = position = 0
    while tar[position : position + _BLOCK].strip(b"\0"):
        member = _header(tar[position : position + _BLOCK])
        position += _BLOCK
        name = _checked_name(member)
        if count >= MAX_FILES:
            raise PackageError(f"The archive holds more than {MAX_FILES} files and folders.")
        count += 1
        if member.isdir():
            continue
        total += member.size
        if total > MAX_UNPACKED_BYTES:
            raise PackageError(
                f"The archive unpacks to more than {MAX_UNPACKED_BYTES // 1024**2} MiB."
            )
        data = tar[position : position + member.size]
        if len(data) != member.size:
            raise PackageError(f"The archive is cut short within {name!r}.")
        yield PackedFile(name, data, is_executable=bool(member.mode & 0o100))
        position += -(-member.size // _BLOCK) * _BLOCK


def _header(block: bytes) -> tarfile.TarInfo:
    try:
        member = tarfile.TarInfo.frombuf(block, "utf-8", "strict")
    except UnicodeDecodeError as error:
        raise PackageError(
            "The archive holds a name that is not UTF-8; rename the file."
        ) from error
    except (tarfile.TarError, ValueError) as error:
        raise PackageError("The archive is not a tar file, or is damaged.") from error
    if member.type in _KINDS:
        raise PackageError(
            f"The archive holds {_KINDS[member.type]}, {member.name!r}; "
            "only files and folders may be in it."
        )
    if member.type not in _FILES and not member.isdir():
        raise PackageError(
            f"The archive uses a tar extension (type {member.type!r}) that is not read here; "
            "let `roundhouse` pack it, or use `tar --format=ustar`."
        )
    if member.size < 0 or (member.isdir() and member.size):
        raise PackageError(f"The archive gives {member.name!r} the size {member.size}.")
    if member.mode & 0o7000:
        raise PackageError(
            f"The archive gives {member.name!r} the mode {member.mode:o}; "
            "setuid, setgid and sticky bits are refused."
        )
    return member


def _checked_name(member: tarfile.TarInfo) -> str:
    """Return the member's path without a leading `./`; an empty one is the bot's folder itself."""
    name = member.name
    if name.startswith("/") or "\\" in name or not name.isprintable():
        raise PackageError(
            f"The archive holds the path {name!r}; paths must be plain and relative."
        )
    parts = [part for part in name.split("/") if part not in {"", "."}]
    if ".." in parts:
        raise PackageError(f"The archive holds the path {name!r}, which leads out of its folder.")
    if not parts and not member.isdir():
        raise PackageError(f"The archive holds a file without a name ({name!r}).")
    path = "/".join(parts)
    if len(path.encode()) > MAX_NAME_BYTES:
        raise PackageError(
            f"The archive holds the path {path[:40]!r}..., longer than {MAX_NAME_BYTES} bytes."
        )
    return path


def _require_distinct(files: tuple[PackedFile, ...]) -> None:
    """Refuse names that some file system would take for the same, and files used as folders."""
    seen: dict[str, str] = {}
    for file in files:
        key = _folded(file.name)
        if key in seen:
            raise PackageError(
                f"The archive holds both {seen[key]!r} and {file.name!r}; rename one of them."
            )
        seen[key] = file.name
    for file in files:
        parts = file.name.split("/")
        for depth in range(1, len(parts)):
            folder = "/".join(parts[:depth])
            if _folded(folder) in seen:
                raise PackageError(f"The archive holds {folder!r} both as a file and as a folder.")


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name.casefold())
