"""Sleep, and never dial the socket."""

import time

time.sleep(600)
