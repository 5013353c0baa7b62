"""Matches and tournaments between players: played, kept, and judged honestly.

player.py, players.py      who plays
openings.py, schedule.py   what is played: every opening twice, with colours swapped
game.py                    one game, from its identity alone
config.py                  the whole of a run, as data
schema.py, store.py        the file that keeps it; verify.py checks it, connection.py opens it
runner.py                  gives games to workers (sylve/workers) and writes their results
statistics.py, ratings.py, sprt.py    what the results show
standings.py, block.py, show.py, report.py, export.py    how it is told
"""
