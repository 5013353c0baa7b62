"""The algorithms, written to be read. Rust does the same, only fast; both give the same numbers.

Read the files in this order:

    tally.py        what is counted for a move: visits, wins, draws
    rules.py        bandit rules: UCB1 and its variants (document 003)
    bandits.py      searches without a tree: flat, AMAF, UCB, sequential halving (001, 003)
    schedules.py    beta, the weight of AMAF in RAVE (document 002)
    formulas.py     the score of a move: UCT, AMAF, RAVE, GRAVE (000, 002, 003)
    tree.py         the loop of every tree search: descend, play out, update; proofs; batches
    policies.py     how playouts choose their moves (001)
    alpha_beta.py   minimax and alpha-beta (document 004)
    own_parts.py    rules, schedules and policies of the user's own, checked
    searches.py     the searches as data: arguments, defaults, papers
    arithmetic.py   logarithms and quantiles that are the same to the bit in every language

`docs/spec.md` states every formula. `sylve.rules`, `sylve.schedules` and `sylve.policies` are the
public names of what is here.
"""
