"""The workshop itself: what `make` says on a machine where something is missing; the fuzz seeds."""

import contextlib
import shutil
import subprocess
from pathlib import Path

import pytest

from helpers import GAMES
from sylve import _core

ROOT = Path(__file__).parent.parent
KINDS = ("position", "moves")

OLD_PYTHON = '#!/bin/sh\ncase "$2" in *version_info*) exit 1 ;; esac\n'
BARE_PYTHON = '#!/bin/sh\ncase "$2" in *ensurepip*) exit 1 ;; esac\n'


def check(folder: Path, **programs: str) -> subprocess.CompletedProcess[str]:
    """Run .ci/check where only these programs are, each a shell script."""
    for tool in ("sh", "cut"):
        (folder / tool).symlink_to(str(shutil.which(tool)))
    for name, script in programs.items():
        (folder / name).write_text(script)
        (folder / name).chmod(0o755)
    command = [folder / "sh", ROOT / ".ci/check", "python3", "python3.13"]
    return subprocess.run(command, env={"PATH": str(folder)}, capture_output=True, text=True)


CARGO = "#!/bin/sh\necho cargo 1.90.0\n"
FINE = "#!/bin/sh\n"


def test_all_there(tmp_path: Path) -> None:
    done = check(tmp_path, cargo=CARGO, cc=FINE, python3=FINE)
    assert (done.returncode, done.stdout, done.stderr) == (0, "python3\n", "")


def test_an_old_python_is_passed_over(tmp_path: Path) -> None:
    done = check(tmp_path, cargo=CARGO, cc=FINE, python3=OLD_PYTHON, **{"python3.13": FINE})
    assert (done.returncode, done.stdout) == (0, "python3.13\n")


@pytest.mark.parametrize(
    ("programs", "said"),
    [
        ({"cc": FINE, "python3": FINE}, "there is no cargo: install it from https://rustup.rs"),
        ({"cargo": CARGO.replace("90", "63"), "cc": FINE, "python3": FINE}, "this is 1.63"),
        ({"cargo": CARGO, "python3": FINE}, "there is no cc: install gcc or clang"),
        ({"cargo": CARGO, "cc": FINE}, "Python 3.11 or newer, and none of these is: python3"),
        ({"cargo": CARGO, "cc": FINE, "python3": OLD_PYTHON}, "Python 3.11 or newer"),
        ({"cargo": CARGO, "cc": FINE, "python3": BARE_PYTHON}, "apt install python3-venv"),
    ],
)
def test_what_is_missing_is_named(tmp_path: Path, programs: dict[str, str], said: str) -> None:
    done = check(tmp_path, **programs)
    assert done.returncode == 1
    assert done.stdout == "" or "Python" not in said
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr


def test_everything_missing_is_said_at_once(tmp_path: Path) -> None:
    assert len(check(tmp_path).stderr.splitlines()) == 3


def test_help_lists_every_target() -> None:
    command = ["make", "--no-print-directory", "help"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    for target in ("run", "test", "test-long", "test-faults", "lint", "bench", "wheel", "clean"):
        assert f"make {target} " in done.stdout


@pytest.mark.parametrize("game", sorted({game.split("(")[0] for game in GAMES}))
def test_fuzz_seeds_are_read(game: str) -> None:
    """A fuzzer that starts from texts which are refused learns slowly."""
    lines = (ROOT / f"fuzz/seeds/{game}.txt").read_text().splitlines()
    texts = {kind: [x for k, x in (s.split(" ", 1) for s in lines) if k == kind] for kind in KINDS}
    assert all(texts.values())
    assert sum(map(len, texts.values())) == len(lines)
    for text in texts["position"]:
        _core.Position(game, text)
    for text in texts["moves"]:
        with contextlib.suppress(_core.IllegalMove):  # readable is enough: pass, swap
            _core.Position(game).read_move(text)


def test_every_game_has_its_fuzz_targets() -> None:
    for game in {game.split("(")[0] for game in GAMES}:
        for kind in KINDS:
            assert (ROOT / f"fuzz/targets/{kind}_{game}.rs").exists()
