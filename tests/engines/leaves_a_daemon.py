"""It plays well and goes when it is told; a process in a session of its own stays behind.

With `pipes` that process holds its output open.
"""

import os
import sys
import time

from simple import Simple

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        if "pipes" not in sys.argv:
            for stream in range(3):
                os.close(stream)
        time.sleep(3600)
    os._exit(0)


Simple().run()
