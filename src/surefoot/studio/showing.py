"""From something to see to a page: served, or as a file."""

from __future__ import annotations

import contextlib
import os
import webbrowser
from pathlib import Path

from surefoot.errors import FileError
from surefoot.files import as_path, write_atomic
from surefoot.studio.content import Shown, content_of
from surefoot.studio.page import recorded
from surefoot.studio.serving import LOOPBACK
from surefoot.studio.viewer import Viewer


def show(
    shown: Shown,
    *,
    host: str = LOOPBACK,
    port: int = 8080,
    open_browser: bool = False,
    block: bool = True,
    dark: bool = False,
) -> Viewer:
    """Serves a page that shows an animation, a scene or a world, with a timeline to play.

    Args:
        shown: an animation, several of them (in the world of the first), a scene, or a world.
        host: the address to listen at; only this machine can reach the page by default, and only
            `viewer.url`, which holds its token, opens it.
        port: the first to try, 0 for any; the next free one is taken.
        open_browser: whether to open the page.
        block: whether to say where the page is and wait for Ctrl-C; else the page is served
            until `viewer.stop()` or the end of the program.
        dark: whether the page begins dark.
    """
    viewer = Viewer(content_of(shown), host=host, port=port, dark=dark)
    if open_browser:
        webbrowser.open(viewer.url)
    if block:
        with viewer, contextlib.suppress(KeyboardInterrupt):
            print(f"{viewer.content.name}: {viewer.url} (Ctrl-C ends it)", flush=True)
            viewer.wait()
    return viewer


def save(
    shown: Shown, path: str | os.PathLike[str], *, fps: float = 30.0, dark: bool = False
) -> Path:
    """Writes a page that plays in any browser, without a server and without Python.

    It has a timeline of its own; the panel with the plan is left out.

    Args:
        shown: as for `show`.
        path: ends in .html.
        fps: how many moments a second, > 0 to 240.
        dark: whether the page is dark.

    Returns:
        where it was written.
    """
    target = check_page(path)
    return write_atomic(target, recorded(content_of(shown), fps=fps, dark=dark).encode())


def check_page(path: str | os.PathLike[str]) -> Path:
    """Where a page can be saved, or an error that says why not."""
    target = as_path(path)
    if target.suffix.lower() not in (".html", ".htm"):
        raise FileError(f"{target}: a page is saved as .html")
    if not target.parent.is_dir():
        raise FileError(f"{target}: there is no folder {target.parent}")
    return target
