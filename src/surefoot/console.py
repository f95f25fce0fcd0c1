"""What a library says by itself on the standard error: single lines, and a bar for what is long.

Plans and results are returned, never printed. What is said here is only what a caller who waits
must know: what takes long and is done once, and caches that cannot be used.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from shutil import get_terminal_size
from types import TracebackType

CLEAR = "\r\x1b[K"
"""Takes a terminal's last line away."""

WIDEST = 30
"""Characters of a bar at most."""

NARROWEST = 10
"""Characters of a bar that still shows anything; on a narrower terminal the share stands alone."""

_quiet: ContextVar[bool] = ContextVar("quiet", default=False)
_shown: list[Bar] = []
"""The bar on the terminal's last line, if there is one."""


@contextmanager
def quiet() -> Generator[None]:
    """Within it, bars say nothing; what is wrong is said all the same."""
    before = _quiet.set(True)
    try:
        yield
    finally:
        _quiet.reset(before)


def say(message: str) -> None:
    """A line on the standard error."""
    _print(message)
    if _shown:
        _shown[-1].redraw()


def _print(message: str) -> None:
    # The caller may show progress on the terminal's last line too.
    clear = CLEAR if sys.stderr.isatty() else ""
    print(f"{clear}surefoot: {message}", file=sys.stderr, flush=True)


class Bar:
    """A line that says what takes long; on a terminal it shows how much of that is done.

    It is printed when the work begins, so that what turns out to be done already says nothing.
    """

    def __init__(self) -> None:
        self._text = ""
        self._share = 0.0
        self._drawn = ""

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self in _shown:
            _shown.remove(self)
            # What was drawn last stays: how far it came.
            print(file=sys.stderr, flush=True)

    def begin(self, text: str, *, bar: bool = True) -> None:
        """Says what is done now; only the first time.

        Args:
            text: that, without a full stop.
            bar: whether to draw how far it is, where the standard error is a terminal.
        """
        if self._text:
            return
        self._text = text
        if _quiet.get():
            return
        if bar and sys.stderr.isatty():
            _shown.append(self)
            self._draw()
        else:
            _print(text)

    def show(self, share: float) -> None:
        """How much is done, 0 to 1."""
        self._share = min(max(share, 0.0), 1.0)
        if self in _shown:
            self._draw()

    def redraw(self) -> None:
        """Draws it below another line that was printed where it was."""
        self._drawn = ""
        self._draw()

    def _draw(self) -> None:
        line = self._line()
        if line != self._drawn:
            print(f"{CLEAR}{line}", end="", file=sys.stderr, flush=True)
            self._drawn = line

    def _line(self) -> str:
        columns = get_terminal_size().columns - 1
        text, share = f"surefoot: {self._text}", f"{100 * self._share:3.0f}%"
        # Spaces and brackets around the bar, and the share after it.
        width = min(columns - len(text) - len(share) - 4, WIDEST)
        if width >= NARROWEST:
            done = round(width * self._share)
            return f"{text} [{'#' * done}{'.' * (width - done)}] {share}"
        # A line that is broken by the terminal cannot be drawn again.
        return f"{text[: max(columns - len(share) - 1, 0)]} {share}"
