# Files: tests/test_gtp.py runs this in a folder with game.sgf (five moves of 5 x 5 Go) and game.txt.
1 loadsgf game.sgf
#? []
2 get_game
#? [go\(size=5, komi=0.5\)]
3 sylve-position
#? [...../...../.oxx./.o.../..... o - 1]
4 undo
#? []
5 gg-undo 3
#? []
6 undo
#? []
7 undo
#? [\? cannot undo]
8 loadsgf game.sgf 1
#? []
9 sylve-position
#? [...../...../...../...../..... x - 0]
10 loadsgf game.sgf 3
#? []
11 printsgf
#? [.*;B\[cc\];W\[bc\]\)]
12 loadsgf game.sgf 100
#? []
13 printsgf
#? [.*;B\[cc\];W\[bc\];B\[dc\];W\[bd\];B\[\]\)]
14 printsgf copy.sgf
#? []
15 clear_board
#? []
16 loadsgf copy.sgf
#? []
17 printsgf
#? [.*;B\[cc\];W\[bc\];B\[dc\];W\[bd\];B\[\]\)]
18 loadsgf game.txt
#? []
19 get_game
#? [connect_four]
20 legal_moves
#? [1 2 3 4 5 6 7]
21 loadsgf bad.sgf
#? [\? cannot load file: bad.sgf: SGF: move 2, W: illegal move .*]
22 get_game
#? [connect_four]
