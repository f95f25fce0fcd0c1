"""Serves one crowd to an engine on the same machine."""

from __future__ import annotations

import contextlib
import ipaddress
import logging
import socket
import threading
from typing import Any

from surefoot.agents.crowd import Crowd
from surefoot.agents.serving.messages import (
    VERSION,
    Gone,
    ProtocolError,
    pack,
    receive,
    send,
)
from surefoot.agents.serving.requests import Requests
from surefoot.arrays import number
from surefoot.errors import InputError, SurefootError

_log = logging.getLogger("surefoot.crowd")


class CrowdServer:
    """Serves a crowd on a port of this machine; nothing else can reach it.

    One client at a time drives the crowd; another one is told so and sent away. A client that
    sends what is no message, or stops reading, loses its connection and not the crowd: it may
    come again.

    Args:
        crowd: which.
        port: of the loopback address; 0 for any that is free.
        host: a loopback address.
        patience: [s], > 0: in which a client must take an answer, and finish a message.
        idle: [s], > 0: that a client may be silent between messages.
    """

    def __init__(
        self,
        crowd: Crowd,
        *,
        port: int = 0,
        host: str = "127.0.0.1",
        patience: float = 5.0,
        idle: float = 600.0,
    ) -> None:
        if not _is_loopback(host):
            raise InputError(f"a crowd is served on a loopback address only, got {host!r}")
        if isinstance(port, bool) or not 0 <= port < 65536:
            raise InputError(f"port must be 0 to 65535, got {port!r}")
        self._patience = number(patience, "patience", above=0.0)
        self._idle = number(idle, "idle", above=0.0)
        self._requests = Requests(crowd)
        self._busy = threading.Lock()
        self._closing = threading.Event()
        self._threads: list[threading.Thread] = []
        self._clients: set[socket.socket] = set()
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._socket = socket.create_server((host, port), family=family)
        self._socket.settimeout(0.2)
        self.host, self.port = host, int(self._socket.getsockname()[1])

    def serve(self) -> None:
        """Serves clients until `close` is called from elsewhere, or Ctrl-C."""
        try:
            while not self._closing.is_set():
                try:
                    client, _ = self._socket.accept()
                except TimeoutError:
                    continue
                except OSError:
                    break
                thread = threading.Thread(target=self._meet, args=(client,), daemon=True)
                self._threads = [each for each in self._threads if each.is_alive()]
                self._threads.append(thread)
                thread.start()
        finally:
            self.close()

    def start(self) -> CrowdServer:
        """Serves in the background."""
        threading.Thread(target=self.serve, daemon=True).start()
        return self

    def close(self) -> None:
        """Stops serving; those who are connected are sent away."""
        self._closing.set()
        self._socket.close()
        for client in list(self._clients):
            with contextlib.suppress(OSError):
                client.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(timeout=self._patience + 1.0)

    def __enter__(self) -> CrowdServer:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _meet(self, client: socket.socket) -> None:
        self._clients.add(client)
        try:
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._greet(client)
            if not self._busy.acquire(blocking=False):
                self._refuse(client, "another client drives this crowd; come again later")
                return
            try:
                self._answer(client, {"crowd": VERSION, "ok": True})
                self._talk(client)
            finally:
                self._busy.release()
        except ProtocolError as reason:
            _log.info("a client was sent away: %s", reason)
            with contextlib.suppress(Gone):
                self._refuse(client, str(reason))
        except Gone:
            _log.info("a client has gone")
        finally:
            self._clients.discard(client)
            client.close()

    def _greet(self, client: socket.socket) -> None:
        """The first message says which protocol the client speaks."""
        hello = receive(client, self._patience, self._patience)
        if hello.get("crowd") != VERSION or type(hello.get("crowd")) is not int:
            raise ProtocolError(
                f'the first message must be {{"crowd": {VERSION}}}: this server speaks version'
                f" {VERSION}"
            )

    def _talk(self, client: socket.socket) -> None:
        while not self._closing.is_set():
            message = receive(client, self._idle, self._patience)
            if message.get("do") == "bye":
                return
            try:
                reply, arrays = self._requests.answer(message)
            except SurefootError as reason:
                # A wrong request is the client's to put right; the connection is fine.
                self._answer(client, {"ok": False, "error": str(reason)})
                continue
            send(client, pack({"ok": True, **reply}, arrays), self._patience)

    def _answer(self, client: socket.socket, message: dict[str, Any]) -> None:
        send(client, pack(message), self._patience)

    def _refuse(self, client: socket.socket, why: str) -> None:
        self._answer(client, {"ok": False, "error": why})


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
