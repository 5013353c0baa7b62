# Live analysis. Each is ended by the line that follows it; an interval of 0 tells after every slice.
boardsize 5
clear_board
1 lz-analyze 0
#? [(\|?info move \S+ visits \d+ winrate \d+ lcb \d+ order \d+ pv .*)+]
2 lz-analyze b 0
#? [\|?info move [A-E][1-5] visits \d+ winrate \d+ lcb \d+ order 0 pv .*]
3 lz-analyze black 0 maxmoves 1
#? [(\|?info move \S+ visits \d+ winrate \d+ lcb \d+ order 0 pv( [A-E][1-5]| pass)+)+]
4 lz-analyze w 0
#? [\|?info move .*]
5 lz-analyze interval 0 minmoves 3
#? [\|?info move .* order 0 pv .* order 1 pv .* order 2 pv .*]
6 lz-analyze interval 0
#? [!.*(amaf|beta|ucb).*]
7 kata-analyze interval 0
#? [\|?info move \S+ visits \d+ utility -?\d\.\d+ winrate \d\.\d+ lcb \d\.\d+ order 0 .*amafVisits \d+ pv .*]
8 kata-analyze 0
#? [.* amaf \d\.\d+ .*]
9 kata-analyze b interval 0 ownership true rootInfo true pvVisits true
#? [\|?info move .*]
10 analyze b 0
#? [\|?info move \S+ visits \d+ winrate \d+ .*]
11 lz-analyze b 0 avoid b A1,B1 1
#? [!.*move (A1|B1) .*]
12 lz-analyze b 0 allow b C3 1
#? [(\|?info move C3 visits \d+ winrate \d+ lcb \d+ order 0 pv C3.*)+]
13 lz-analyze b 0 allow b C3 1 avoid b C3 1
#? [\? no move is left to look at]
14 lz-analyze b 0 avoid b Z9 1
#? [\? invalid move 'Z9': .*]
15 lz-analyze b 0 avoid b
#? [\? syntax error: 'avoid' needs 3 more]
16 lz-analyze b 0 nonsense 3
#? [\? syntax error: unknown key 'nonsense']
17 lz-analyze b 0 maxmoves many
#? [\? syntax error: expected a whole number, not 'many']
18 kata-analyze b 0 avoid green C3 1
#? [\? syntax error: expected a colour, b or w, x or o, first or second, not 'green']
19 lz-genmove_analyze b 0
#? [(\|?info move .*)+\|play [A-E][1-5]]
20 undo
#? []
21 kata-genmove_analyze 0
#? [(\|?info move .*)+\|play [A-E][1-5]]
22 genmove_analyze w 0 allow w pass 1
#? [\|?info move pass .*\|play pass]
23 undo
#? []
24 kata-genmove_analyze w 0 maxmoves 2
#? [.*order 1 (?!.*order 2).*\|play [A-E][1-5]]
# The board overlays.
25 clear_board
#? []
26 sylve-visits
#? [([01]\.\d{4} ){4}[01]\.\d{4}(\|([01]\.\d{4} ){4}[01]\.\d{4}){4}]
27 sylve-values
#? [((-?[01]\.\d{4}[ |]?){25})]
28 sylve-amaf
#? [((-?[01]\.\d{4}[ |]?){25})]
29 sylve-visits_text
#? [(("")|\d+)([ |](""|\d+)){24}]
30 sylve-gfx
#? [INFLUENCE [A-E][1-5] 0\.\d+.*\|LABEL [A-E][1-5] \d+.*\|VAR b [A-E][1-5].*\|TEXT [A-E][1-5] mean \d.\d+, 100 playouts, \d+ nodes]
31 sylve-visits 1
#? [\? syntax error: 1 arguments, expected 0]
32 play b C3
#? []
# For White: what is good for him is negative.
33 sylve-visits
#? [((-?[01]\.\d{4}[ |]?){25})]
34 sylve-visits
#? [.*-1\.0000.*]
# Games without a pass: the other colour cannot be analysed.
35 set_game hex(size=4)
#? []
36 lz-analyze w 0
#? [\? illegal move: it is black's turn]
37 lz-analyze b 0
#? [\|?info move [a-d][1-4] .*]
38 kata-genmove_analyze w 0
#? [\? illegal move: it is black's turn]
39 genmove_analyze 0
#? [.*\|play [a-d][1-4]]
40 set_game breakthrough(columns=5, rows=5)
#? []
41 lz-analyze w 0
#? [\|?info move [a-e]2-[a-e]3 .*]
42 lz-genmove_analyze w 0
#? [.*\|play [a-e]2-[a-e]3]
43 sylve-gfx
#? [INFLUENCE .*\|VAR b .*\|TEXT .*]
# A finished game: nothing to say, and nothing wrong.
44 set_game tic_tac_toe
#? []
45 gogui-play_sequence b a1 w b1 b a2 w b2 b a3
#? []
46 lz-analyze 0
#? []
47 kata-analyze b 0
#? []
48 name
#? [sylve]
# One legal move.
49 clear_board
#? []
50 gogui-play_sequence b a1 w b2 b c3 w b1 b b3 w a3 b c1 w c2
#? []
51 lz-analyze 0
#? [\|?info move a2 visits \d+ winrate \d+ lcb \d+ order 0 pv a2.*]
52 lz-genmove_analyze 0
#? [\|?info move a2 visits 0 winrate 5000 lcb 5000 order 0 pv a2\|play a2]
