"""What every test needs."""

import signal

# A shell that runs the tests in the background has them ignore Ctrl-C, and with them every program
# that they start; some tests interrupt these.
signal.signal(signal.SIGINT, signal.default_int_handler)
