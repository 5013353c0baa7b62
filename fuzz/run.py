"""Fuzz all that is read from outside: `make fuzz`, or `python fuzz/run.py --help`.

Positions and moves are fuzzed in Rust by cargo-fuzz, the readers in Python by Atheris; both are
libFuzzer. The exit code is 1 if a target found something, 2 if it could not be built.
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
# The checks in Python have limits of their own (fuzz/python/main.py); these are for what hangs.
PYTHON_LIMITS = ["-timeout=60", "-max_len=4096", "-rss_limit_mb=512"]
PYTHON_TARGETS = (
    "sgf", "ggf", "json", "moves", "grammar", "toml", "store", "engine", "saved", "gtp",
)  # fmt: skip
QUIET = ["-verbosity=0", "-print_funcs=0", "-print_final_stats=1"]


def targets() -> list[str]:
    """Two for every game under test, and those in Python."""
    lines = (ROOT / "tests/data/games.txt").read_text().splitlines()
    games = dict.fromkeys(line.split("(")[0].strip() for line in lines if line[:1] not in ("", "#"))
    rust = [f"{kind}_{game}" for game in games for kind in ("position", "moves")]
    return [*rust, *PYTHON_TARGETS]


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


def prepare_rust(chosen: list[str]) -> int:
    """Install cargo-fuzz if it is missing, and build the targets."""
    probe = ["cargo", "fuzz", "--version"]
    if chosen and subprocess.run(probe, capture_output=True).returncode:
        print("Installing cargo-fuzz (once)", flush=True)
        install = ["cargo", "install", "--quiet", "--locked", "cargo-fuzz"]
        if subprocess.run(install).returncode:
            return 2
    return 2 if any(cargo_fuzz("build", target) for target in chosen) else 0


def prepare_python(chosen: list[str]) -> int:
    """Install Atheris if it is missing."""
    if not chosen or subprocess.run([sys.executable, "-c", "import atheris"]).returncode == 0:
        return 0
    print("Installing Atheris (once)", flush=True)
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--group", "fuzz"]
    if subprocess.run(install, cwd=ROOT).returncode:
        print(
            "Atheris cannot be installed: see https://pypi.org/project/atheris for its wheels."
            f"\nWithout it: python fuzz/run.py {' '.join(set(targets()) - set(PYTHON_TARGETS))}",
            file=sys.stderr,
        )
        return 2
    return 0


def fuzz(target: str, options: list[str]) -> int:
    """Run one target."""
    if target not in PYTHON_TARGETS:
        return cargo_fuzz("run", target, write_seeds(target), "--", *LIMITS, *QUIET, *options)
    artifacts = FUZZ / "artifacts" / target
    artifacts.mkdir(parents=True, exist_ok=True)
    script = [sys.executable, FUZZ / "python" / "main.py", target, FUZZ / "corpus" / target]
    where = f"-artifact_prefix={artifacts}/"
    return subprocess.run([*script, *PYTHON_LIMITS, *QUIET, where, *options]).returncode


def main() -> int:
    parser = argparse.ArgumentParser(description="Fuzz all that is read from outside.")
    parser.add_argument("--seconds", type=int, default=60, help="for each target (60)")
    parser.add_argument("--runs", type=int, help="for each target, instead of seconds")
    parser.add_argument("--longest", type=int, help="bytes of an input; short ones run faster")
    parser.add_argument("--build", action="store_true", help="build only")
    parser.add_argument("targets", nargs="*", help=f"some of: {' '.join(targets())}")
    arguments = parser.parse_args()
    chosen = arguments.targets or targets()
    if strange := set(chosen) - set(targets()):
        parser.error(f"unknown target {min(strange)!r}: expected some of: {' '.join(targets())}")

    rust = [target for target in chosen if target not in PYTHON_TARGETS]
    python = [target for target in chosen if target in PYTHON_TARGETS]
    if prepare_rust(rust) or prepare_python(python):
        return 2
    if arguments.build:
        return 0
    limit = f"-max_total_time={arguments.seconds}"
    amount = f"{arguments.seconds} s"
    if arguments.runs is not None:
        limit, amount = f"-runs={arguments.runs}", f"{arguments.runs} executions"
    options = [limit]
    if arguments.longest is not None:
        options.append(f"-max_len={arguments.longest}")
    found = []
    for target in chosen:
        print(f"Fuzzing {target} for {amount}", flush=True)
        if fuzz(target, options):
            found.append(target)
    print(
        f"Found something: {' '.join(found)}" if found else f"{len(chosen)} targets: nothing found"
    )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
