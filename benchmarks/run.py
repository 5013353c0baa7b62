"""Run the benchmarks, print the tables, keep them in benchmarks/results.

python benchmarks/run.py [--quick] [--json] [--name NAME] [--only SECTION]
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import machine
import perft
import playouts
import search
import solve
import threads
import tree
from table import Section
from timing import FULL, QUICK

import engines

# A benchmark is a module with `run(plan) -> Section`: a new one needs a file and a line here.
BENCHMARKS = {
    "playouts": playouts.run,
    "perft": perft.run,
    "search": search.run,
    "tree": tree.run,
    "engines": engines.run,
    "solve": solve.run,
    "threads": threads.run,
}
RESULTS = Path(__file__).parent / "results"


def main() -> None:
    """Measure, print, keep."""
    options = read_options()
    if machine.has_checks():
        sys.exit("the engine is a dev build: run `maturin develop --release` first")
    plan = QUICK if options.quick else FULL
    facts = machine.facts()
    sections: dict[str, Section] = {}
    for name in options.only or BENCHMARKS:
        print(f"{name} ...", file=sys.stderr, flush=True)
        sections[name] = BENCHMARKS[name](plan)
    facts["load average at the end"] = machine.load()
    facts["measured"] = f"{plan.rounds} rounds of about {plan.seconds} s for each contestant"

    text = markdown(facts, sections)
    data = {
        "schema": 1,
        "machine": facts,
        "sections": {name: section.data for name, section in sections.items()},
    }
    keep(options.name or facts["date"] + ("-quick" if options.quick else ""), text, data)
    print(json.dumps(data, indent=1) if options.json else text)


def read_options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description="The benchmarks of sylve (benchmarks/README.md).")
    parser.add_argument("--quick", action="store_true", help="sooner, and noisier")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--name", help="of the files in benchmarks/results; default: the date")
    parser.add_argument(
        "--only", action="append", choices=BENCHMARKS, help="this section; may be repeated"
    )
    return parser.parse_args()


def markdown(facts: dict[str, str], sections: dict[str, Section]) -> str:
    """The whole page."""
    parts = [section.markdown() for section in sections.values()]
    parts.append("## Machine\n\n" + "".join(f"- {key}: {value}\n" for key, value in facts.items()))
    return "# Benchmarks\n\n" + "\n".join(parts)


def keep(name: str, text: str, data: dict[str, object]) -> None:
    """Write NAME.md and NAME.json, whole or not at all."""
    RESULTS.mkdir(exist_ok=True)
    for ending, content in [("md", text), ("json", json.dumps(data, indent=1) + "\n")]:
        part = RESULTS / f"{name}.{ending}.tmp"
        part.write_text(content)
        part.replace(RESULTS / f"{name}.{ending}")


if __name__ == "__main__":
    main()
