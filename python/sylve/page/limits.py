"""How much a browser may ask for. docs/page.md gives the reasons."""

from __future__ import annotations

KIB, MIB = 1 << 10, 1 << 20

# Before a request is read.
HEADER_BYTES = 16 * KIB
ADDRESS_BYTES = 2 * KIB
BODY_BYTES = 8 * MIB  # a record of a long game with its analysis has about 2 MiB
BODY_SECONDS = 10.0  # in which the whole of it must have come
HEADER_SECONDS = 10.0
CALLS_A_SECOND, CALLS_AT_ONCE = 400.0, 800.0  # of one address; then it has to wait

# A tab.
TABS = 128
MESSAGE_BYTES = 64 * KIB
MESSAGES_A_SECOND, MESSAGES_AT_ONCE = 40.0, 120.0
WAITING_MESSAGES = 512  # to a tab that does not read; then it is closed
SEND_SECONDS = 5.0

# What a request may hold.
GAME_CHARACTERS = 200
POSITION_CHARACTERS = 4 * KIB
MOVES_CHARACTERS = 20_000
MOVES = 1_000
SEARCH_CHARACTERS = 500

# Searches.
SLOTS = 2  # of a tab: two searches side by side
PLAYOUTS = 50_000_000
MOVE_SECONDS = 60.0
ALPHA_BETA_SECONDS = 1.0  # it cannot be stopped from outside, and a closed tab must end it
SOLVE_SECONDS = 60.0
SLICE_SECONDS = 0.05  # of a search, before another one has its turn
REPORT_SECONDS = 0.1
THREADS = 8
LEAST_MEMORY = 2 * MIB  # of a search; when less is free, it must wait
MOST_MEMORY = 2048 * MIB
TREE_NODES = 200  # rows of a tree that one answer may hold
REVIEW_PLAYOUTS = 1_000_000  # for each move
LEARN_SIMULATIONS = 20_000  # that can be looked at one by one
LEARN_IN_PYTHON = 2_000  # the same of a game of your own, which is slow
WALK_EVENTS = 20_000  # of alpha-beta: positions entered and left

# The shelf.
SHELF_ENTRIES = 200
SHELF_GAMES = 50  # of one answer
SHELF_TABLES = 12
