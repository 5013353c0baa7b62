"""loom and ThreadSanitizer on the shared tree, each with faults that it must find (long)."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
pytestmark = pytest.mark.long


def cargo(
    *arguments: str, flags: str, target: str, optimise: int
) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "RUSTFLAGS": flags,
        "RUSTC_BOOTSTRAP": "1",  # sanitizers are not stable
        "CARGO_TARGET_DIR": str(TARGET / target),
        "CARGO_PROFILE_DEV_OPT_LEVEL": str(optimise),  # quick to compile
    }
    return subprocess.run(
        ["cargo", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True
    )


def test_loom() -> None:
    result = cargo(
        "test", "-p", "sylve-core", "--test", "loom", flags="--cfg loom", target="loom", optimise=0
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert "18 passed" in result.stdout


@pytest.fixture(scope="module")
def program() -> Path:
    triple = "x86_64-unknown-linux-gnu"
    result = cargo(
        "build", "-p", "sylve-core", "--example", "tsan", "--target", triple, optimise=1,
        flags="-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer", target="tsan",
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    return TARGET / "tsan" / triple / "debug" / "examples" / "tsan"


def test_thread_sanitizer_has_nothing_to_say(program: Path) -> None:
    result = subprocess.run([program], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert "160000 results counted, none lost" in result.stderr
    assert "WARNING: ThreadSanitizer" not in result.stderr


@pytest.mark.parametrize("fault", ["race", "publish"])
def test_thread_sanitizer_sees_planted_races(program: Path, fault: str) -> None:
    result = subprocess.run([program, fault], capture_output=True, text=True)
    assert "WARNING: ThreadSanitizer: data race" in result.stderr
    assert result.returncode != 0
