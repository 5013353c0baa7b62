"""Searches under way: `searcher.py` drives either engine within a budget, from any thread.

`runner.py` says what an engine must do; `in_python.py` and `compiled.py` are the two engines,
`summed.py` and `distributed.py` add up independent searches. `criteria.py` says when to stop,
`search_file.py` and `search_bytes.py` keep a search in a file. `watching.py` runs one simulation
step by step, on the part of the compiled tree that it comes to (`part_of_tree.py`).
"""
