"""Hostile requests to the page: each is refused before anything is done for it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from page_server import TOKEN, Live, Serving, serving
from sylve.page import limits
from sylve.page.access import make_access
from sylve.page.app import Page
from sylve.page.guard import Guard
from sylve.page.rates import Bucket, Rates

BODY = json.dumps({"v": 1, "game": "tic_tac_toe"})
ELSEWHERE = "http://evil.example"


@pytest.fixture(scope="module")
def server() -> Iterator[Serving]:
    with serving() as running:
        yield running


@pytest.fixture
def work(server: Serving, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the server has done for requests: it stays empty where they are refused."""
    done: list[str] = []

    def told(name: str) -> Callable[[Any], dict[str, Any]]:
        return lambda asked: (done.append(name), {})[1]

    for name in server.page.calls:
        monkeypatch.setitem(server.page.calls, name, told(name))
    monkeypatch.setattr("sylve.page.app.Tab", lambda *_: done.append("tab"))
    return done


def request(
    server: Serving,
    line: str = "POST /api/board HTTP/1.1",
    body: str = BODY,
    **headers: str | None,
) -> bytes:
    """A request that would be served, but for what is changed; None leaves a header out."""
    given: dict[str, str | None] = {
        "Host": server.host,
        "Origin": server.origin,
        "Cookie": server.cookie,
        "Content-Type": "application/json",
        "Content-Length": str(len(body.encode())),
        "Connection": "close",
    }
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [line, *(f"{name}: {value}" for name, value in given.items() if value is not None)]
    return ("\r\n".join(lines) + "\r\n\r\n" + body).encode("latin-1")


def get(path: str, **headers: str | None) -> Callable[[Serving], bytes]:
    """A GET without a body."""
    return lambda server: request(
        server, f"GET {path} HTTP/1.1", "", Content_Type=None, Content_Length=None, **headers
    )


def post(**headers: str | None) -> Callable[[Serving], bytes]:
    return lambda server: request(server, **headers)


def upgrade(**headers: str | None) -> Callable[[Serving], bytes]:
    """The opening of a WebSocket."""
    given: dict[str, str | None] = {
        "Connection": "Upgrade", "Upgrade": "websocket", "Sec_WebSocket_Version": "13",
        "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }  # fmt: skip
    return get(headers.pop("path", None) or "/api/live", **(given | headers))


def line(text: str) -> Callable[[Serving], bytes]:
    return lambda server: request(server, text)


def twice(name: str, value: str) -> Callable[[Serving], bytes]:
    def build(server: Serving) -> bytes:
        first, rest = request(server).split(b"\r\n", 1)
        return first + b"\r\n" + f"{name}: {value}".encode() + b"\r\n" + rest

    return build


HOSTILE: dict[str, tuple[Callable[[Serving], bytes], tuple[int, ...]]] = {
    # DNS rebinding: a name of somebody else's that leads here.
    "rebound name": (post(Host="evil.example"), (421,)),
    "rebound name with our port": (post(Host="evil.example:80"), (421,)),
    "name that begins like ours": (post(Host="127.0.0.1.evil.example"), (421,)),
    "name that ends like ours": (post(Host="evil-localhost"), (421,)),
    "our address, another port": (post(Host="127.0.0.1:1"), (421,)),
    "our address without a port": (post(Host="127.0.0.1"), (421,)),
    "another loopback address": (post(Host="127.0.0.2:80"), (421,)),
    "no name": (post(Host=None), (400, 421)),
    "empty name": (post(Host=""), (400, 421)),
    "name with a user": (lambda s: request(s, Host=f"x@{s.host}"), (421,)),
    "two names": (twice("Host", "evil.example"), (400,)),
    "rebound page": (get("/", Host="evil.example"), (421,)),
    "rebound live": (upgrade(Host="evil.example"), (421,)),
    # Other sites.
    "call of another site": (post(Origin=ELSEWHERE), (403,)),
    "call without an origin": (post(Origin=None), (403,)),
    "call of a sandboxed page": (post(Origin="null"), (403,)),
    "origin with https": (lambda s: request(s, Origin=f"https://{s.host}"), (403,)),
    "origin that begins like ours": (lambda s: request(s, Origin=f"{s.origin}.evil"), (403,)),
    "origin of another port": (post(Origin="http://127.0.0.1:1"), (403,)),
    "two origins": (twice("Origin", ELSEWHERE), (400,)),
    "cross-site call with our origin": (post(Sec_Fetch_Site="cross-site"), (403,)),
    "same-site call": (post(Sec_Fetch_Site="same-site"), (403,)),
    "cross-site script": (get("/static/main.js", Sec_Fetch_Site="cross-site"), (403,)),
    "read by another site": (get("/", Origin=ELSEWHERE), (403,)),
    "preflight": (lambda s: request(s, "OPTIONS /api/board HTTP/1.1", Origin=ELSEWHERE), (403,)),
    "form of another site": (post(Content_Type="application/x-www-form-urlencoded"), (415,)),
    "text of another site": (post(Content_Type="text/plain"), (415,)),
    "no content type": (post(Content_Type=None), (415,)),
    "live of another site": (upgrade(Origin=ELSEWHERE), (403,)),
    "live without an origin": (upgrade(Origin=None), (403,)),
    "live of a sandboxed page": (upgrade(Origin="null"), (403,)),
    # Strangers and replays.
    "no cookie": (post(Cookie=None), (403,)),
    "wrong cookie": (post(Cookie="sylve_1=abc"), (403,)),
    "cookie of an earlier server": (
        lambda s: request(s, Cookie=f"{s.access.cookie_name}={'0' * 64}"),
        (403,),
    ),
    "the token as cookie": (lambda s: request(s, Cookie=f"sylve_{s.port}={TOKEN}"), (403,)),
    "cookie with a part missing": (lambda s: request(s, Cookie=s.cookie[:-1]), (403,)),
    "two cookies": (twice("Cookie", "a=b"), (400,)),
    "page without cookie": (get("/", Cookie=None), (403,)),
    "script without cookie": (get("/static/main.js", Cookie=None), (403,)),
    "wrong token": (get("/?token=" + "0" * 32, Cookie=None), (403,)),
    "two tokens": (get(f"/?token=x&token={TOKEN}", Cookie=None), (403,)),
    "token at another address": (get(f"/static/main.js?token={TOKEN}", Cookie=None), (403,)),
    "token of a call": (line(f"POST /api/board?token={TOKEN} HTTP/1.1"), (200,)),
    "live without cookie": (upgrade(Cookie=None), (403,)),
    "live with the token": (upgrade(Cookie=None, path=f"/api/live?token={TOKEN}"), (403,)),
    # Paths.
    "above": (get("/static/../index.html"), (400,)),
    "above, encoded": (get("/static/%2e%2e/secret"), (400,)),
    "above, encoded twice": (get("/static/%252e%252e/secret"), (400,)),
    "backslash": (get("/static\\main.js"), (400,)),
    "encoded backslash": (get("/static/..%5cmain.js"), (400,)),
    "NUL": (get("/static/main.js%00.html"), (400,)),
    "an absolute path": (get("//etc/passwd"), (400,)),
    "a path in a path": (get("/static//etc/passwd"), (400,)),
    "another file of the package": (get("/static/guard.py"), (404,)),
    "a whole address": (lambda s: request(s, f"GET {s.origin}/ HTTP/1.1", ""), (400,)),
    "another call": (line("POST /api/eval HTTP/1.1"), (404,)),
    "a module": (line("POST /api/os.system HTTP/1.1"), (404,)),
    "another WebSocket": (upgrade(path="/api/other"), (404,)),
    # Methods.
    "call by GET": (get("/api/board"), (405,)),
    "page by POST": (line("POST / HTTP/1.1"), (405,)),
    "DELETE": (line("DELETE /api/board HTTP/1.1"), (405,)),
    "TRACE": (line("TRACE / HTTP/1.1"), (403, 405)),
    "HEAD": (line("HEAD / HTTP/1.1"), (405,)),
    # Sizes and forms.
    "long address": (get("/" + "a" * 3000), (414,)),
    "long header": (post(X="a" * 20_000), (400, 431)),
    "many headers": (post(**{f"X{n}": "a" * 90 for n in range(200)}), (400, 431)),
    "announced too large": (post(Content_Length=str(limits.BODY_BYTES + 1)), (413,)),
    "a length that is none": (post(Content_Length="ten"), (400,)),
    "a negative length": (post(Content_Length="-1"), (400,)),
    "two lengths": (twice("Content-Length", "5"), (400,)),
    "length and chunks": (post(Transfer_Encoding="chunked"), (400,)),
    "a GET with a body": (
        lambda s: request(s, "GET / HTTP/1.1", "x" * 10, Content_Type=None),
        (400,),
    ),
    "no HTTP": (lambda s: b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\r\n\r\n", (400, 0)),
    "nothing": (lambda s: b"\r\n\r\n", (400, 0)),
    "half a request": (lambda s: request(s)[:60], (400, 0)),
    "another version": (line("POST /api/board HTTP/9.9"), (400, 505)),
}


def test_there_are_enough_of_them() -> None:
    assert len(HOSTILE) >= 40


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile(name: str, server: Serving, work: list[str]) -> None:
    build, expected = HOSTILE[name]
    status, answer = server.raw(build(server))
    assert status in expected, answer[:500]
    if expected == (200,):  # the cookie let it in, not the token, which is looked at for `/` only
        assert work == ["board"]
        return
    assert work == []
    assert b"Traceback" not in answer
    assert b"/sylve/" not in answer
    assert TOKEN.encode() not in answer
    assert server.access.cookie.encode() not in answer


def test_what_is_not_hostile_is_served(server: Serving, work: list[str]) -> None:
    """Else the table above would prove nothing."""
    assert server.raw(request(server))[0] == 200
    assert work == ["board"]
    for host in (server.host, f"localhost:{server.port}", f"LOCALHOST:{server.port}"):
        assert server.raw(request(server, Host=host))[0] == 200
    status, answer = server.raw(get("/")(server))
    assert status == 200
    assert b"content-security-policy: default-src 'none'" in answer
    status, answer = server.raw(get(f"/?token={TOKEN}", Cookie=None)(server))
    assert status == 303
    assert b"SameSite=Strict" in answer
    assert b"HttpOnly" in answer
    cross = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate"}
    assert server.raw(get(f"/?token={TOKEN}", Cookie=None, **cross)(server))[0] == 303


def test_a_body_that_never_ends_is_cut(server: Serving, work: list[str]) -> None:
    head = request(server, body="", Content_Length=None, Transfer_Encoding="chunked")
    chunk = b"10000\r\n" + b"a" * 65536 + b"\r\n"
    most = chunk * (limits.BODY_BYTES // 65536)
    # One byte too many, and nothing after it: what the server has not read makes it hang up.
    status, _ = server.raw(head + most + b"1\r\na\r\n")
    assert (status, work) == (413, [])


def test_slow_requests_are_given_up(server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    monkeypatch.setattr(limits, "BODY_SECONDS", 0.2)
    monkeypatch.setattr(limits, "HEADER_SECONDS", 0.2)
    for part in (request(server)[:-5], b"POST /api/board HTTP/1.1\r\nHost"):
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as stream:
            stream.sendall(part)
            answer = stream.recv(65536)
            assert answer == b"" or answer.startswith(b"HTTP/1.1 408")


def test_a_flood_of_calls_is_slowed_down() -> None:
    now = [0.0]
    bucket = Bucket(10.0, 20.0, lambda: now[0])
    assert sum(bucket.take() for _ in range(100)) == 20
    now[0] = 1.0
    assert sum(bucket.take() for _ in range(100)) == 10
    now[0] = 100.0
    assert sum(bucket.take() for _ in range(100)) == 20
    rates = Rates(1.0, 2.0)
    assert [rates.take(key) for key in "aaab"] == [True, True, False, True]


def test_the_guard_asks_the_rates(server: Serving, work: list[str]) -> None:
    kept = server.page.guard.rates
    server.page.guard.rates = Rates(0.001, 3.0)
    try:
        found = [server.raw(request(server))[0] for _ in range(5)]
    finally:
        server.page.guard.rates = kept
    assert found == [200, 200, 200, 429, 429]
    assert len(work) == 3


def drain(tab: Live) -> None:
    while True:
        tab.socket.recv(timeout=10)


def test_a_flood_of_messages_closes_the_tab(server: Serving) -> None:
    with server.tab() as tab:
        for _ in range(int(limits.MESSAGES_AT_ONCE) + 50):
            try:
                tab.send("pause")
            except Exception:
                break
        with pytest.raises(Exception, match="1008"):
            drain(tab)


@pytest.mark.parametrize("content", [b"\xff\x00", b"{}", "a" * (limits.MESSAGE_BYTES + 1)])
def test_bytes_and_large_messages_close_the_tab(server: Serving, content: str | bytes) -> None:
    with server.tab() as tab:
        tab.socket.send(content)
        with pytest.raises(Exception, match="100[39]"):
            tab.socket.recv(timeout=10)
    assert server.call("hello")["protocol"] == 1


def test_more_tabs_than_there_is_room_for(server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TABS", 1)
    with server.tab() as tab:
        assert tab.ask("stop", what="move")
        with pytest.raises(InvalidStatus, match="503"):
            server.tab()


def test_another_address_needs_a_token() -> None:
    with pytest.raises(ValueError, match="choose a token"):
        make_access("192.168.0.7", 80, None)
    with pytest.raises(ValueError, match="at least 16 characters"):
        make_access("192.168.0.7", 80, "short")
    with pytest.raises(ValueError, match="every address"):
        make_access("0.0.0.0", 80, TOKEN)
    assert make_access("192.168.0.7", 80, TOKEN).hosts == {"192.168.0.7:80"}
    assert make_access("127.0.0.1", 80, None).token != make_access("127.0.0.1", 80, None).token
    assert len(make_access("127.0.0.1", 80, None).token) >= 32


def test_only_the_guard_is_served(server: Serving) -> None:
    """What uvicorn calls is the guard itself: no other way in."""
    assert isinstance(server.page.guard, Guard)
    assert isinstance(server.page, Page)


def test_a_closed_tab_ends_its_searches(server: Serving) -> None:
    known = threading.active_count()
    with server.tab() as tab:
        tab.ask("analyse", game="othello", how="uct", playouts=10_000_000)
        tab.next("report")
        assert server.page.turns.known
    for _ in range(100):
        if not server.page.turns.known and server.page.memory.free == server.page.memory.total:
            break
        threading.Event().wait(0.01)
    assert not server.page.turns.known
    assert server.page.memory.free == server.page.memory.total
    assert threading.active_count() <= known + server.page.turns.size + 4
