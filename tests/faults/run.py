"""Plant each fault in a copy of the tree and require the test that it names to fail.

python tests/faults/run.py [NAME ...]

A fault is a patch, tests/faults/NAME.patch. Its first two lines are `# breaks: ...` and
`# caught by: ...`, the latter in one of three forms:

    tests/test_perft.py::test_rust -k leaf      arguments of pytest
    cargo test -p sylve-core nth_bit            a test of the Rust crates
    fuzz moves_tic_tac_toe                      a fuzz target, run for 30 seconds
"""

import filecmp
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATCHES = {path.stem: path for path in sorted((ROOT / "tests/faults").glob("*.patch"))}
# Always the same folder, so that cargo compiles only what a patch touches.
WORK = (ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "faults").resolve()
COPY, LOGS = WORK / "tree", WORK / "logs"
ENVIRONMENT = os.environ | {
    "CARGO_TARGET_DIR": str(WORK / "build"),
    "GIT_CEILING_DIRECTORIES": str(WORK),  # the copy is no part of the repository around it
    "PYTHONDONTWRITEBYTECODE": "1",  # a stale .pyc would hide a patch of the same length
    "PYTHONPATH": str(COPY / "python"),
    "VIRTUAL_ENV": sys.prefix,
}


COMPILE = [
    sys.executable, "-m", "maturin", "develop", "--skip-install", "--profile", "faults",
]  # fmt: skip
compiled = ""  # a digest of the sources that COMPILE saw last


def read_header(patch: Path) -> tuple[str, str]:
    """What a fault breaks, and what catches it."""
    match = re.match(r"# breaks: (.+)\n# caught by: (.+)\n", patch.read_text())
    if not match:
        raise ValueError(f"{patch}: expected the lines '# breaks: ...' and '# caught by: ...'")
    return match[1], match[2]


def commands(caught_by: str) -> tuple[list[str], list[str], int]:
    """How to build for a test, how to run it, and its exit code if it ran and failed."""
    words = shlex.split(caught_by)
    if words[:2] == ["cargo", "test"]:
        return ["cargo", "test", "--no-run", *words[2:]], words, 101
    if words[0] == "fuzz":
        script = [sys.executable, "fuzz/run.py", *words[1:]]
        rust = words[1].startswith(("position_", "moves_"))
        return [*script, "--build"] if rust else COMPILE, [*script, "--seconds", "30"], 1
    return COMPILE, [sys.executable, "-m", "pytest", "-x", *words], 1


def copy_tree() -> None:
    """Bring the copy up to date without touching what has not changed."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    files = {name for name in listed.split("\0") if name and (ROOT / name).is_file()}
    for path in list(COPY.rglob("*")):
        name = path.relative_to(COPY).as_posix()
        built = path.suffix == ".so" or name.startswith(("fuzz/corpus/", "fuzz/Cargo.lock"))
        if path.is_file() and name not in files and not built:
            path.unlink()
    for name in files:
        (COPY / name).parent.mkdir(parents=True, exist_ok=True)
        if not (COPY / name).exists() or not filecmp.cmp(ROOT / name, COPY / name, shallow=False):
            shutil.copyfile(ROOT / name, COPY / name)


def run(command: list[str], log: Path) -> int:
    """Run in the copy; the exit code."""
    with log.open("a") as output:
        print("$", shlex.join(command), file=output, flush=True)
        streams = {"stdin": subprocess.DEVNULL, "stdout": output, "stderr": output}
        return subprocess.run(command, cwd=COPY, env=ENVIRONMENT, **streams).returncode


def rust_sources() -> str:
    """A digest of what is compiled."""
    files = [path for path in (COPY / "crates").rglob("*") if path.is_file()]
    content = b"".join(path.read_bytes() for path in sorted([*files, *COPY.glob("Cargo.*")]))
    return hashlib.sha256(content).hexdigest()


def verdict(caught_by: str, log: Path) -> str:
    """Build and run a test: `passes`, `fails`, or what else went wrong."""
    global compiled
    build, test, failed = commands(caught_by)
    now = rust_sources()
    if build != COMPILE or now != compiled:
        if run(build, log):
            return "does not build"
        compiled = now if build == COMPILE else compiled
    code = run(test, log)  # a filter of cargo test that matches nothing succeeds too
    if code == 0 and test[0] == "cargo" and not re.search(r"[1-9]\d* passed", log.read_text()):
        return "does not exist"
    return {0: "passes", failed: "fails"}.get(code, f"ends with exit code {code}")


def main() -> int:
    """Plant the faults named on the command line, or all."""
    names = sys.argv[1:] or list(PATCHES)
    if not PATCHES.keys() >= set(names):
        sys.exit(f"the faults are: {' '.join(PATCHES)}")
    shutil.rmtree(LOGS, ignore_errors=True)
    LOGS.mkdir(parents=True)
    copy_tree()
    # Every test without a fault first: each change of the sources costs a compilation.
    sound = {}
    for test in sorted({read_header(PATCHES[name])[1] for name in names}):
        sound[test] = verdict(test, LOGS / f"without-{len(sound)}.log")
        print(f"{'(no fault)':25} {sound[test]:11} {test}", flush=True)
    caught = 0
    # Faults in Python next: none of them is compiled.
    for name in sorted(names, key=lambda name: "+++ b/crates/" in PATCHES[name].read_text()):
        (breaks, test), log, began = read_header(PATCHES[name]), LOGS / f"{name}.log", time.time()
        apply, result = ["git", "apply", str(PATCHES[name])], "the patch does not apply"
        if run(apply, log) == 0:
            result = f"the test {verdict(test, log)}"
            run([*apply, "--reverse"], log)
        caught += (good := result == "the test fails" and sound[test] == "passes")
        shown = f"caught {time.time() - began:2.0f} s" if good else f"NOT CAUGHT: {result}"
        print(f"{name:25} {shown:11} {breaks}", flush=True)
    print(f"{caught} of {len(names)} faults caught; logs in {LOGS}")
    return 0 if caught == len(names) else 1


if __name__ == "__main__":
    sys.exit(main())
