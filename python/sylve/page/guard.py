"""What a request must be before anything is done for it.

ASGI middleware in front of the routes. The checks stand in the order in which they are made; each
is a function from what was asked to a refusal or None. A request that is refused has cost the
reading of its headers.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

from sylve.page import limits
from sylve.page.access import Access
from sylve.page.rates import Rates

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LIVE = "/api/live"
"""The address of the WebSocket."""
ADDRESS = re.compile(rb"/[a-z0-9_/.-]*")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
ALONE = ("host", "origin", "cookie", "content-length", "content-type", "transfer-encoding")
"""Headers that must not come twice: two readers might believe two different ones."""


@dataclass(frozen=True)
class Refusal:
    """Why a request is not served."""

    status: int
    code: str
    message: str


@dataclass(frozen=True)
class Asked:
    """A request as far as the guard looks at it."""

    live: bool
    """Whether it opens a WebSocket."""
    method: str
    raw: bytes
    """The path as it was sent."""
    query: bytes
    headers: tuple[tuple[str, str], ...]
    client: str
    version: str

    @classmethod
    def of(cls, scope: Scope) -> Asked:
        """The request of an ASGI scope."""
        live = scope["type"] == "websocket"
        return cls(
            live=live,
            method="GET" if live else scope["method"],
            raw=scope.get("raw_path") or scope["path"].encode(),
            query=scope.get("query_string") or b"",
            headers=tuple((k.decode("latin-1"), v.decode("latin-1")) for k, v in scope["headers"]),
            client=(scope.get("client") or ("",))[0],
            version=scope.get("http_version", ""),
        )

    def header(self, name: str) -> str | None:
        """A header; the first, if it came twice."""
        return next((value for key, value in self.headers if key == name), None)

    @property
    def path(self) -> str:
        """The path; plain ASCII once `strange_address` has passed."""
        return self.raw.decode("latin-1")

    @property
    def token(self) -> str | None:
        """The token in the address."""
        found = parse_qs(self.query.decode("latin-1"), max_num_fields=8).get("token", [])
        return found[0] if len(found) == 1 else None


class Guard:
    """Everything that comes in passes here; `methods` says which addresses there are."""

    def __init__(self, app: App, access: Access, methods: dict[str, str]) -> None:
        self.app, self.access, self.methods = app, access, methods
        self.rates = Rates(limits.CALLS_A_SECOND, limits.CALLS_AT_ONCE)
        self.tabs = 0
        self.checks = (
            self.too_large,
            self.strange_header,
            self.strange_host,
            self.strange_address,
            self.strange_origin,
            self.stranger,
            self.unknown_address,
            self.strange_content,
            self.too_fast,
            self.too_many,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve or refuse."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        asked = Asked.of(scope)
        refusal = self.refusal(asked)
        if asked.live:
            await self.serve_live(refusal, scope, receive, send)
        elif refusal is not None:
            await answer(send, refusal, plain=asked.method == "GET")
        elif asked.path == "/" and asked.token is not None:
            await self.let_in(send)
        else:
            await self.serve(asked, scope, receive, send)

    def refusal(self, asked: Asked) -> Refusal | None:
        """The first check that refuses."""
        for check in self.checks:
            found = check(asked)
            if found is not None:
                return found
        return None

    # The checks.

    def too_large(self, asked: Asked) -> Refusal | None:
        """Headers and address."""
        if len(asked.raw) + len(asked.query) > limits.ADDRESS_BYTES:
            return Refusal(414, "address", "the address is too long")
        if sum(len(key) + len(value) for key, value in asked.headers) > limits.HEADER_BYTES:
            return Refusal(431, "headers", "the headers are too long")
        return None

    def strange_header(self, asked: Asked) -> Refusal | None:
        """Headers that contradict each other."""
        names = [key for key, _ in asked.headers]
        for name in ALONE:
            if names.count(name) > 1:
                return Refusal(400, "headers", f"the header {name} came twice")
        if "content-length" in names and "transfer-encoding" in names:
            return Refusal(400, "headers", "two lengths of one body")
        if asked.version != "1.1":
            return Refusal(505, "version", "expected HTTP/1.1")
        return None

    def strange_host(self, asked: Asked) -> Refusal | None:
        """Another name that leads here: a page elsewhere has made its own name ours."""
        host = asked.header("host")
        if host is None or host.lower() not in self.access.hosts:
            return Refusal(421, "host", "this server is not known by that name")
        return None

    def strange_address(self, asked: Asked) -> Refusal | None:
        """Only plain letters: nothing to decode, nothing above."""
        if not ADDRESS.fullmatch(asked.raw) or b".." in asked.raw or b"//" in asked.raw:
            return Refusal(400, "address", "there is no such address")
        return None

    def strange_origin(self, asked: Asked) -> Refusal | None:
        """A request that another page makes. Ours say where they come from."""
        origin, site = asked.header("origin"), asked.header("sec-fetch-site")
        needed = asked.live or asked.method != "GET"
        if origin not in self.access.origins and (needed or origin is not None):
            return Refusal(403, "origin", "only the page itself may ask for this")
        opened = asked.path == "/" and asked.header("sec-fetch-mode") == "navigate"
        if site not in (None, "same-origin", "none") and not opened:
            return Refusal(403, "origin", "only the page itself may ask for this")
        return None

    def stranger(self, asked: Asked) -> Refusal | None:
        """Whoever has not shown the token."""
        if asked.path == "/" and asked.token is not None and not asked.live:
            if self.access.knows_token(asked.token):
                return None
        else:
            try:
                cookies = SimpleCookie(asked.header("cookie") or "")
            except CookieError:
                cookies = SimpleCookie()
            given = cookies.get(self.access.cookie_name)
            if given is not None and self.access.knows_cookie(given.value):
                return None
        return Refusal(403, "token", "open the address that `sylve serve` has printed")

    def unknown_address(self, asked: Asked) -> Refusal | None:
        """What is not in the list of addresses, or there by another method."""
        if asked.live:
            return None if asked.path == LIVE else Refusal(404, "address", "no such address")
        if asked.path not in self.methods:
            return Refusal(404, "address", "there is no such address")
        if asked.method != self.methods[asked.path]:
            return Refusal(405, "method", f"use {self.methods[asked.path]}")
        return None

    def strange_content(self, asked: Asked) -> Refusal | None:
        """A body that is not the JSON of our own pages, or too large."""
        length = asked.header("content-length")
        if asked.method == "GET":
            bare = length in (None, "0") and asked.header("transfer-encoding") is None
            return None if bare else Refusal(400, "content", "a GET has no body")
        kind = (asked.header("content-type") or "").partition(";")[0].strip().lower()
        if kind != "application/json":
            return Refusal(415, "content", "expected application/json")
        if length is not None and not re.fullmatch("[0-9]{1,12}", length, re.ASCII):
            return Refusal(400, "content", "the length cannot be read")
        if length is not None and int(length) > limits.BODY_BYTES:
            return Refusal(413, "size", f"more than {limits.BODY_BYTES} bytes")
        return None

    def too_fast(self, asked: Asked) -> Refusal | None:
        """More calls than a person makes with many tabs."""
        if not self.rates.take(asked.client):
            return Refusal(429, "rate", "too many requests: wait a second")
        return None

    def too_many(self, asked: Asked) -> Refusal | None:
        """More tabs than the server has room for."""
        if asked.live and self.tabs >= limits.TABS:
            return Refusal(503, "tabs", f"more than {limits.TABS} tabs are open")
        return None

    # What follows.

    async def let_in(self, send: Send) -> None:
        """The token becomes a cookie, and leaves the address."""
        cookie = (
            f"{self.access.cookie_name}={self.access.cookie}; Path=/; HttpOnly; SameSite=Strict"
        )
        headers = {"location": "/", "set-cookie": cookie, "cache-control": "no-store"}
        await respond(send, 303, headers, b"")

    async def serve_live(
        self, refusal: Refusal | None, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """A tab; a refusal is a plain HTTP answer, before anything is accepted."""
        if refusal is not None:
            await receive()  # websocket.connect
            if "websocket.http.response" in scope.get("extensions", {}):
                await respond(send, refusal.status, {}, b"", prefix="websocket.")
            else:
                await send({"type": "websocket.close", "code": 1008})
            return
        self.tabs += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self.tabs -= 1

    async def serve(self, asked: Asked, scope: Scope, receive: Receive, send: Send) -> None:
        """A request whose body is read first, whole and within its limits."""
        body = b""
        if asked.method != "GET":
            try:
                async with asyncio.timeout(limits.BODY_SECONDS):
                    read = await read_body(receive)
            except TimeoutError:
                await answer(send, Refusal(408, "slow", "the body came too slowly"))
                return
            if isinstance(read, Refusal):
                await answer(send, read)
                return
            body = read
        given = False

        async def replay() -> MutableMapping[str, Any]:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def send_guarded(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                extra = [(key.encode(), value.encode()) for key, value in HEADERS.items()]
                message = {**message, "headers": [*message.get("headers", []), *extra]}
            await send(message)

        await self.app(scope, replay, send_guarded)


async def read_body(receive: Receive) -> bytes | Refusal:
    """All of a body; a refusal if it is too large, or the client has gone."""
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return Refusal(400, "content", "the body is not complete")
        part = message.get("body", b"")
        size += len(part)
        if size > limits.BODY_BYTES:
            return Refusal(413, "size", f"more than {limits.BODY_BYTES} bytes")
        parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts)


async def answer(send: Send, refusal: Refusal, *, plain: bool = False) -> None:
    """Refuse: a sentence for a person, JSON for a program."""
    if plain:
        kind, body = "text/plain; charset=utf-8", f"sylve: {refusal.message}\n".encode()
    else:
        content = {"error": {"code": refusal.code, "message": refusal.message}}
        kind, body = "application/json", json.dumps(content).encode()
    headers = {"content-type": kind, "cache-control": "no-store"}
    if refusal.status in (429, 503):
        headers["retry-after"] = "1"
    await respond(send, refusal.status, headers, body)


async def respond(
    send: Send, status: int, headers: dict[str, str], body: bytes, prefix: str = ""
) -> None:
    """A whole response."""
    pairs = {**HEADERS, **headers, "content-length": str(len(body))}
    encoded = [(key.encode(), value.encode("latin-1")) for key, value in pairs.items()]
    start = f"{prefix}http.response.start"
    await send({"type": start, "status": status, "headers": encoded})
    await send({"type": f"{prefix}http.response.body", "body": body})
