"""The course's own functions, to be run as its documents print them.

board.py    the board of Breakthrough that they need, and its moves
amaf.py     document 000: playout, playoutAMAF, add, addAMAF, updateAMAF, compare_estimates
flat.py     document 001: flat, and its loop with a clock
rave.py     document 002: estimate_variances, estimate_bias_squared, compute_optimal_beta
ucb.py      document 003: UCB, UCB_optimized
uct.py      UCT with the table of document 000; with AMAF and RAVE
othello.py  document 004: both evaluations, alpha_beta

docs/course.md, and in French docs/cours.md, go through the documents section by section.

Names are those of the documents, and so are the slips: a comment `# slip:` marks each. Nobody
should use this for anything but reading and comparing: the searches of `sylve` are right, and
hundreds of times faster.
"""
