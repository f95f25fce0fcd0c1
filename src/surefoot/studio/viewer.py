"""A served page, and the one thread that plays it."""

from __future__ import annotations

import contextlib
import io
import os
import socket
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from surefoot.errors import InputError, SurefootError
from surefoot.studio import camera
from surefoot.studio.content import Content
from surefoot.studio.controls import Controls
from surefoot.studio.extra import viser as load_viser
from surefoot.studio.stage import Stage
from surefoot.studio.timeline import Timeline

if TYPE_CHECKING:
    import viser

T = TypeVar("T")

RATE = 30.0
"""How often the scene moves while playing [1/s]."""

LOOPBACK = "127.0.0.1"
"""Only this machine can open the page."""


class Viewer:
    """A page that is served until `stop`; a context manager.

    Args:
        content: what it shows.
        host: the address to listen at; only this machine by default.
        port: the first to try, 0 for any; the next free one is taken.
        dark: whether it begins dark.
    """

    def __init__(
        self, content: Content, *, host: str = LOOPBACK, port: int = 8080, dark: bool = False
    ) -> None:
        self.content = content
        self.timeline = Timeline(content.start, content.end)
        self._server = serve(host, port, content.name)
        self._stopping, self._served = threading.Event(), True
        self._failure: SurefootError | None = None
        self._shown = (content.start, False)
        try:
            camera.start_at(self._server, camera.overview(content.extent))
            self._stage = Stage(self._server.scene, content)
            self._controls = Controls(self._server, self.timeline, self._stage, dark=dark)
        except BaseException:
            silence(self._server.stop)
            raise
        self._player = threading.Thread(target=self._play, name="studio player", daemon=True)
        self._player.start()

    @property
    def url(self) -> str:
        """Where the page is."""
        host = self._server.get_host()
        shown = "localhost" if host in ("0.0.0.0", "::") else host
        return f"http://{shown}:{self._server.get_port()}"

    @property
    def time(self) -> float:
        """The moment shown [s]."""
        return self.timeline.time

    def play(self) -> None:
        """Plays on from the moment shown."""
        self.timeline.play()

    def pause(self) -> None:
        """Stays at the moment shown."""
        self.timeline.pause()

    def seek(self, t: float) -> None:
        """Shows the moment `t` [s], or the nearer end."""
        self.timeline.seek(t)

    def wait(self) -> None:
        """Until the page is stopped from elsewhere, or Ctrl-C.

        Raises:
            KeyboardInterrupt: Ctrl-C.
            SurefootError: something cannot be shown, such as a motion given by a function that
                breaks its bounds.
        """
        # Short waits, for Ctrl-C is not seen inside a long one everywhere.
        while not self._stopping.wait(0.5):
            pass
        if self._failure is not None:
            raise self._failure

    def stop(self) -> None:
        """Ends the page; once is enough, more does no harm."""
        self._stopping.set()
        self._player.join()
        if self._served:
            self._served = False
            silence(self._server.stop)

    def __enter__(self) -> Viewer:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _play(self) -> None:
        last = time.monotonic()
        try:
            while not self._stopping.wait(1.0 / RATE):
                now = time.monotonic()
                self._show(self.timeline.advance(now - last))
                last = now
        except SurefootError as failure:
            self._failure = failure
            self._stopping.set()

    def _show(self, t: float) -> None:
        state = (t, self.timeline.playing)
        changed = self._controls.changed
        if state == self._shown and not changed.is_set():
            return
        changed.clear()
        with self._server.atomic():
            self._stage.show(t)
            self._controls.show(t)
        self._shown = state


def serve(host: str, port: int, title: str) -> viser.ViserServer:
    """An empty page at the first free port from `port` on."""
    check_address(host, port)
    module: Any = load_viser()
    return silence(lambda: module.ViserServer(host=host, port=port, label=title, verbose=False))


def check_address(host: str, port: int) -> None:
    """Raises an error where no page can be served."""
    if not isinstance(port, int) or not 0 <= port <= 65535:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"port must be a whole number in 0 to 65535, got {port!r}")
    try:
        # viser would try a thousand ports before it gave up on a host that is none.
        with socket.create_server((host, 0)):
            pass
    except OSError as reason:
        # Numbers below zero are those of names that cannot be looked up.
        code = reason.errno or 0
        why = os.strerror(code) if code > 0 else reason.strerror
        raise InputError(f"cannot serve at host {host!r}: {why}") from reason


def silence(call: Callable[[], T]) -> T:
    """Calls without what viser prints about itself."""
    with contextlib.redirect_stdout(io.StringIO()):
        return call()
