"""How large a bot may be."""

MAX_ARCHIVE_BYTES = 8 * 1024 * 1024
"""The compressed archive: what one upload may cost the ladder in memory and on the wire."""

MAX_UNPACKED_BYTES = 64 * 1024 * 1024
"""All files together; room for a small network's weights, and no room for a bomb."""

MAX_FILES = 2000
"""Files in an archive: each one is an inode and a system call in every sandbox."""

MAX_NAME_BYTES = 200
"""A file's path in the archive, in UTF-8: it fits a tar header without extensions."""

MAX_MANIFEST_BYTES = 16 * 1024
"""The manifest: it is parsed wherever a bot is looked at."""
