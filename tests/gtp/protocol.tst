# The frame, and the commands about the engine itself.
1 protocol_version
#? [2]
2 name
#? [sylve]
3 version
#? [[0-9.]+ uct\(playouts=400\)]
4 known_command play
#? [true]
5 known_command genmove
#? [true]
6 known_command lz-analyze
#? [true]
7 known_command kata-genmove_analyze
#? [true]
8 known_command foo
#? [false]
9 known_command PLAY
#? [false]
10 known_command
#? [\? syntax error: 0 arguments, expected 1]
11 list_commands
#? [.*\|boardsize\|.*\|protocol_version\|.*\|quit\|.*]
12 list_commands
#? [.*clear_board.*final_score.*genmove.*known_command.*komi.*list_commands.*list_games.*loadsgf.*lz-analyze.*]
13 list_commands
#? [.*name.*play.*printsgf.*reg_genmove.*set_game.*showboard.*time_left.*time_settings.*undo.*version]
14 foo
#? [\? unknown command]
15 Play b a1
#? [\? unknown command]
16
#? [\? unknown command]
17 name surplus
#? [\? syntax error: 1 arguments, expected 0]
18 protocol_version 2
#? [\? syntax error: 1 arguments, expected 0]
19 name # a comment after the command
#? [sylve]
20 	name	
#? [sylve]
21 play
#? [\? syntax error: 0 arguments, expected 2]
22 play b
#? [\? syntax error: 1 arguments, expected 2]
23 play b D4 D5
#? [\? syntax error: 3 arguments, expected 2]
24 play green D4
#? [\? syntax error: expected a colour, b or w, x or o, first or second, not 'green']
25 genmove
#? [\? syntax error: 0 arguments, expected 1]
26 genmove y
#? [\? syntax error: expected a colour, b or w, x or o, first or second, not 'y']
27 boardsize
#? [\? syntax error: 0 arguments, expected 1 to 2]
28 boardsize nine
#? [\? syntax error: expected a whole number, not 'nine']
29 boardsize 9.5
#? [\? syntax error: expected a whole number, not '9.5']
30 komi
#? [\? syntax error: 0 arguments, expected 1]
31 komi much
#? [\? syntax error: expected a number, not 'much']
32 komi nan
#? [\? syntax error: expected a number, not 'nan']
33 time_settings 1 2
#? [\? syntax error: 2 arguments, expected 3]
34 time_settings 300 30 5
#? []
35 time_settings -1 0 0
#? [\? syntax error: expected no negative number]
36 time_settings 0 0 0
#? []
37 time_left b 30 0
#? []
38 time_left b soon 0
#? [\? syntax error: expected a number, not 'soon']
39 time_left green 30 0
#? [\? syntax error: expected a colour, b or w, x or o, first or second, not 'green']
40 time_settings 0 1 0
#? []
41 stop
#? []
42 clear_cache
#? []
43 cputime
#? [[0-9]+\.[0-9]{3}]
44 get_random_seed
#? [0]
45 set_random_seed 42
#? []
46 get_random_seed
#? [42]
47 set_random_seed 18446744073709551615
#? []
48 set_random_seed 18446744073709551616
#? [\? seed must be a whole number from 0 to 18446744073709551615]
49 set_random_seed -1
#? [\? seed must be .*]
50 set_random_seed one
#? [\? seed must be .*]
51 get_random_seed
#? [18446744073709551615]
52 undo
#? [\? cannot undo]
53 undo 2
#? [\? syntax error: 1 arguments, expected 0]
54 list_games
#? [tic_tac_toe\|breakthrough\|othello\|connect_four\|hex\|go]
55 get_game
#? [go]
56 set_game
#? [\? syntax error: 0 arguments, expected a game; see list_games]
57 set_game chess
#? [\? unknown game 'chess': .*expected one of: breakthrough, .*]
58 set_game hex(size=99)
#? [\? hex: size must be a whole number from 2 to 19, not 99]
59 set_game hex(
#? [\? invalid 'hex\(': .*]
60 get_game
#? [go]
61 set_game hex(size=5, swap=true)
#? []
62 get_game
#? [hex\(size=5, swap=true\)]
63 set_game Othello
#? []
64 get_game
#? [othello]
65 set_position nonsense
#? [\? invalid position 'nonsense': .*]
66 gogui-interrupt
#? []
67 gogui-analyze_commands
#? [dboard/Visits/sylve-visits\|dboard/Values/sylve-values\|dboard/AMAF values/sylve-amaf\|.*]
68 loadsgf
#? [\? syntax error: expected a file]
69 loadsgf no/such/file.sgf
#? [\? cannot load file: .*No such file.*]
70 loadsgf /
#? [\? cannot load file: .*]
71 printsgf no/such/folder/file.sgf
#? [\? cannot write file: .*No such file.*]
72 gogui-play_sequence b
#? [\? syntax error: expected pairs of a colour and a move]
73 gogui-play_sequence
#? []
74 gg-undo 1
#? [\? cannot undo]
75 gg-undo 0
#? []
76 quit now
#? [\? syntax error: 1 arguments, expected 0]
77 name
#? [sylve]
