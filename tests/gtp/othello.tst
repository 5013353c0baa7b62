# Othello: a1 is top left, passes are moves, and those that are forced may be left out.
set_game othello
1 showboard
#? [   a b c d e f g h\| 1 \. .*\| 4 \. \. \. o x .*\| 8 .*\|x to move]
2 legal_moves
#? [d3 c4 f5 e6]
3 legal_moves b
#? [d3 c4 f5 e6]
4 legal_moves w
#? [\? illegal move: it is black's turn]
5 play b a1
#? [\? illegal move 'a1': legal here: d3 c4 f5 e6]
6 play b i9
#? [\? syntax error: invalid move 'i9': expected a cell from "a1" \(top left\) to "h8", or "pass"]
7 play w d3
#? [\? illegal move: it is black's turn]
8 play b pass
#? [\? illegal move 'pass': legal here: d3 c4 f5 e6]
9 play b F5
#? []
10 legal_moves
#? [f4 d6 f6]
11 play b d3
#? [\? illegal move: it is white's turn]
12 genmove b
#? [\? illegal move: it is white's turn]
13 play white d6
#? []
14 play BLACK c3
#? []
15 undo
#? []
16 play b c3
#? []
17 printsgf
#? [\(;FF\[4\].*GM\[2\]SZ\[8\].*;B\[f5\];W\[d6\];B\[c3\]\)]
18 final_score
#? [\? cannot score: the game is not over]
19 boardsize 6
#? []
20 legal_moves
#? [c2 b3 e4 d5]
21 boardsize 10
#? [\? unacceptable size]
22 boardsize 6 8
#? [\? unacceptable size]
23 komi 6.5
#? []
24 get_komi
#? [\? only in go, not in othello]
25 fixed_handicap 2
#? [\? only in go, not in othello]
26 final_status_list alive
#? [\? only in go, not in othello]
27 boardsize 4
#? []
28 sylve-position
#? [..../.ox./.xo./.... x]
# Black cannot move, White can: the pass is the only move.
29 set_position xo../..../..../.... o
#? []
30 set_position ox../..../..../.... o
#? []
31 legal_moves
#? [c1]
32 set_position ox../..../..../.... x
#? []
33 legal_moves
#? [pass]
34 is_legal b pass
#? [1]
35 play w c1
#? []
36 sylve-position
#? [ooo./..../..../.... x]
37 final_score
#? [W\+3]
38 genmove b
#? [pass]
39 undo
#? []
40 undo
#? []
41 sylve-position
#? [ox../..../..../.... x]
42 play b pass
#? []
43 genmove w
#? [c1]
44 undo
#? []
45 undo
#? []
46 genmove w
#? [c1]
47 legal_moves
#? []
48 play b d4
#? [\? illegal move 'd4': the game is over]
49 set_position xxxx/oooo/xxxx/oooo x
#? []
50 final_score
#? [0]
51 set_position xxxx/xooo/xxxx/oooo x
#? []
52 final_score
#? [B\+2]
# OBF on the usual board.
53 set_game othello
#? []
54 set_position ---------------------------OX------XO--------------------------- X;
#? []
55 legal_moves
#? [d3 c4 f5 e6]
56 genmove b
#? [d3|c4|f5|e6]
57 reg_genmove w
#? [[a-h][1-8]]
58 undo
#? []
59 undo
#? [\? cannot undo]
60 set_position ........ x
#? [\? invalid position '........ x': expected 8 rows joined by '/', found 1]
