# Go: coordinates, captures, ko, superko, two moves of one colour, scores, handicap.
boardsize 5
clear_board
komi 0.5
1 query_boardsize
#? [5 5]
2 get_komi
#? [0.5]
3 get_game
#? [go\(size=5, komi=0.5\)]
4 showboard
#? [ 5 \. \. \. \. \.\| 4 .*\|   A B C D E\|x to move]
5 legal_moves
#? [A1 B1 C1 D1 E1 A2 .* E5 pass]
6 all_legal w
#? [A1 B1 .* pass]
7 play b C3
#? []
8 play b c3
#? [\? illegal move 'c3': legal here: .*]
9 play w C3
#? [\? illegal move 'C3': legal here: A1 .*]
10 play w f1
#? [\? syntax error: invalid move 'f1': expected a point from "A1" \(bottom left\) to "E5" \(no I\), or "pass"]
11 play w I1
#? [\? syntax error: invalid move 'I1': .*]
12 play w A0
#? [\? syntax error: .*]
13 play w A01
#? [\? syntax error: .*]
14 play w c2
#? []
15 sylve-position
#? [...../...../..x../..o../..... x - 0]
16 is_legal b C2
#? [0]
17 is_legal b D2
#? [1]
18 is_legal b nonsense
#? [0]
19 is_legal b
#? [\? syntax error: 1 arguments, expected 2]
# Black plays four times; White's passes are put in.
20 gogui-play_sequence b B2 b D2 b C1
#? []
21 sylve-position
#? [...../...../..x../.x.x./..x.. o - 0]
22 is_legal w C2
#? [0]
23 undo
#? []
24 sylve-position
#? [...../...../..x../.xox./..... o - 0]
25 gg-undo 2
#? []
26 sylve-position
#? [...../...../..x../..o../..... x - 0]
27 gogui-play_sequence b B2 w C2
#? [\? illegal move 'C2': .*]
28 sylve-position
#? [...../...../..x../..o../..... x - 0]
29 gg-undo 9
#? [\? cannot undo]
30 gg-undo 2
#? []
31 sylve-position
#? [...../...../...../...../..... x - 0]
# Ko.
32 set_position ...../.xo../x.xo./.xo../..... o
#? []
33 play w B3
#? []
34 sylve-position
#? [...../.xo../xo.o./.xo../..... x C3 0]
35 play b C3
#? [\? illegal move 'C3': .*]
36 play b E5
#? []
37 play w E1
#? []
38 play b C3
#? []
39 undo
#? []
# A colour that moves twice may not take back a ko by it: a pass lies between, and the ko is over.
40 play w A1
#? []
41 legal_moves b
#? [.*C3.*]
# Positional superko: sending two, returning one.
42 set_position ...../xo.../xoo../xooo./.x.o. x
#? []
43 play b C1
#? []
44 play w A1
#? []
45 play b B1
#? [\? illegal move 'B1': legal here: C1 E1 .*]
46 is_legal b B1
#? [0]
47 set_position ...../xo.../xoo../xooo./o..o. x
#? []
48 is_legal b B1
#? [1]
# Suicide.
49 set_position ...../...../...../x..../.x... o
#? []
50 play w A1
#? [\? illegal move 'A1': .*]
51 set_position xxxxx/xxxxx/xxxxx/xxxxx/xxxxx x
#? [\? invalid position .* has no liberty]
# Scores, komi, the end.
52 clear_board
#? []
53 final_score
#? [W\+0.5]
54 komi 0
#? []
55 final_score
#? [0]
56 play b C3
#? []
57 final_score
#? [B\+25]
58 komi 7.5
#? []
59 final_score
#? [B\+17.5]
60 komi 30
#? []
61 final_score
#? [W\+5]
62 komi 0.3
#? [\? unacceptable komi: go: komi must be a multiple of 0.5 between -400 and 400, not 0.3]
63 komi 1000
#? [\? unacceptable komi: .*]
64 get_komi
#? [30]
65 komi -2.5
#? []
66 final_score
#? [B\+27.5]
67 final_status_list alive
#? [C3]
68 final_status_list dead
#? []
69 final_status_list seki
#? []
70 final_status_list lost
#? [\? syntax error: expected alive, dead or seki, not 'lost']
71 play w pass
#? []
72 play b PASS
#? []
73 play w A1
#? [\? illegal move 'A1': the game is over]
74 genmove w
#? [pass]
75 reg_genmove b
#? [pass]
76 undo
#? []
77 undo
#? []
78 play w A1
#? []
79 final_status_list alive
#? [A1\|C3]
80 play b pass
#? []
# Black again, after its own pass: White's pass in between must not end the game.
81 play b B1
#? []
82 sylve-position
#? [...../...../..x../...../ox... o - 0]
# Sizes.
83 boardsize 20
#? [\? unacceptable size]
84 boardsize 1
#? [\? unacceptable size]
85 boardsize 9 13
#? [\? unacceptable size]
86 boardsize -9
#? [\? unacceptable size]
87 query_boardsize
#? [5 5]
88 boardsize 9 9
#? []
89 query_boardsize
#? [9 9]
90 boardsize 19
#? []
91 play b T19
#? []
92 play w K10
#? []
93 play b J10
#? []
94 undo
#? []
95 undo
#? []
96 undo
#? []
97 undo
#? [\? cannot undo]
# Handicap.
98 fixed_handicap 2
#? [D4 Q16]
99 sylve-position
#? [.* o - 0]
100 fixed_handicap 2
#? [\? board not empty]
101 clear_board
#? []
102 fixed_handicap 9
#? [D4 Q16 D16 Q4 D10 Q10 K4 K16 K10]
103 clear_board
#? []
104 fixed_handicap 10
#? [\? invalid number of stones]
105 fixed_handicap 1
#? [\? invalid number of stones]
106 boardsize 9
#? []
107 fixed_handicap 5
#? [C3 G7 C7 G3 E5]
108 boardsize 8
#? []
109 fixed_handicap 5
#? [\? invalid number of stones]
110 place_free_handicap 4
#? [C3 F6 C6 F3]
111 boardsize 5
#? []
112 fixed_handicap 2
#? [\? invalid number of stones]
113 set_free_handicap A1 B2
#? []
114 sylve-position
#? [...../...../...../.x.../x.... o - 0]
115 clear_board
#? []
116 set_free_handicap A1
#? [\? bad vertex list]
117 set_free_handicap A1 A1
#? [\? bad vertex list]
118 set_free_handicap A1 pass
#? [\? bad vertex list]
# Searching.
119 genmove b
#? [[A-E][1-5]]
120 undo
#? []
121 reg_genmove b
#? [[A-E][1-5]]
122 sylve-position
#? [...../...../...../...../..... x - 0]
123 undo
#? [\? cannot undo]
# After White's pass Black, who leads, passes and wins.
124 komi 0.5
#? []
125 play b C3
#? []
126 play w pass
#? []
127 genmove b
#? [pass]
128 genmove w
#? [pass]
129 final_score
#? [B\+24.5]
