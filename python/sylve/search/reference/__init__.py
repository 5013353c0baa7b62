"""The algorithms, written to be read. Rust does the same, only fast; both give the same numbers.

Read the files in this order:

    tally.py        what is counted for a move: visits, wins, draws
    rules.py        bandit rules: UCB1 and its variants (document 003)
    bandits.py      searches without a tree: flat, AMAF, UCB, sequential halving (001, 003)
    schedules.py    beta, the weight of AMAF in RAVE (document 002)
    formulas.py     the score of a move: UCT, AMAF, RAVE, GRAVE (000, 002, 003)
    node.py         what a tree is made of
    tree.py         the loop of every tree search: descend, play out, update; proofs; batches
    policies.py     how playouts choose their moves (001)
    guided.py       policies that reply to the last move, or are made of others
    go_playouts.py  policies of Go: atari, patterns, captures
    results.py      results of simulations: games that ended, or estimates
    cut.py          playouts that an evaluation cuts short
    evaluating.py   positions as values between a loss and a win
    priors.py       what the moves of a new node begin with
    evaluated.py    priors and implicit minimax, around any formula
    alpha_beta.py   minimax and alpha-beta (document 004)
    own_parts.py    rules, schedules and policies of the user's own, checked
    searches.py     the searches as data: arguments, defaults, papers
    arithmetic.py   logarithms and quantiles that are the same to the bit in every language

`docs/spec.md` states every formula. `sylve.rules`, `sylve.schedules`, `sylve.policies` and
`sylve.priors` are the public names of what is here.
"""
