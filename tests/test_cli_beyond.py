"""The commands beyond games: bandit and tsp."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from commands import call
from sylve.bandit import Bandit
from sylve.tsp import METHODS, Tsp, exact, find_tour, nearest_neighbour, two_opt

RING = str(Path(__file__).parent / "data" / "ring8.tsp")


def content(*words: str) -> Any:
    printed = call(*words, "--json")
    assert printed.code == 0, printed.err
    return json.loads(printed.out)


def test_tsp_is_what_the_package_finds() -> None:
    words = ["tsp", "--cities", "10", "--instance", "3", "--playouts", "200", "--seed", "2"]
    found, tsp = content(*words), Tsp.random(10, seed=3)
    lengths = {one["method"]: one["length"] for one in found["methods"]}
    near = nearest_neighbour(tsp)
    assert lengths == {
        "exact": exact(tsp),
        "nearest neighbour": tsp.length(near),
        "2-opt": tsp.length(two_opt(tsp, near)),
        **{name: find_tour(tsp, name, 200, seed=2).length for name in METHODS},
    }
    for one in found["methods"][1:]:
        assert tsp.length(one["tour"]) == pytest.approx(one["length"])
    text = call(*words, columns=80).out
    assert all(f"{length:.3f}" in text for length in lengths.values())
    some = content(*words, "--method", "flat", "--method", "rave, edge codes")
    assert [one["method"] for one in some["methods"][3:]] == ["flat", "rave, edge codes"]


def test_tsp_of_a_file_and_of_more_cities_than_are_exact() -> None:
    printed = call("tsp", RING, "--playouts", "50", "--method", "nrpa")
    assert "ring8: 8 cities" in printed.out
    assert "616.000" in printed.out  # eight sides of 77
    assert content("tsp", "--cities", "14", "--method", "flat")["methods"][0]["method"] != "exact"


def test_bandit_is_what_the_package_does() -> None:
    found = content("bandit", "red=0.2", "green=0.7", "--pulls", "300", "--seed", "5")
    ((rule,), (run,)) = (found["rules"], found["rules"][0]["runs"])
    assert (rule["rule"], rule["right"], run["best"]) == ("ucb1", 1, "green")
    assert sum(run["pulls"].values()) == 300
    assert run["regret"] == pytest.approx(0.5 * run["pulls"]["red"])
    again = Bandit(["red", "green"], seed=5)
    assert again.select() == "red"  # the first of two that nobody knows
    text = call("bandit", "red=0.2", "green=0.7", "--pulls", "300", "--seed", "5", columns=80).out
    assert f"regret {run['regret']:.1f}" in text
    assert text.splitlines()[2].split()[:3] == ["green", "0.700", str(run["pulls"]["green"])]


def test_bandit_compares_rules_on_the_same_luck() -> None:
    words = ["bandit", "0.3", "0.6", "--rule", "epsilon(1.0)", "--rule", "tuned", "--runs", "8"]
    random, tuned = content(*words)["rules"]
    assert random["regret"] == pytest.approx(150, abs=15)  # half of 1,000 pulls lose 0.3 each
    assert tuned["regret_95"][1] < random["regret_95"][0]
    assert tuned["right"] == 8
    first, second = (content(*words, "--seed", seed)["rules"][1]["runs"] for seed in ("0", "1"))
    assert first[1:] == second[:-1]  # run k of seed s is run 0 of seed s + k
    sure = [content("bandit", "0", "1", "--rule", rule, "--pulls", "9")["rules"][0]["runs"][0]
            for rule in ("ucb1(c=0)", "thompson")]  # fmt: skip
    assert [run["means"]["1"] for run in sure] == [1.0, 1.0]


@pytest.mark.parametrize("page", ["bandit", "tsp"])
def test_the_docs_show_what_is_printed(page: str) -> None:
    text = (Path(__file__).parents[1] / "docs" / f"{page}.md").read_text(encoding="utf-8")
    blocks = re.findall(rf"^```\n(sylve {page} .*?)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks
    for line, shown in blocks:
        assert call(*shlex.split(line)[1:]).out == shown


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["bandit", "0.3"], "two or more different names"),
        (["bandit", "a=0.3", "a=0.5"], "two or more different names"),
        (["bandit", "0.3", "1.5"], "a number from 0 to 1, or NAME=NUMBER, not '1.5'"),
        (["bandit", "0.3", "nan"], "not 'nan'"),
        (["bandit", "0.3", "=0.5"], "not '=0.5'"),
        (["bandit", "0.3", "0.5", "--rule", "best"], "unknown rule 'best'"),
        (["bandit", "0.3", "0.5", "--rule", "tuned, playouts=5"], "unexpected ','"),
        (["bandit", "0.3", "0.5", "--window", "1"], "window must be a whole number"),
        (["bandit", "0.3", "0.5", "--rule", "discounted", "--window", "9"], "give no window"),
        (["bandit", "0.3", "0.5", "--pulls", "0"], "--pulls"),
        (["tsp", "--method", "rave"], "unknown method 'rave'"),
        (["tsp", "--playouts", "5"], "at least the cities, 12, not 5"),
        (["tsp", "--cities", "3"], "--cities"),
        (["tsp", "none.tsp"], "no such file or folder: 'none.tsp'"),
    ],
)
def test_bad_input(words: list[str], message: str) -> None:
    printed = call(*words)
    assert (printed.code, printed.out) == (2, "")
    assert message in " ".join(printed.err.split())
