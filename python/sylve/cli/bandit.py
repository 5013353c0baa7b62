"""`sylve bandit`: rules for bandits on arms whose chances are given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from sylve.bandit import Bandit
from sylve.cli import completion
from sylve.cli.analyze import SeedOption
from sylve.cli.output import Json, print_json, print_prose, print_table
from sylve.cli.progress import progress
from sylve.errors import quote
from sylve.inputs import read_number
from sylve.rng import Rng, hash_words
from sylve.screen import Table, plural
from sylve.search.reference.arithmetic import uniform
from sylve.search.reference.rules import Rule
from sylve.search.text import parse_rule

if TYPE_CHECKING:
    from sylve.lab.statistics import Interval

DEFAULT = "ucb1(c=0.4)"


class Run(NamedTuple):
    """A bandit after its pulls, and what the choices lost beside the best arm."""

    bandit: Bandit
    regret: float


def bandit(
    arms: Annotated[
        list[str],
        typer.Argument(
            metavar="ARM",
            help="Two or more arms: the chance of each to win, such as 0.3, or red=0.3.",
        ),
    ],
    rule: Annotated[
        list[str] | None,
        typer.Option(
            "--rule",
            metavar="TEXT",
            help="Rule such as tuned or epsilon(0.1), may be repeated; see sylve algorithms.",
            show_default=DEFAULT,
            autocompletion=completion.rules,
        ),
    ] = None,
    pulls: Annotated[
        int, typer.Option("--pulls", metavar="N", min=1, help="Pulls of a run.")
    ] = 1000,
    runs: Annotated[int, typer.Option("--runs", metavar="N", min=1, help="Runs of each rule.")] = 1,
    window: Annotated[
        int | None,
        typer.Option("--window", metavar="N", help="Let the rule see only the last N results."),
    ] = None,
    seed: SeedOption = 0,
    json: Json = False,
) -> None:
    """Pull arms by a rule, and count what it loses.

    The regret is what the best arm would have won in addition, on average.
    """
    chances = read_arms(arms)
    rules = list(dict.fromkeys(parse_rule(text) for text in rule or [DEFAULT]))
    for one in rules:
        Bandit(list(chances), one, window=window)  # bad values are told before anything runs
    found: dict[str, list[Run]] = {str(one): [] for one in rules}
    jobs = [(one, number) for one in rules for number in range(runs)]
    for one, number in progress(jobs, "bandit"):
        found[str(one)].append(pull(chances, one, window, pulls, (seed or 0) + number))
    if json:
        print_json(content(chances, pulls, seed or 0, found))
    elif len(jobs) == 1:
        show_run(chances, found[str(rules[0])][0])
    else:
        show_rules(chances, pulls, found)


def read_arms(arms: list[str]) -> dict[str, float]:
    """The chances by name; arms without a name are called by their number."""
    chances: dict[str, float] = {}
    for number, text in enumerate(arms):
        name, sign, value = text.rpartition("=")
        try:
            chance = read_number(value)
        except ValueError:
            chance = -1.0
        if not 0 <= chance <= 1 or (sign and not name):
            raise ValueError(
                f"an arm must be a number from 0 to 1, or NAME=NUMBER, not {quote(text)}"
            )
        chances[name or str(number)] = chance
    if len(chances) < len(arms) or len(arms) < 2:
        raise ValueError(f"arms must be two or more different names, not {', '.join(arms)}")
    return chances


def pull(chances: dict[str, float], rule: Rule, window: int | None, pulls: int, seed: int) -> Run:
    """One run. All rules meet the same luck: the draw of a pull does not depend on the arm."""
    found = Bandit(list(chances), rule, seed=seed, window=window)
    luck = Rng(hash_words((seed,)))  # none of the streams of the bandit
    best, regret = max(chances.values()), 0.0
    for _ in range(pulls):
        arm = found.select()
        found.update(arm, float(uniform(luck) < chances[arm]))
        regret += best - chances[arm]
    return Run(found, regret)


def is_right(chances: dict[str, float], run: Run) -> bool:
    """Whether the arm that a run would recommend is a best one."""
    return chances[run.bandit.best] == max(chances.values())


def regret_of(runs: list[Run]) -> Interval:
    """The mean regret over runs."""
    from sylve.lab.statistics import mean_interval

    return mean_interval([run.regret for run in runs])


def content(
    chances: dict[str, float], pulls: int, seed: int, found: dict[str, list[Run]]
) -> dict[str, Any]:
    """All that was found, as JSON."""
    return {
        "arms": [{"name": name, "chance": chance} for name, chance in chances.items()],
        "pulls": pulls,
        "seed": seed,
        "rules": [
            {
                "rule": name,
                "regret": regret_of(runs).value,
                "regret_95": list(regret_of(runs)[1:]) if len(runs) > 1 else None,
                "right": sum(is_right(chances, run) for run in runs),
                "runs": [
                    {
                        "regret": run.regret,
                        "best": run.bandit.best,
                        "leader": run.bandit.leader(),
                        "pulls": {arm.name: arm.pulls for arm in run.bandit.arms.values()},
                        "means": {arm.name: arm.mean for arm in run.bandit.arms.values()},
                    }
                    for run in runs
                ],
            }
            for name, runs in found.items()
        ],
    }


def show_run(chances: dict[str, float], run: Run) -> None:
    """The arms of a single run."""
    table = run.bandit.table
    rows = [(row[0], f"{chances[str(row[0])]:.3f}", *row[1:4]) for row in table.rows]
    print_table(Table(["arm", "chance", "pulls", "mean", "95 %"], rows, caption=table.caption))
    leader = run.bandit.leader()
    sure = "no arm is surely the best yet" if leader is None else f"surely the best: {leader}"
    print_prose(f"\nmost pulled: {run.bandit.best}; {sure} (95 %); regret {run.regret:.1f}")


def show_rules(chances: dict[str, float], pulls: int, found: dict[str, list[Run]]) -> None:
    """What each rule loses."""
    rows = []
    for name, runs in found.items():
        regret = regret_of(runs)
        right = sum(is_right(chances, run) for run in runs)
        rows.append((name, regret.short if len(runs) > 1 else f"{regret.value:.1f}",
                     f"{right} of {len(runs)}"))  # fmt: skip
    told = ", ".join(f"{name} {chance:g}" for name, chance in chances.items())
    caption = f"{plural(pulls, 'pull')} a run; arms: {told}. Mean and 95 % interval over runs."
    print_table(Table(["rule", "regret", "most pulled is a best arm"], rows, caption=caption))
