"""`python -m sylve`: the command, where the script is not on the path."""

from sylve.cli import main

main()
