"""An empty page, served to those who have its URL."""

from __future__ import annotations

import contextlib
import http.client
import io
import os
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from surefoot.errors import InputError, MissingExtraError
from surefoot.studio.access import Access, guarded
from surefoot.studio.extra import viser as load_viser

if TYPE_CHECKING:
    import viser

T = TypeVar("T")

LOOPBACK = "127.0.0.1"
"""Only this machine can open the page."""

_PROBE_SECONDS = 20.0
"""[s] for the page to answer its own first request; a loaded machine takes one of them."""

_UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
}


class Page:
    """An empty page at the first free port from `port` on, served until `stop`.

    Args:
        host: the address to listen at.
        port: the first to try, 0 for any.
        title: above its panel.
    """

    def __init__(self, host: str, port: int, title: str) -> None:
        check_address(host, port)
        module: Any = load_viser()
        self._version = str(getattr(module, "__version__", "of an unknown version"))
        access = Access(host)
        with guarded(access):
            self.server: viser.ViserServer = _silence(
                lambda: module.ViserServer(host=host, port=port, label=title, verbose=False)
            )
        self.url = access.url(self.server.get_port())
        """What opens it in a browser; nothing else does."""
        self._is_served = True
        try:
            self._check_guard(host)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Ends the page; once is enough, more does no harm."""
        if self._is_served:
            self._is_served = False
            _silence(self.server.stop)

    def _check_guard(self, host: str) -> None:
        """Raises an error where a request without the token gets an answer.

        A viser that starts its server in another way would be open to every page.
        """
        reached = {"": LOOPBACK, "0.0.0.0": LOOPBACK, "::": "::1"}.get(host, host)
        for headers in ({}, _UPGRADE):
            connection = http.client.HTTPConnection(
                reached, self.server.get_port(), timeout=_PROBE_SECONDS
            )
            try:
                connection.request("GET", "/", headers=headers)
                status = connection.getresponse().status
            except (OSError, http.client.HTTPException):
                status = None
            finally:
                connection.close()
            if status != http.HTTPStatus.FORBIDDEN:
                raise MissingExtraError(
                    f"with viser {self._version} every other web page could read the studio, so"
                    " nothing is served: pip install 'viser==1.1.*'"
                )


def check_address(host: str, port: int) -> None:
    """Raises an error where no page can be served."""
    if not isinstance(port, int) or not 0 <= port <= 65535:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"port must be a whole number in 0 to 65535, got {port!r}")
    try:
        # viser would try a thousand ports before it gave up on a host that is none.
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with socket.create_server((host, 0), family=family):
            pass
    except OSError as reason:
        # Numbers below zero are those of names that cannot be looked up.
        code = reason.errno or 0
        why = os.strerror(code) if code > 0 else reason.strerror
        raise InputError(f"cannot serve at host {host!r}: {why}") from reason


def _silence(call: Callable[[], T]) -> T:
    """Calls without what viser prints about itself."""
    with contextlib.redirect_stdout(io.StringIO()):
        return call()
