# Tic-tac-toe: small enough that every answer is known.
set_game tic_tac_toe
1 showboard
#? [   a b c\| 1 \. \. \.\| 2 \. \. \.\| 3 \. \. \.\|x to move]
2 boardsize 3
#? []
3 boardsize 4
#? [\? unacceptable size]
4 boardsize 3 4
#? [\? unacceptable size]
5 gogui-play_sequence b a1 w b1 b a2 w b2
#? []
6 reg_genmove b
#? [a3]
7 legal_moves
#? [c1 c2 a3 b3 c3]
8 play b c1
#? []
9 genmove w
#? [b3]
10 final_score
#? [W\+]
11 clear_board
#? []
12 gogui-play_sequence b a1 w b2 b c3 w b1 b b3 w a3 b c1 w c2 b a2
#? []
13 final_score
#? [0]
14 genmove w
#? [\? the game is over]
15 printsgf
#? [.*GM\[TicTacToe\]SZ\[3\]RE\[Draw\].*]
16 undo
#? []
17 legal_moves
#? [a2]
18 genmove b
#? [a2]
19 final_score
#? [0]
