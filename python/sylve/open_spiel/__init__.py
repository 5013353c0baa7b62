"""A game of OpenSpiel as a game of ours. The public names are those of `sylve.adapters`."""

PREFIX = "open_spiel:"
"""What a game string of such a game begins with."""
