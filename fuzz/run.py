"""Fuzz the texts of positions and moves: `make fuzz`, or `python fuzz/run.py --help`.

The exit code is 1 if a target found something, 2 if it could not be built.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

FUZZ = Path(__file__).resolve().parent
ROOT = FUZZ.parent
# The address sanitizer is an unstable option; this lets the stable compiler take it.
ENVIRONMENT = os.environ | {"RUSTC_BOOTSTRAP": "1"}
# A text is read and played out in microseconds, so five seconds are a hang on any machine. The
# longest text that a game reads is Go's on 19x19, 379 cells and slashes and a few words: longer
# inputs would only be refused.
LIMITS = ["-timeout=5", "-max_len=600", "-rss_limit_mb=1024"]
QUIET = ["-verbosity=0", "-print_funcs=0", "-print_final_stats=1"]


def targets() -> list[str]:
    """Two for every game under test."""
    lines = (ROOT / "tests/data/games.txt").read_text().splitlines()
    games = dict.fromkeys(line.split("(")[0].strip() for line in lines if line[:1] not in ("", "#"))
    return [f"{kind}_{game}" for game in games for kind in ("position", "moves")]


def write_seeds(target: str) -> Path:
    """Put the lines of seeds/GAME.txt into the corpus of a target."""
    kind, _, game = target.partition("_")
    corpus = FUZZ / "corpus" / target
    corpus.mkdir(parents=True, exist_ok=True)
    for number, line in enumerate((FUZZ / "seeds" / f"{game}.txt").read_text().splitlines()):
        word, _, text = line.partition(" ")
        if word == kind:
            # The first two bytes of a move's input: no plies from the start, stream 0.
            prefix = b"\0\0" if kind == "moves" else b""
            (corpus / f"seed-{number}").write_bytes(prefix + text.encode())
    return corpus


def cargo_fuzz(*arguments: str | Path) -> int:
    return subprocess.run(["cargo", "fuzz", *arguments], cwd=ROOT, env=ENVIRONMENT).returncode


def main() -> int:
    parser = argparse.ArgumentParser(description="Fuzz the texts of positions and moves.")
    parser.add_argument("--seconds", type=int, default=60, help="for each target (60)")
    parser.add_argument("--build", action="store_true", help="build only")
    parser.add_argument("targets", nargs="*", help=f"some of: {' '.join(targets())}")
    arguments = parser.parse_args()
    chosen = arguments.targets or targets()

    probe = ["cargo", "fuzz", "--version"]
    if subprocess.run(probe, capture_output=True).returncode:
        print("Installing cargo-fuzz (once)", flush=True)
        install = ["cargo", "install", "--quiet", "--locked", "cargo-fuzz"]
        if subprocess.run(install).returncode:
            return 2
    for target in chosen:
        if cargo_fuzz("build", target):
            return 2
    if arguments.build:
        return 0
    found = []
    for target in chosen:
        print(f"Fuzzing {target} for {arguments.seconds} s", flush=True)
        options = [*LIMITS, *QUIET, f"-max_total_time={arguments.seconds}"]
        if cargo_fuzz("run", target, write_seeds(target), "--", *options):
            found.append(target)
    print(
        f"Found something: {' '.join(found)}" if found else f"{len(chosen)} targets: nothing found"
    )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
