"""Run a program that the kernel kills when our parent ends: PARENT PROGRAM [ARGUMENT ...].

It is run as a file by a bare interpreter (`-I -S`), so that it costs a hundredth of a second, and
takes the program's place. util-linux's `setpriv --pdeathsig` would do the same, but for a parent
that ended a moment too early.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1

if __name__ == "__main__":
    parent, program = int(sys.argv[1]), sys.argv[2]
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() == parent:
        # A parent that started us with signals blocked would have blocked them for good.
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        os.execv(program, sys.argv[2:])  # noqa: S606 - no shell is wanted
