"""Who may read a page: requests for its own address, from the page itself, with its token.

Every web page that a browser on this machine shows can send requests to a page that is served
here. Three checks keep them out: `Host` (a foreign name that was made to resolve to this machine),
`Origin` (the page of another site), and a token that only the printed URL holds. A request with
the token in its URL gets it as a cookie too, since viser's client opens its socket without the
query.
"""

from __future__ import annotations

import contextlib
import ipaddress
import secrets
import socket
import threading
from collections.abc import Callable, Generator
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection
    from websockets.datastructures import Headers
    from websockets.http11 import Request, Response

    Answer = Callable[[ServerConnection, Request], Response | None]

WRONG_HOST = (
    "This page is not served under the name in this request's Host header: open the URL that was"
    " printed when it was started."
)
WRONG_ORIGIN = "This page answers no request that another page sends."
NO_TOKEN = (
    "This request lacks the token of this page: open the whole URL that was printed when it was"
    " started, with ?token=... at its end."
)

_LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
_ALL_ADDRESSES = ("", "0.0.0.0", "::")
_TOKEN_BYTES = 24
"""192 random bits: half as many would still not be guessed; more make the URL longer."""

_guarding = threading.Lock()


class Access:
    """The token of one page, and the check of each request for it.

    Args:
        host: the address or name that the page listens at.
    """

    def __init__(self, host: str) -> None:
        self.token = secrets.token_urlsafe(_TOKEN_BYTES)
        self._host = host
        self._is_everywhere = host in _ALL_ADDRESSES
        self._names = {*_LOOPBACK_NAMES, host.lower()}
        if self._is_everywhere:
            self._names.add(socket.gethostname().lower())

    def url(self, port: int) -> str:
        """The address that opens the page."""
        host = "localhost" if self._is_everywhere else self._host
        return f"http://{f'[{host}]' if ':' in host else host}:{port}/?token={self.token}"

    def refusal(self, request: Request) -> str | None:
        """Why a request gets no answer; None where it gets one."""
        address = _single(request.headers, "Host")
        if address is None or not self._is_own(address):
            return WRONG_HOST
        origins = request.headers.get_all("Origin")
        if origins and [origin.lower() for origin in origins] != [f"http://{address}".lower()]:
            return WRONG_ORIGIN
        if not any(map(self._is_token, (*_in_query(request), *_in_cookies(request, address)))):
            return NO_TOKEN
        return None

    def before(self, answer: Answer) -> Answer:
        """The same answers, to requests that are allowed; 403 and a sentence to all others."""

        def check_first(connection: ServerConnection, request: Request) -> Response | None:
            refusal = self.refusal(request)
            if refusal is not None:
                return connection.respond(HTTPStatus.FORBIDDEN, refusal + "\n")
            response = answer(connection, request)
            if response is not None and _in_query(request):
                name = _cookie_name(request.headers["Host"])
                response.headers["Set-Cookie"] = (
                    f"{name}={self.token}; Path=/; HttpOnly; SameSite=Strict"
                )
                response.headers["Referrer-Policy"] = "no-referrer"
            return response

        return check_first

    def _is_own(self, address: str) -> bool:
        """Whether a Host header names an address that the page listens at."""
        try:
            parts = urlsplit(f"//{address}")
            name, _ = parts.hostname or "", parts.port
        except ValueError:
            return False
        if parts.netloc != address or "@" in address:
            return False
        # A name can be made to resolve to this machine by its owner; an address cannot.
        return name in self._names or (self._is_everywhere and _is_ip(name))

    def _is_token(self, text: str) -> bool:
        return secrets.compare_digest(text.encode(errors="surrogateescape"), self.token.encode())


@contextlib.contextmanager
def guarded(access: Access) -> Generator[None]:
    """The server that viser starts inside this block answers only what `access` allows.

    viser has no setting for this: it hands its own `process_request` to `websockets`, and the check
    is put before it there.
    """
    from websockets.asyncio import server as sockets

    plain: Any = sockets.serve

    def serve(*args: Any, **settings: Any) -> Any:
        answer: Any = settings.get("process_request")
        # Another thread may start a server of its own meanwhile.
        if getattr(answer, "__module__", "").startswith("viser."):
            settings["process_request"] = access.before(answer)
        return plain(*args, **settings)

    with _guarding:
        sockets.serve = serve  # pyright: ignore[reportAttributeAccessIssue]
        try:
            yield
        finally:
            sockets.serve = plain


def _single(headers: Headers, name: str) -> str | None:
    values = headers.get_all(name)
    return values[0] if len(values) == 1 else None


def _in_query(request: Request) -> list[str]:
    return parse_qs(request.path.partition("?")[2]).get("token", [])


def _in_cookies(request: Request, address: str) -> list[str]:
    pairs = [
        pair.partition("=")
        for header in request.headers.get_all("Cookie")
        for pair in header.split(";")
    ]
    name = _cookie_name(address)
    return [value.strip() for key, _, value in pairs if key.strip() == name]


def _cookie_name(address: str) -> str:
    """Cookies do not know ports: pages on two ports have names of their own for it."""
    port = urlsplit(f"//{address}").port
    return f"surefoot-{80 if port is None else port}"


def _is_ip(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
