"""Who may come in: addresses under which the page is reached, the token, the cookie."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
from dataclasses import dataclass

SHORTEST_TOKEN = 16  # characters


@dataclass(frozen=True)
class Access:
    """What the guard compares requests with."""

    token: str
    hosts: frozenset[str]
    """The values of the header Host that are ours, with the port; nothing is matched in part."""
    port: int

    @property
    def origins(self) -> frozenset[str]:
        """Where our own pages come from."""
        return frozenset(f"http://{host}" for host in self.hosts)

    @property
    def cookie_name(self) -> str:
        """Browsers do not separate the cookies of ports: each server has a name of its own."""
        return f"sylve_{self.port}"

    @property
    def cookie(self) -> str:
        """What a browser holds once it has shown the token; it does not tell the token."""
        return hashlib.sha256(b"sylve page\0" + self.token.encode()).hexdigest()

    def knows_token(self, given: str) -> bool:
        """Whether this is the token; in the same time for every wrong one."""
        return hmac.compare_digest(given.encode(), self.token.encode())

    def knows_cookie(self, given: str) -> bool:
        """Whether this is the cookie."""
        return hmac.compare_digest(given.encode(), self.cookie.encode())


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches the address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def make_access(host: str, port: int, token: str | None) -> Access:
    """The access of a server at this address.

    >>> sorted(make_access("127.0.0.1", 8642, None).hosts)
    ['127.0.0.1:8642', '[::1]:8642', 'localhost:8642']
    """
    own = is_loopback(host)
    check_host(host)
    if token is None and not own:
        raise ValueError(
            f"--host {host} lets other machines in: choose a token with --token, or with"
            " SYLVE_TOKEN in the environment"
        )
    if token is not None and (
        len(token) < SHORTEST_TOKEN or not token.isascii() or not token.isalnum()
    ):
        raise ValueError(
            f"the token must have at least {SHORTEST_TOKEN} characters, letters and digits only"
        )
    names = ["127.0.0.1", "localhost", "[::1]"] if own else [bracketed(host)]
    return Access(
        token=token or secrets.token_hex(16),
        hosts=frozenset(f"{name}:{port}".lower() for name in names),
        port=port,
    )


def bracketed(host: str) -> str:
    """A host as an address of the web has it."""
    return f"[{host}]" if ":" in host else host


def check_host(host: str) -> None:
    """Refuse what is no single address: the guard must know by which name it is called."""
    try:
        any_address = ipaddress.ip_address(host).is_unspecified
    except ValueError:
        any_address = not host
    if any_address:
        raise ValueError(
            f"--host {host!r} stands for every address of this machine: name the one that browsers"
            " will use"
        )
