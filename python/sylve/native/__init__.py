"""Games, rules, schedules and policies at the speed of the engine: `@sylve.compiled`.

bit_code.py         the functions of `sylve.bits` as instructions
arithmetic_code.py  the logarithm of a count
machine_code.py     compiles a class, and keeps the code in a file
wrapper.py          the source of the one C function of a game
records.py          states: bytes with named fields
plain.py            the same methods in plain Python
game.py             the game that both make together
declaration.py      what the decorator does with a game
part_types.py       tallies and random numbers in compiled code
part_code.py        the source of the one C function of a part of a search
part.py             what the decorator does with such a part
entry.py            the decorator
"""
