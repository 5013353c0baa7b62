# Breakthrough: White is below and moves first, as in chess.
set_game breakthrough(columns=5, rows=5)
1 showboard
#? [ 5 o o o o o\| 4 o o o o o\| 3 .*\| 1 x x x x x\|   a b c d e\|x to move]
2 legal_moves
#? [a2-a3 b2-b3 c2-c3 d2-d3 e2-e3 a2-b3 .*]
3 play b a4-a3
#? [\? illegal move: it is white's turn]
4 genmove b
#? [\? illegal move: it is white's turn]
5 play w a2-a3
#? []
6 play b B4xA3
#? []
7 sylve-position
#? [ooooo/o.ooo/o..../.xxxx/xxxxx x]
8 play w b2a3
#? []
9 play b c4-c3
#? []
10 play w c2-c3
#? [\? illegal move 'c2-c3': .*]
11 play w c2xc3
#? [\? illegal move 'c2xc3': .*]
12 play w d2xc3
#? []
13 play b pass
#? [\? syntax error: invalid move 'pass': expected a move such as "a2-a3", "a2xb3" or "a2F" \(F, L or R\)]
14 undo
#? []
15 play w b1F
#? []
16 boardsize 6
#? []
17 get_game
#? [breakthrough\(columns=6, rows=6\)]
18 boardsize 5 6
#? []
19 get_game
#? [breakthrough\(columns=5, rows=6\)]
20 boardsize 9 8
#? [\? unacceptable size]
21 boardsize 3 3
#? [\? unacceptable size]
22 set_game breakthrough(columns=3, rows=4)
#? []
23 set_position .../x../..o/... w
#? [\? invalid position .*]
24 set_position .../x../..o/... x
#? []
25 genmove w
#? [a3-a4|a3-b4]
26 final_score
#? [W\+]
27 genmove b
#? [\? the game is over]
28 printsgf
#? [.*GM\[Breakthrough\]SZ\[3:4\]RE\[W\+\].*;W\[a3-[ab]4\]\)]
29 undo
#? []
30 set_position .../x../..o/... o
#? []
31 genmove b
#? [c2-c1|c2-b1]
32 final_score
#? [B\+]
33 legal_moves
#? []
