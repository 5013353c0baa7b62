"""Recommendation: show what is known to please, or something new? A bandit weighs the two.

A reader sees one article at a time and clicks or not. Every 1,000 readers a new article arrives;
nobody knows yet how good it is. "The best so far" never gives a new one a real chance; showing all
alike gives it too many.
"""

from sylve import Rng
from sylve.bandit import Bandit
from sylve.rules import epsilon, thompson, ucb1

READERS, NEWS = 6000, 1000
CLICKS = {"weather": 0.05, "football": 0.08, "strike": 0.06, "eclipse": 0.15, "recipe": 0.04,
          "election": 0.20}  # fmt: skip
"""How likely a reader is to click, which the bandit has to find out; in the order of arrival."""
RULES = {
    "the best so far": epsilon(0.0),
    "ucb1, c = 0.4": ucb1(c=0.4),
    "ucb1, c = 0.1": ucb1(c=0.1),
    "thompson": thompson(),
    "all alike": epsilon(1.0),
}


def readers(rule, seed):
    """Clicks, and how many readers saw the newest article."""
    articles = list(CLICKS)
    bandit, clicks, new = Bandit(articles[:2], rule, seed=seed), 0, 0
    for reader in range(READERS):
        if reader and reader % NEWS == 0 and len(bandit.arms) < len(articles):
            bandit = with_one_more(bandit, articles[len(bandit.arms)])
        shown = bandit.select()
        new += shown == list(bandit.arms)[-1]
        chance = Rng.stream(seed + 1000, reader).below(10_000) / 10_000
        clicked = chance < CLICKS[shown]
        bandit.update(shown, float(clicked))
        clicks += clicked
    return clicks, new


def with_one_more(bandit, article):
    """The same bandit, and what it knows, with one more arm."""
    larger = Bandit([*bandit.arms, article], bandit.rule, seed=bandit.seed)
    larger.arms.update(bandit.arms)
    larger.steps = bandit.steps
    return larger


if __name__ == "__main__":
    print(f"{'rule':16} {'relevance: clicks':>18} {'novelty: newest shown':>22}")
    runs = 5
    for name, rule in RULES.items():
        found = [readers(rule, seed) for seed in range(runs)]
        clicks, new = (sum(column) / runs for column in zip(*found, strict=True))
        print(f"{name:16} {clicks / READERS:18.1%} {new / READERS:22.1%}")
