"""A served page, and the one thread that plays it."""

from __future__ import annotations

import threading
import time

from surefoot.errors import SurefootError
from surefoot.studio import camera
from surefoot.studio.content import Content
from surefoot.studio.controls import Controls
from surefoot.studio.serving import LOOPBACK, Page
from surefoot.studio.stage import Stage
from surefoot.studio.timeline import Timeline

RATE = 30.0
"""How often the scene moves while playing [1/s]."""


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
        self._page = Page(host, port, content.name)
        self._server = self._page.server
        self._stopping = threading.Event()
        self._failure: SurefootError | None = None
        self._shown = (content.start, False)
        try:
            camera.start_at(self._server, camera.overview(content.opening))
            self._stage = Stage(self._server.scene, content)
            self._controls = Controls(self._server, self.timeline, self._stage, dark=dark)
        except BaseException:
            self._page.stop()
            raise
        self._player = threading.Thread(target=self._play, name="studio player", daemon=True)
        self._player.start()

    @property
    def url(self) -> str:
        """What opens the page, with the token that it asks for."""
        return self._page.url

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
        self._page.stop()

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
