"""`python -m sylve`: the command, where the script is not on the path."""

from sylve_command import main

if __name__ == "__main__":
    main()
