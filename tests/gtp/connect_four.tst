# Connect Four: columns are digits, Black is first.
set_game connect_four
1 legal_moves
#? [1 2 3 4 5 6 7]
2 play b 4
#? []
3 play w d
#? []
4 sylve-position
#? [......./......./......./......./...o.../...x... x]
5 play b 0
#? [\? syntax error: invalid move '0': expected a column from "1" to "7" or "a" to "g"]
6 play b 8
#? [\? syntax error: .*]
7 play w 1
#? [\? illegal move: it is black's turn]
8 gogui-play_sequence b 4 w 4 b 4 w 4
#? []
9 play b 4
#? [\? illegal move '4': legal here: 1 2 3 5 6 7]
10 legal_moves
#? [1 2 3 5 6 7]
11 gg-undo 6
#? []
12 legal_moves
#? [1 2 3 4 5 6 7]
13 gogui-play_sequence b 1 w 1 b 2 w 2 b 3 w 3
#? []
14 genmove b
#? [4]
15 final_score
#? [B\+]
16 genmove w
#? [\? the game is over]
17 undo
#? []
18 play b 7
#? []
19 genmove w
#? [4]
20 final_score
#? [W\+|\? cannot score: the game is not over]
21 boardsize 4 4
#? []
22 legal_moves
#? [1 2 3 4]
23 boardsize 5
#? []
24 get_game
#? [connect_four\(columns=5, rows=5\)]
25 boardsize 12 12
#? [\? unacceptable size]
26 printsgf
#? [.*GM\[ConnectFour\]SZ\[5\].*]
27 sylve-visits_text
#? ["" "" "" "" ""\|.*\|[0-9]+ [0-9]+ [0-9]+ [0-9]+ [0-9]+]
