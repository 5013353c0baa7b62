"""Games and loops of other packages: OpenSpiel, PettingZoo, Gymnasium. Each loads its own."""
