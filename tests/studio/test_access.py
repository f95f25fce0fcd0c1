"""Only who has the printed URL reads a page: raw requests to a page that is really served."""

from __future__ import annotations

import http.client
import socket
from collections.abc import Iterator
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest

import surefoot.studio as studio
from surefoot.errors import MissingExtraError
from surefoot.studio.access import NO_TOKEN, WRONG_HOST, WRONG_ORIGIN, Access
from surefoot.studio.serving import LOOPBACK, Page
from surefoot.world import Body, World
from surefoot.world.primitives import box

viser = pytest.importorskip("viser", reason="viser is not installed: no studio here")

UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    "Sec-WebSocket-Protocol": f"viser-v{viser.__version__}",
}
LONG = 20.0
"""Until when a local server surely has answered [s]."""


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    served = Page(LOOPBACK, 0, "test")
    yield served
    served.stop()


def port_of(page: Page) -> int:
    return int(page.server.get_port())


def token_of(page: Page) -> str:
    return urlsplit(page.url).query.partition("=")[2]


def ask(
    page: Page,
    path: str = "/",
    headers: list[tuple[str, str]] | None = None,
    *,
    host: str | None = "",
) -> tuple[int, str, http.client.HTTPResponse]:
    """The status, the text and the response to a GET with exactly these headers.

    Args:
        page: which is asked.
        path: with its query.
        headers: besides Host.
        host: that is named; "" for the right one, None for no such header.
    """
    connection = http.client.HTTPConnection(LOOPBACK, port_of(page), timeout=LONG)
    connection.putrequest("GET", path, skip_host=True)
    if host is not None:
        connection.putheader("Host", host or f"{LOOPBACK}:{port_of(page)}")
    for name, value in headers or []:
        connection.putheader(name, value)
    connection.endheaders()
    response = connection.getresponse()
    text = "" if response.status == 101 else response.read().decode()
    connection.close()
    return response.status, text, response


def cookie_of(page: Page) -> str:
    """What a browser sends once it has opened the page."""
    status, _, response = ask(page, f"/?token={token_of(page)}")
    assert status == 200
    return str(response.getheader("Set-Cookie")).partition(";")[0]


def test_the_printed_url_opens_the_page(page: Page) -> None:
    url = urlsplit(page.url)
    assert (url.scheme, url.netloc, url.path) == ("http", f"{LOOPBACK}:{port_of(page)}", "/")
    status, text, response = ask(page, f"/?{url.query}")
    assert status == 200
    assert "<html" in text[:1000]
    assert response.getheader("Set-Cookie") == (
        f"surefoot-{port_of(page)}={token_of(page)}; Path=/; HttpOnly; SameSite=Strict"
    )
    assert response.getheader("Referrer-Policy") == "no-referrer"


@pytest.mark.parametrize(
    "path", ["/", "/index.html", "/?token=", "/?token=guess", "/?Token=x", "/../x", "/none", "//[/"]
)
@pytest.mark.parametrize("upgrade", [False, True])
def test_without_the_token_no_route_answers(page: Page, path: str, upgrade: bool) -> None:
    status, text, response = ask(page, path, list(UPGRADE.items()) if upgrade else [])
    assert (status, text) == (403, NO_TOKEN + "\n")
    assert text.count(".\n") == 1
    assert response.getheader("Set-Cookie") is None
    assert response.getheader("Content-Type") == "text/plain; charset=utf-8"


def test_the_socket_opens_with_the_cookie_of_the_page(page: Page) -> None:
    port = port_of(page)
    own = [("Origin", f"http://{LOOPBACK}:{port}"), *UPGRADE.items()]
    others = [("Cookie", "a=1; surefoot-1=x"), ("Cookie", f'b="; ;"; {cookie_of(page)}; c')]
    assert ask(page, "/", [*own, ("Cookie", cookie_of(page))])[0] == 101
    assert ask(page, "/", [*own, *others])[0] == 101
    assert ask(page, f"/?token={token_of(page)}", own)[0] == 101
    wrong = cookie_of(page)[:-1] + ("A" if cookie_of(page)[-1] != "A" else "B")
    assert ask(page, "/", [*own, ("Cookie", wrong)])[1] == NO_TOKEN + "\n"
    # The cookie of a page on another port is no cookie of this one.
    moved = cookie_of(page).replace(f"-{port}=", f"-{port + 1}=")
    assert ask(page, "/", [*own, ("Cookie", moved)])[1] == NO_TOKEN + "\n"


def test_a_token_that_is_no_text_is_no_token(page: Page) -> None:
    cookie = f"surefoot-{port_of(page)}=\xff\xfe"
    assert ask(page, "/", [("Cookie", cookie)])[:2] == (403, NO_TOKEN + "\n")
    assert ask(page, "/?token=%ff%00%c3%28")[:2] == (403, NO_TOKEN + "\n")


@pytest.mark.parametrize("upgrade", [False, True])
@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "http://127.0.0.1",
        "http://127.0.0.1:1",
        "http://localhost:{port}",
        "https://127.0.0.1:{port}",
        "http://127.0.0.1:{port}.evil.example",
        "http://evil.example:{port}",
        "null",
        "",
    ],
)
def test_other_origins_are_refused_even_with_the_token(
    page: Page, origin: str, upgrade: bool
) -> None:
    headers = [("Origin", origin.format(port=port_of(page))), ("Cookie", cookie_of(page))]
    headers += UPGRADE.items() if upgrade else []
    assert ask(page, f"/?token={token_of(page)}", headers)[:2] == (403, WRONG_ORIGIN + "\n")


def test_two_origins_are_refused(page: Page) -> None:
    own = ("Origin", f"http://{LOOPBACK}:{port_of(page)}")
    headers = [own, ("Origin", "http://evil.example"), *UPGRADE.items()]
    assert ask(page, f"/?token={token_of(page)}", headers)[:2] == (403, WRONG_ORIGIN + "\n")


@pytest.mark.parametrize("upgrade", [False, True])
@pytest.mark.parametrize(
    "host",
    [
        None,
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1.evil.example:{port}",
        "localhost.evil.example",
        "127.0.0.1@evil.example",
        "localhost@localhost:{port}",
        "192.0.2.1:{port}",
        "localhost:{port}/evil.example",
        "localhost:port",
        "localhost:99999999",
        "[::1",
        "[::2]:{port}",
        ":{port}",
    ],
)
def test_other_hosts_are_refused_even_with_the_token(
    page: Page, host: str | None, upgrade: bool
) -> None:
    name = None if host is None else host.format(port=port_of(page))
    # A page whose name was made to resolve to this machine is the origin of its own requests.
    headers = [("Origin", f"http://{name}"), ("Cookie", cookie_of(page))]
    headers += UPGRADE.items() if upgrade else []
    status, text, _ = ask(page, f"/?token={token_of(page)}", headers, host=name)
    assert (status, text) == (403, WRONG_HOST + "\n")


def test_two_hosts_are_refused(page: Page) -> None:
    status, text, _ = ask(page, f"/?token={token_of(page)}", [("Host", "localhost")])
    assert (status, text) == (403, WRONG_HOST + "\n")


@pytest.mark.parametrize(
    "host", ["localhost:{port}", "LOCALHOST:{port}", "[::1]:{port}", "localhost"]
)
def test_every_name_of_this_machine_opens_the_page(page: Page, host: str) -> None:
    name = host.format(port=port_of(page))
    headers = [("Origin", f"http://{name.lower()}"), *UPGRADE.items()]
    assert ask(page, f"/?token={token_of(page)}", host=name)[0] == 200
    assert ask(page, f"/?token={token_of(page)}", headers, host=name)[0] == 101


def test_all_addresses_are_those_of_the_machine() -> None:
    with_all = Page("0.0.0.0", 0, "test")
    try:
        assert with_all.url.startswith(f"http://localhost:{port_of(with_all)}/?token=")
        path = f"/?token={token_of(with_all)}"
        for name in ("192.0.2.1", "[2001:db8::1]:80", socket.gethostname(), "localhost"):
            assert ask(with_all, path, host=name)[0] == 200
        for name in ("evil.example", "192.0.2.1.evil.example", "[2001:db8::1"):
            assert ask(with_all, path, host=name)[:2] == (403, WRONG_HOST + "\n")
    finally:
        with_all.stop()


@pytest.mark.parametrize(
    ("host", "begins"),
    [
        ("::1", "http://[::1]:80/?token="),
        ("::", "http://localhost:80/?token="),
        ("studio.example", "http://studio.example:80/?token="),
    ],
)
def test_urls_of_hosts(host: str, begins: str) -> None:
    assert Access(host).url(80).startswith(begins)


def test_a_name_that_was_given_is_answered() -> None:
    # The name is looked up when the page is served, so it must be one that this machine knows.
    named = Page("localhost", 0, "test")
    try:
        assert ask(named, f"/?token={token_of(named)}", host="localhost")[0] == 200
    finally:
        named.stop()


def test_an_address_of_ipv6_is_served() -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    page = Page("::1", 0, "test")
    try:
        url = urlsplit(page.url)
        assert url.netloc == f"[::1]:{port_of(page)}"
        connection = http.client.HTTPConnection("::1", port_of(page), timeout=LONG)
        connection.request("GET", f"/?{url.query}")
        assert connection.getresponse().status == 200
        connection.close()
    finally:
        page.stop()


def test_pages_have_tokens_of_their_own(page: Page) -> None:
    with studio.show(World(), port=0, block=False) as other:
        assert urlsplit(other.url).query != urlsplit(page.url).query
        assert ask(page, f"/?{urlsplit(other.url).query}")[:2] == (403, NO_TOKEN + "\n")


def test_the_live_page_is_guarded_too() -> None:
    world = World([Body(name="cube", mesh=box((1.0, 1.0, 1.0)))])
    with studio.LiveView(world, [], port=0, real_time=False) as view:
        page = view._page
        assert view.url == page.url
        assert ask(page)[:2] == (403, NO_TOKEN + "\n")
        assert ask(page, f"/?{urlsplit(view.url).query}")[0] == 200


@pytest.mark.usefixtures("page")
def test_servers_of_others_are_left_alone() -> None:
    """Only the pages of the studio have tokens; viser is as it was before and after."""
    from surefoot.studio.serving import _silence

    other = _silence(lambda: viser.ViserServer(host=LOOPBACK, port=0, verbose=False))
    try:
        connection = http.client.HTTPConnection(LOOPBACK, other.get_port(), timeout=LONG)
        connection.request("GET", "/")
        assert connection.getresponse().status == 200
        connection.close()
    finally:
        _silence(other.stop)


def test_a_viser_that_cannot_be_guarded_serves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version may get its server in another way: here it has it since before."""
    import websockets

    started: list[int] = []

    class Elsewhere(websockets.asyncio.server.serve):
        def __init__(self, handler: object, host: str, port: int, **settings: object) -> None:
            super().__init__(handler, host, port, **settings)
            plain = self.create_server

            async def note_port() -> object:
                server = await plain
                started.append(server.sockets[0].getsockname()[1])
                return server

            self.create_server = note_port()

    early = SimpleNamespace(
        asyncio=SimpleNamespace(server=SimpleNamespace(serve=Elsewhere)),
        exceptions=websockets.exceptions,
        datastructures=websockets.datastructures,
    )
    monkeypatch.setattr("viser.infra._infra.websockets", early)
    with pytest.raises(MissingExtraError, match=r"every other web page could read the studio"):
        studio.show(World(), port=0, block=False)
    with pytest.raises(OSError, match=r"refused|reset"):
        socket.create_connection((LOOPBACK, started[0]), timeout=LONG)
