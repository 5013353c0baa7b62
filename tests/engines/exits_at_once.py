"""It ends before the first command."""

import sys

sys.exit("cannot find my opening book")
