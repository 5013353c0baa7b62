"""The application: the files of the page, calls over HTTP, and a WebSocket for each tab."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from sylve.page import limits, protocol
from sylve.page.access import Access
from sylve.page.calls import Calls
from sylve.page.files import File, page_files
from sylve.page.guard import LIVE, Guard
from sylve.page.offers import Offers
from sylve.page.rates import Bucket
from sylve.page.shelf import Shelf
from sylve.page.tab import Outbox, Tab
from sylve.page.turns import Memory, Turns, problem

CALL_THREADS = 4
STATUS = {"version": 409, "size": 413, "busy": 503, "gone": 410, "failed": 500}


class Page:
    """The server's parts, made once."""

    def __init__(
        self, access: Access, offers: Offers, memory: int, shelf: Shelf | None = None
    ) -> None:
        self.offers, self.memory, self.turns = offers, Memory(memory), Turns()
        self.calls = Calls(offers, memory, shelf or Shelf(())).table()
        self.files = page_files()
        self.threads = ThreadPoolExecutor(CALL_THREADS, "sylve call")
        methods = dict.fromkeys(self.files, "GET")
        methods |= {f"/api/{name}": "POST" for name in self.calls}
        routes = [Route(address, self.send_file, methods=["GET"]) for address in self.files]
        routes += [Route(f"/api/{name}", self.call, methods=["POST"]) for name in self.calls]
        self.guard = Guard(
            Starlette(routes=[*routes, WebSocketRoute(LIVE, self.live)]), access, methods
        )

    async def send_file(self, request: Request) -> Response:
        """A file of the page."""
        file: File = self.files[request.url.path]
        headers = {"etag": file.tag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == file.tag:
            return Response(status_code=304, headers=headers)
        return Response(file.content, headers=headers, media_type=file.kind)

    async def call(self, request: Request) -> Response:
        """A call: the object that it returns, or an error that says what is wrong."""
        name = request.url.path.rpartition("/")[2]
        body = await request.body()
        loop = asyncio.get_running_loop()
        status, content = await loop.run_in_executor(self.threads, self.answer, name, body)
        return JSONResponse(content, status, headers={"cache-control": "no-store"})

    def answer(self, name: str, body: bytes) -> tuple[int, dict[str, Any]]:
        """The status and the answer of a call."""
        try:
            asked: Any = protocol.read_message(protocol.CALLS[name], protocol.read_object(body))
            return 200, {"v": protocol.VERSION, **self.calls[name](asked)}
        except Exception as error:
            told = problem(error)
            status = STATUS.get(told["code"], 400)
            if status == 500:
                told = unexpected(error, own=bool(self.offers.own))
            return status, {"v": protocol.VERSION, "error": told}

    async def live(self, socket: WebSocket) -> None:
        """A tab, for as long as it is open."""
        await socket.accept()
        loop = asyncio.get_running_loop()
        outbox = Outbox(loop)
        tab = Tab(self.offers, self.turns, self.memory, outbox)
        sender = asyncio.create_task(send_all(socket, outbox))
        rate = Bucket(limits.MESSAGES_A_SECOND, limits.MESSAGES_AT_ONCE)
        try:
            while True:
                content = await socket.receive_text()
                if not rate.take():
                    await socket.close(1008, "too many messages")
                    break
                # In order, and not here: a message may wait for a slice of a search.
                await loop.run_in_executor(self.threads, tab.hear, content)
        except (WebSocketDisconnect, KeyError, RuntimeError):
            pass  # gone; or it sent bytes, which are no message
        finally:
            sender.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await sender
            await asyncio.shield(loop.run_in_executor(self.threads, tab.close))
            with contextlib.suppress(RuntimeError):
                await socket.close(1003)

    def close(self) -> None:
        """The server ends."""
        self.turns.close()
        self.threads.shutdown(wait=False, cancel_futures=True)


async def send_all(socket: WebSocket, outbox: Outbox) -> None:
    """Send what waits; a tab that does not read is closed."""
    while True:
        text = await outbox.take()
        try:
            async with asyncio.timeout(limits.SEND_SECONDS):
                await socket.send_text(text)
        except TimeoutError:
            outbox.full = True
        if outbox.full:
            await socket.close(1008, "too slow")
            return


def unexpected(error: Exception, *, own: bool) -> dict[str, str]:
    """A fault of ours, or of a user's game: a number here and in the terminal, no more."""
    number = secrets.token_hex(4)
    sys.stderr.write(f"sylve: page: fault {number}: {type(error).__name__}: {error}\n")
    hint = " (a game of your own may have failed: run check_game)" if own else ""
    return {"code": "failed", "message": f"something failed, number {number}{hint}"}
