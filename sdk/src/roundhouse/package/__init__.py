"""A bot as it is uploaded: its manifest, its archive, and how both are checked.

Used by the command line, the ladder and the referee, so that all three refuse the same things in
the same words.
"""

from roundhouse.errors import PackageError
from roundhouse.package.archive import Package, PackedFile, content_hash, read_package
from roundhouse.package.limits import (
    MAX_ARCHIVE_BYTES,
    MAX_FILES,
    MAX_NAME_BYTES,
    MAX_UNPACKED_BYTES,
)
from roundhouse.package.manifest import MANIFEST_NAME, Manifest
from roundhouse.package.packing import pack

__all__ = [
    "MANIFEST_NAME",
    "MAX_ARCHIVE_BYTES",
    "MAX_FILES",
    "MAX_NAME_BYTES",
    "MAX_UNPACKED_BYTES",
    "Manifest",
    "Package",
    "PackageError",
    "PackedFile",
    "content_hash",
    "pack",
    "read_package",
]
