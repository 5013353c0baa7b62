"""A page server in a thread of the test, and clients that speak to it byte by byte."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from websockets.sync.client import ClientConnection, connect

from sylve.game import AnyGame
from sylve.page import server
from sylve.page.access import Access, make_access
from sylve.page.app import Page
from sylve.page.offers import Offers
from sylve.page.shelf import Shelf

TOKEN = "0123456789abcdef0123456789abcdef"


class Serving:
    """A server that runs, and how to reach it."""

    def __init__(self, page: Page, access: Access) -> None:
        self.page, self.access, self.port = page, access, access.port
        self.host = f"127.0.0.1:{self.port}"
        self.origin = f"http://{self.host}"
        self.cookie = f"{access.cookie_name}={access.cookie}"
        self.url = f"{self.origin}/?token={access.token}"

    def raw(self, request: bytes, seconds: float = 10.0) -> tuple[int, bytes]:
        """Bytes to the server; the status of the answer and all that follows. 0: it hung up."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as stream:
            stream.sendall(request)
            if b"HTTP/1" not in request or b"\r\n\r\n" not in request:
                stream.shutdown(socket.SHUT_WR)  # there is nothing that could be answered
            answer = b""
            while part := stream.recv(65536):
                answer += part
        status = answer[9:12]
        return (int(status) if status.isdigit() else 0), answer

    def post(self, name: str, body: bytes) -> tuple[int, dict[str, Any]]:
        """A call as the page makes it."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {"Cookie": self.cookie, "Origin": self.origin, "Content-Type": "application/json"}
        try:
            connection.request("POST", f"/api/{name}", body, headers)
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        finally:
            connection.close()

    def call(self, name: str, **fields: Any) -> dict[str, Any]:
        """A call that must succeed."""
        status, content = self.post(name, json.dumps({"v": 1, **fields}).encode())
        assert status == 200, content
        return content

    def refused(self, name: str, **fields: Any) -> tuple[int, str, str]:
        """A call that must not: status, code and message."""
        status, content = self.post(name, json.dumps({"v": 1, **fields}).encode())
        assert status >= 400, content
        return status, content["error"]["code"], content["error"]["message"]

    def tab(self, **headers: str) -> Live:
        """An open tab."""
        given = {"Cookie": self.cookie, "Origin": self.origin, **headers}
        origin = given.pop("Origin")
        opened = connect(f"ws://{self.host}/api/live", additional_headers=given, origin=origin)  # type: ignore[arg-type]
        return Live(opened)


class Live:
    """A tab that speaks the protocol."""

    def __init__(self, opened: AbstractContextManager[ClientConnection]) -> None:
        self.opened, self.number = opened, 0
        self.socket = opened.__enter__()

    def __enter__(self) -> Live:
        return self

    def __exit__(self, *gone: object) -> None:
        self.opened.__exit__(None, None, None)

    def send(self, do: str, **fields: Any) -> int:
        """Say something; its number."""
        self.number += 1
        self.socket.send(json.dumps({"v": 1, "id": self.number, "do": do, **fields}))
        return self.number

    def next(self, do: str, seconds: float = 20.0) -> dict[str, Any]:
        """The next message of a kind; an error fails the test unless it is wanted."""
        while True:
            message = json.loads(self.socket.recv(timeout=seconds))
            assert do == "error" or message["do"] != "error", message
            if message["do"] == do:
                return message

    def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        """Say something, and the answer."""
        number = self.send(do, **fields)
        while True:
            message = self.next(do)
            if message.get("id") == number:
                return message


@contextmanager
def serving(
    own: Mapping[str, AnyGame] | None = None,
    memory: int = 1 << 30,
    port: int = 0,
    shelf: Path | None = None,
) -> Iterator[Serving]:
    """A server, for as long as the block lasts."""
    sockets = server.bind("127.0.0.1", port)
    access = make_access("127.0.0.1", sockets[0].getsockname()[1], TOKEN)
    page = Page(access, Offers(own or {}), memory, Shelf([shelf] if shelf else ()))
    begun, running = threading.Event(), []

    def serve() -> None:
        made = server.Server
        try:
            server.Server = keep  # type: ignore[assignment,misc]
            server.run(page, sockets, begun.set)
        finally:
            server.Server = made  # type: ignore[misc]

    def keep(config: uvicorn.Config, ready: Any) -> server.Server:
        running.append(OWN_SERVER(config, ready))
        return running[0]

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    assert begun.wait(20)
    try:
        yield Serving(page, access)
    finally:
        running[0].should_exit = True
        thread.join(20)
        assert not thread.is_alive()


OWN_SERVER = server.Server
