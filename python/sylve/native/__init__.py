"""Games of a user's own at the speed of the engine: `@sylve.compiled`.

wrapper.py        the source of the one C function that the engine calls
bit_code.py       the functions of `sylve.bits` as instructions
machine_code.py   compiles it, and keeps it in a file
records.py        states: bytes with named fields
plain.py          the same methods in plain Python
game.py           the game that both make together
declaration.py    what the decorator does
entry.py          the decorator
"""
