"""What the figures depend on: the machine, the builds, the load. No host names, no paths."""

from __future__ import annotations

import datetime
import os
import platform
import tomllib
from pathlib import Path

import peers
import plain_c

from sylve import _core

ROOT = Path(__file__).parent.parent


def facts() -> dict[str, str]:
    """The facts that belong to every result."""
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "processor": processor(),
        "cores": str(os.cpu_count()),
        "load average": load(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "sylve": f"{_core.__version__}, processor level {_core.cpu()}",
        "rust build": build(),
        "plain C": plain_c.compiler(),
        "OpenSpiel": peers.version(),
    }


def processor() -> str:
    """The model name, where the system tells it."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def load() -> str:
    """Over 1, 5 and 15 minutes. Above the number of cores, ratios still hold, rates do not."""
    try:
        return " ".join(f"{value:.2f}" for value in os.getloadavg())
    except (AttributeError, OSError):  # not on Windows
        return "unknown"


def build() -> str:
    """The profile of the engine that is measured."""
    if has_checks():
        return "dev profile, with checks: the figures mean nothing (maturin develop --release)"
    profile = tomllib.loads((ROOT / "Cargo.toml").read_text())["profile"]["release"]
    return "release profile, " + ", ".join(f"{key} = {value}" for key, value in profile.items())


def has_checks() -> bool:
    """Whether the engine was built with debug assertions: their texts are then in the file."""
    module = Path(str(_core.__file__)).read_bytes()
    return b"assertion failed: self.is_legal(state, mv)" in module
