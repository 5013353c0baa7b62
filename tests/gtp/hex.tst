# Hex: a1 is top left, Black joins top and bottom, the swap moves the stone.
set_game hex(size=3)
1 showboard
#? [   a b c\| 1 \. \. \.\|  2 \. \. \.\|   3 \. \. \.\|x to move]
2 legal_moves
#? [a1 b1 c1 a2 b2 c2 a3 b3 c3]
3 play b b2
#? []
4 play w swap-pieces
#? [\? illegal move 'swap-pieces': legal here: a1 b1 c1 a2 c2 a3 b3 c3]
5 play w B2
#? [\? illegal move 'B2': .*]
6 play w d1
#? [\? syntax error: invalid move 'd1': expected a cell from "a1" \(top left\) to "c3"]
7 play w pass
#? [\? syntax error: invalid move 'pass': .*]
8 play b a1
#? [\? illegal move: it is white's turn]
9 play w a1
#? []
10 play b b1
#? []
11 play w a2
#? []
12 final_score
#? [\? cannot score: the game is not over]
13 play b b3
#? []
14 final_score
#? [B\+]
15 genmove w
#? [\? the game is over]
16 play w c1
#? [\? illegal move 'c1': the game is over]
17 lz-genmove_analyze w 10
#? [\? the game is over]
18 sylve-visits
#? [\? the game is over]
19 undo
#? []
20 play b A3
#? []
21 final_score
#? [B\+]
22 printsgf
#? [\(;FF\[4\].*GM\[11\]SZ\[3\]RE\[B\+\].*;B\[b2\];W\[a1\];B\[b1\];W\[a2\];B\[a3\]\)]
23 boardsize 4
#? []
24 query_boardsize
#? [4 4]
25 boardsize 4 5
#? [\? unacceptable size]
26 boardsize 20
#? [\? unacceptable size]
27 set_game hex(size=4, swap=true)
#? []
28 play b swap-pieces
#? [\? illegal move 'swap-pieces': .*]
29 play b b1
#? []
30 legal_moves
#? [a1 c1 d1 .* d4 swap-pieces]
31 play w swap-pieces
#? []
32 sylve-position
#? [..../o.../..../.... x]
33 legal_moves
#? [a1 b1 c1 d1 b2 .* d4]
34 undo
#? []
35 sylve-position
#? [.x../..../..../.... o]
36 play w swap
#? []
37 printsgf
#? [.*swap=true.*;B\[b1\];W\[swap-pieces\]\)]
38 boardsize 5
#? []
39 get_game
#? [hex\(size=5, swap=true\)]
40 play w a1
#? [\? illegal move: it is black's turn]
