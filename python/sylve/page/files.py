"""The files of the page itself: a fixed list, read once. No path is made from a request."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib import resources

KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True)
class File:
    """A file as it is sent."""

    content: bytes
    kind: str

    @property
    def tag(self) -> str:
        """So that a browser need not fetch it again."""
        return f'"{hashlib.sha256(self.content).hexdigest()[:16]}"'


def page_files() -> dict[str, File]:
    """Every file by its address; the page itself is `/`."""
    found = {}
    for entry in sorted(resources.files("sylve.page").joinpath("static").iterdir(), key=str):
        suffix = f".{entry.name.rpartition('.')[2]}"
        if suffix in KINDS:
            address = "/" if entry.name == "index.html" else f"/static/{entry.name}"
            found[address] = File(entry.read_bytes(), KINDS[suffix])
    return found
