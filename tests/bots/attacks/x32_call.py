"""Call the kernel by the numbers of x32, past a filter that looks at the others."""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(ctypes.c_long(0x4000_0000 + 39))  # getpid
print("LEAK", "getpid by x32:", result, ctypes.get_errno(), flush=True)
