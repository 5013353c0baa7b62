"""Training the weights of Othello's evaluation `learned`, in rounds: play, fit, check.

Read in this order:

plan.py       what decides the weights
games.py      games as workers play them
store.py      games on the disk, so that a run can be resumed
positions.py  from games to positions; games that are held out
fit.py        weights by least squares
check.py      errors over games that were held out, and matches
report.py     the page with the curves
run.py        the rounds
"""
