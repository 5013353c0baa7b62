"""It runs, and never reads or says anything."""

import time

time.sleep(3600)
