"""What bubblewrap says about its sandbox on `--json-status-fd`."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Status:
    """The documents read so far, folded together.

    ``exit_code`` is there only if the command was started and ended by itself; bubblewrap writes
    it in the shell's encoding, 128 + n for signal n.
    """

    child_pid: int | None = None
    """The sandbox's first process, whose death is the death of all."""
    exit_code: int | None = None

    def read(self, line: bytes) -> Status:
        """Return the status after one more line; what we do not know is passed over."""
        try:
            document = json.loads(line)
        except ValueError:
            return self
        if not isinstance(document, dict):
            return self
        child, code = document.get("child-pid"), document.get("exit-code")
        status = self
        if isinstance(child, int):
            status = replace(status, child_pid=child)
        if isinstance(code, int):
            status = replace(status, exit_code=code)
        return status
