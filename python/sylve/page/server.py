"""Running the server: sockets, uvicorn, Ctrl-C."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from sylve.page import limits
from sylve.page.access import bracketed, is_loopback
from sylve.page.app import Page

TRIES = 20  # ports after the usual one


class Patient(H11Protocol):
    """A connection must send the headers of its first request in time."""

    def connection_made(self, transport: Any) -> None:
        """Begin to wait."""
        super().connection_made(transport)
        self.loop.call_later(limits.HEADER_SECONDS, self.give_up, transport)

    def give_up(self, transport: Any) -> None:
        """Close it if nothing has come, and it is not a WebSocket by now."""
        if self.cycle is None and transport.get_protocol() is self:
            transport.close()


def listen(host: str, port: int, *, exact: bool) -> list[socket.socket]:
    """Sockets on the address; on loopback both kinds. If nobody insists, the next free port."""
    last: OSError | None = None
    for number in [port] if exact or port == 0 else range(port, port + TRIES):
        try:
            return bind(host, number)
        except OSError as error:
            last = error
    assert last is not None
    raise OSError(last.errno, f"port {port}: {last.strerror}")


def bind(host: str, port: int) -> list[socket.socket]:
    """The sockets of one port."""
    names = ["127.0.0.1", "::1"] if is_loopback(host) else [host]
    found: list[socket.socket] = []
    for name in names:
        family = socket.AF_INET6 if ":" in name else socket.AF_INET
        try:
            one = socket.socket(family, socket.SOCK_STREAM)
        except OSError:
            if found:
                continue  # no IPv6 here
            raise
        try:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            one.bind((name, found[0].getsockname()[1] if found else port))
            one.listen(128)
        except OSError:
            one.close()
            if found:
                continue
            raise
        found.append(one)
    return found


def address(host: str, port: int, token: str) -> str:
    """What a browser opens."""
    name = "127.0.0.1" if is_loopback(host) else bracketed(host)
    return f"http://{name}:{port}/?token={token}"


def run(page: Page, sockets: list[socket.socket], ready: Callable[[], None]) -> None:
    """Serve until Ctrl-C, which is raised again at the end."""
    config = uvicorn.Config(
        page.guard,
        http=Patient,
        ws="websockets-sansio",
        loop="asyncio",
        lifespan="off",
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        ws_max_size=limits.MESSAGE_BYTES,
        ws_max_queue=16,
        ws_per_message_deflate=False,
        limit_concurrency=512,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=limits.HEADER_BYTES,
    )
    server = Server(config, ready)
    try:
        asyncio.run(server.serve(sockets=sockets))
    finally:
        page.close()


class Server(uvicorn.Server):
    """It says when it serves, and leaves at once."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin."""
        await super().startup(sockets)
        self.ready()
