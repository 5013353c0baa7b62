"""A/B tests: bandits against a test with a fixed horizon, on simulated traffic."""

from __future__ import annotations

from math import ceil, sqrt
from typing import TYPE_CHECKING, Any

from sylve.bandit import Arm, Bandit, count
from sylve.lab.data import values, where
from sylve.lab.experiment import Cell, Claim, Experiment, Rows, Size, Table, Verdict
from sylve.lab.statistics import Interval, compare, judge, mean_interval, share_interval, shown
from sylve.rng import Rng, hash_words
from sylve.search import Ucb, parse_search
from sylve.search.confidence import Z95
from sylve.search.reference.arithmetic import uniform

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SCENARIOS = {
    "A/A, 10 %": (0.10, 0.10),
    "10 % v 12 %": (0.10, 0.12),
    "10 % v 15 %": (0.10, 0.15),
    "10, 10, 10, 14 %": (0.10, 0.10, 0.10, 0.14),
}
"""The chances that a visitor buys; the first variant is the one in use."""
DRIFT = "drift"
"""The two variants change places in the middle of the traffic."""
DRIFTING = (0.10, 0.20)
FIXED, PEEKING = "fixed horizon", "peeking"
RULES = ("thompson", "tuned", "bayes", "ucb1(c=0.4)", "epsilon(0.1)")
FORGETTING = ("thompson", "tuned", "discounted(gamma=0.998, c=0.1)", "thompson, window=2000")
LOOK = 100
"""Visitors between two looks."""
POWER_Z = 0.8416212335729143  # the normal quantile at 0.8
EFFECT = 0.02
"""What the fixed test is made to see, with 80 % power at 5 %."""


def cells(size: Size) -> list[Cell]:
    """A method on a scenario: some runs of it."""
    quick = size == "quick"
    visitors, runs, blocks = (8_000, 6, 2) if quick else (20_000, 25, 4)
    return [
        {"scenario": scenario, "method": method, "visitors": visitors, "runs": runs, "block": block}
        for scenario in (*SCENARIOS, DRIFT)
        for method in ((FIXED, PEEKING, *RULES) if scenario != DRIFT else FORGETTING)
        for block in range(blocks)
    ]


def run_cell(cell: Cell, seed: int) -> list[dict[str, Any]]:
    """Each run is one site with its own traffic; all methods see the same visitors."""
    rows = []
    for number in range(cell["block"] * cell["runs"], (cell["block"] + 1) * cell["runs"]):
        traffic = Traffic(cell["scenario"], cell["visitors"], hash_words((seed, number)))
        if cell["method"] in (FIXED, PEEKING):
            regret, decided, choice = classic(traffic, peek=cell["method"] == PEEKING)
        else:
            regret, decided, choice = adaptive(
                traffic, cell["method"], hash_words((seed, number, 1))
            )
        best = max(traffic.rates)
        wrong = choice is not None and (
            traffic.rates[choice] < best or traffic.rates.count(best) == len(traffic.rates)
        )
        rows.append({"scenario": cell["scenario"], "method": cell["method"], "run": number,
                     "visitors": cell["visitors"], "regret": regret, "decided": decided,
                     "wrong": wrong})  # fmt: skip
    return rows


class Traffic:
    """What each visitor would do, whatever they are shown: one draw for a visitor."""

    def __init__(self, scenario: str, visitors: int, seed: int) -> None:
        self.drifts = scenario == DRIFT
        self.rates = DRIFTING if self.drifts else SCENARIOS[scenario]
        self.visitors = visitors
        rng = Rng.stream(seed, 0)
        self.draws = [uniform(rng) for _ in range(visitors)]

    def rates_for(self, visitor: int) -> tuple[float, ...]:
        """The chances of the variants when this visitor comes."""
        return self.rates[::-1] if self.drifts and 2 * visitor >= self.visitors else self.rates

    def buys(self, visitor: int, arm: int) -> bool:
        """Whether they do, shown this variant."""
        return self.draws[visitor] < self.rates_for(visitor)[arm]

    def lost(self, visitor: int, arm: int) -> float:
        """What is lost on average by not showing the best variant."""
        rates = self.rates_for(visitor)
        return max(rates) - rates[arm]


Outcome = tuple[float, int | None, int | None]
"""Regret, visitors until the decision, the variant that was decided for."""


def classic(traffic: Traffic, *, peek: bool) -> Outcome:
    """Equal shares until the planned number of visitors; then the winner, or the one in use.

    With `peek` the same test is made at every look, and the first that is significant ends it. With
    several variants the error is shared among their comparisons with the first (Bonferroni).
    """
    arms = [Arm(str(n)) for n in range(len(traffic.rates))]
    planned = len(arms) * planned_size(traffic.rates[0], EFFECT)
    regret, shown_now, decided, choice = 0.0, None, None, None
    for visitor in range(traffic.visitors):
        arm = visitor % len(arms) if shown_now is None else shown_now
        regret += traffic.lost(visitor, arm)
        if shown_now is not None:
            continue
        count(arms[arm], 1, float(traffic.buys(visitor, arm)))
        seen = visitor + 1
        if (peek and seen % LOOK == 0) or seen == planned:
            choice = significant(arms)
            if choice is not None or seen >= planned:
                decided = seen if choice is not None else None
                shown_now = 0 if choice is None else choice
    return regret, decided, choice


def planned_size(rate: float, effect: float) -> int:
    """Visitors for each variant to see an effect with 80 % power at 5 %, by the normal formula."""
    other = rate + effect
    spread = rate * (1 - rate) + other * (1 - other)
    return ceil((Z95 + POWER_Z) ** 2 * spread / effect**2)


QUANTILES = {1: Z95, 3: 2.3939797998185104}
"""Of the normal distribution at 1 - 0.025 / k, for k comparisons."""


def significant(arms: list[Arm]) -> int | None:
    """The variant that a two-sided test of proportions prefers to the first, or the first."""
    found = []
    for index, arm in enumerate(arms[1:], 1):
        base = arms[0]
        both = (base.total + arm.total) / (base.pulls + arm.pulls)
        error = sqrt(both * (1 - both) * (1 / base.pulls + 1 / arm.pulls))
        gain = (arm.mean or 0.0) - (base.mean or 0.0)
        if error > 0 and abs(gain) / error > QUANTILES[len(arms) - 1]:
            found.append((gain, index))
    if not found:
        return None
    gain, index = max(found)
    if gain > 0:
        return index
    return 0 if len(found) == len(arms) - 1 else None


def adaptive(traffic: Traffic, method: str, seed: int) -> Outcome:
    """A bandit; once it has a leader, everybody is shown that one."""
    name, _, window = method.partition(", window=")
    how = parse_search(f"ucb(rule={name})")
    assert isinstance(how, Ucb)
    names = [str(n) for n in range(len(traffic.rates))]
    bandit = Bandit(names, how.rule, seed=seed, window=int(window) if window else None)
    regret, decided, choice = 0.0, None, None
    for visitor in range(traffic.visitors):
        arm = int(bandit.select()) if choice is None else choice
        regret += traffic.lost(visitor, arm)
        if choice is not None:
            continue
        bandit.update(str(arm), float(traffic.buys(visitor, arm)))
        if not traffic.drifts and (visitor + 1) % LOOK == 0:
            leader = bandit.leader()
            if leader is not None:
                decided, choice = visitor + 1, int(leader)
    return regret, decided, choice


def gain(rows: Rows, scenario: str, one: str, two: str) -> Interval:
    """How much less the first method loses than the second, run by run."""
    losses = [{row["run"]: row["regret"] for row in where(rows, scenario=scenario, method=method)}
              for method in (one, two)]  # fmt: skip
    return mean_interval([losses[1][run] - losses[0][run] for run in losses[0]])


def verdicts(rows: Rows) -> list[Verdict]:
    """The three claims."""
    plain = [s for s in values(rows, "scenario") if s in SCENARIOS and len(set(SCENARIOS[s])) > 1]
    found = {(s, m): gain(rows, s, m, FIXED) for s in plain for m in ("thompson", "tuned")}
    sides = {compare(value, 0.0) for value in found.values()}
    told = "; ".join(f"{m} on {s}: {value} fewer lost" for (s, m), value in found.items())
    first = Verdict(
        judge(sides),
        f"Sales lost beside a test with a fixed horizon: {told}.",
    )  # fmt: skip
    return [first, verdict_errors(rows), verdict_drift(rows)]


def errors(rows: Rows, method: str) -> Interval:
    """The share of runs with a wrong decision, over the scenarios."""
    chosen = [row for row in where(rows, method=method) if row["scenario"] != DRIFT]
    return share_interval(sum(row["wrong"] for row in chosen), len(chosen))


def verdict_errors(rows: Rows) -> Verdict:
    """Wrong decisions, and visitors until a decision."""
    told = "; ".join(
        f"{method}: {100 * value.value:.1f} % [{100 * value.low:.1f}, {100 * value.high:.1f}] wrong"
        for method in (FIXED, PEEKING, "thompson", "tuned")
        for value in [errors(rows, method)]
    )
    late = "; ".join(
        f"{method} on {scenario}: {decided_text(rows, scenario, method)}"
        for scenario in SCENARIOS
        if len(set(SCENARIOS[scenario])) > 1
        for method in (FIXED, "thompson")
    )
    sides = {compare(errors(rows, method), 0.05) for method in ("thompson", "tuned")}
    return Verdict(
        "holds" if sides == {"below"} else "does not hold" if "above" in sides else "undecided",
        f"Wrong decisions over all scenarios without drift: {told}. Visitors until a decision: "
        f"{late}.",
    )


def decided_text(rows: Rows, scenario: str, method: str) -> str:
    """How often and how soon a method decides."""
    chosen = where(rows, scenario=scenario, method=method)
    times = sorted(row["decided"] for row in chosen if row.get("decided") is not None)
    if not times:
        return "never"
    return f"median {times[len(times) // 2]:,} in {len(times)} of {len(chosen)}"


def verdict_drift(rows: Rows) -> Verdict:
    """Does forgetting pay when rates change, and does a rule that does not forget fail?"""
    forgetting = [m for m in values(where(rows, scenario=DRIFT), "method") if m in FORGETTING[2:]]
    found = {method: gain(rows, DRIFT, method, "thompson") for method in forgetting}
    told = "; ".join(f"{method}: {value} fewer lost" for method, value in found.items())
    sides = {compare(value, 0.0) for value in found.values()}
    return Verdict(
        judge(sides),
        f"Beside thompson, which remembers everything: {told}.",
    )  # fmt: skip


def tables(rows: Rows) -> list[Table]:
    """Regret, decisions and errors."""
    found = []
    for scenario in values(rows, "scenario"):
        lines = []
        for method in values(where(rows, scenario=scenario), "method"):
            chosen = where(rows, scenario=scenario, method=method)
            lost = mean_interval([row["regret"] for row in chosen])
            wrong = sum(row["wrong"] for row in chosen)
            lines.append([method, lost.short, decided_text(rows, scenario, method),
                          f"{wrong} of {len(chosen)}"])  # fmt: skip
        visitors = where(rows, scenario=scenario)[0]["visitors"]
        found.append(Table(f"{scenario}, {visitors:,} visitors",
                           ["method", "sales lost", "visitors until a decision", "wrong"],
                           lines))  # fmt: skip
    return found


def figure(rows: Rows) -> Figure:
    """Sales lost by method, a panel for each scenario; then the errors."""
    from sylve.lab.style import COLOURS, panels

    drawing, axes = panels(2, 3, height=6.4, width=13)
    for axis, scenario in zip(axes, values(rows, "scenario"), strict=False):
        here = where(rows, scenario=scenario)
        methods = values(here, "method")
        names = [method.partition("(gamma")[0] for method in methods]
        if len(set(SCENARIOS.get(scenario, DRIFTING))) == 1:  # nothing can be lost
            wrong = [[row["wrong"] for row in where(here, method=m)] for m in methods]
            bars(axis, names, [share_interval(sum(found), len(found)) for found in wrong])
            axis.axvline(0.05, color=COLOURS[6], linestyle="--", linewidth=0.8)
            axis.set(xlabel="share of wrong decisions (dashed: 5 %)", title=scenario)
            continue
        found = [mean_interval([r["regret"] for r in where(here, method=m)]) for m in methods]
        bars(axis, names, found)
        axis.set(xlabel="sales lost", title=scenario)
    methods = [m for m in (FIXED, PEEKING, *RULES) if where(rows, method=m)]
    bars(axes[-1], methods, [errors(rows, method) for method in methods])
    axes[-1].axvline(0.05, color=COLOURS[6], linestyle="--", linewidth=0.8)
    axes[-1].set(xlabel="share of wrong decisions (dashed: 5 %)", title="all, without drift")
    return drawing


def bars(axis: Any, names: list[str], found: list[Interval]) -> None:
    """Points with intervals, one line each."""
    from sylve.lab.style import COLOURS

    places = range(len(names))
    axis.errorbar(
        [v.value for v in found], list(places), fmt="o", color=COLOURS[0],
        xerr=[[v.value - v.low for v in found], [v.high - v.value for v in found]],
    )  # fmt: skip
    axis.set_yticks(list(places), names)
    axis.set_ylim(len(names) - 0.5, -0.5)
    axis.set_xlim(left=min(0.0, *(v.low for v in found)))
    axis.grid(visible=False, axis="y")


EXPERIMENT = Experiment(
    name="bandit",
    claims=(
        Claim(
            "Bandit rules serve A/B tests: they allocate traffic adaptively, and lose less than "
            "equal shares.",
            "document 003, Applications pratiques, and Vs Flat Monte Carlo",
        ),
        Claim(
            "They still decide correctly (wrong in at most 5 %).",
            "document 003, Convergence garantie",
        ),
        Claim(
            "A stationary distribution is assumed: where rates change, rules that forget are "
            "needed.",
            "document 003, Hypothèses du modèle",
        ),
    ),
    method=f"""Visitors come one by one to a site with two or four variants of a page and buy with
    the chances of the scenario; the first variant is the one in use. `fixed horizon` shows all
    variants equally often to as many visitors as are planned to see a difference of 2 points with
    80 % power at 5 %, makes one two-sided test, then shows the winner, or else the one in use.
    `peeking` makes the same test after every {LOOK} visitors and stops at the first success, as
    people do. The other methods are `sylve.bandit.Bandit` with a rule; every {LOOK} visitors they
    ask for a `leader()` with 95 % confidence that holds at all times, and show it from then on.

    Sales lost is the regret: the sum over visitors of the best chance less that of what they were
    shown. A decision is wrong if its variant is not the best, or if all are equal. In the
    scenario with drift two variants of 10 % and 20 % change places halfway, and nobody decides.
    All methods see the same visitors; differences are run by run.""",
    cells=cells,
    run_cell=run_cell,
    verdicts=verdicts,
    tables=tables,
    figure=figure,
    caption="Sales lost by method and scenario, and the share of wrong decisions, with 95 % "
    "intervals.",
    notes=(
        "The fixed test does what it is made for: a known error rate and an unbiased estimate of "
        "the difference. A bandit's estimates of the worse variants stay rough.",
        f"Where {shown(EFFECT)} is far from the true difference, a test planned for it is too "
        "long or too short; nobody knows it beforehand.",
    ),
)
