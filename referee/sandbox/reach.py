"""Whether a uid that is nobody's can reach a file."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def is_reachable(path: Path) -> bool:
    """Tell whether everybody may read ``path`` and pass through all folders above it.

    Links are followed first. A folder or a program must let everybody enter or run it, too.
    """
    try:
        real = path.resolve(strict=True)
        mode = real.stat().st_mode
        needed = stat.S_IROTH | (0 if stat.S_ISREG(mode) and not mode & 0o100 else stat.S_IXOTH)
        return mode & needed == needed and all(
            parent.stat().st_mode & stat.S_IXOTH for parent in real.parents
        )
    except OSError:
        return False
