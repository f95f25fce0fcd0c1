"""A page as one file that plays by itself."""

from __future__ import annotations

import math

import numpy as np

from surefoot.arrays import number
from surefoot.studio import camera
from surefoot.studio.content import Content
from surefoot.studio.serving import LOOPBACK, Page
from surefoot.studio.stage import Stage

HOLD = 1.0
"""How long the last moment is shown before it starts over [s]."""


def recorded(content: Content, *, fps: float = 30.0, dark: bool = False) -> str:
    """HTML that shows the content and plays it, without a server.

    Args:
        content: what it shows.
        fps: how many moments a second, > 0.
        dark: whether it is dark.
    """
    number(fps, "fps", above=0.0, at_most=240.0)
    page = Page(LOOPBACK, 0, content.name)
    server = page.server
    try:
        camera.start_at(server, camera.overview(content.opening))
        stage = Stage(server.scene, content)
        stage.shade_grid(dark)
        recording = server.get_scene_serializer()
        count = math.ceil((content.end - content.start) * fps) + 1
        last = content.start
        for t in np.linspace(content.start, content.end, count).tolist():
            recording.insert_sleep(t - last)
            stage.show(t)
            last = t
        recording.insert_sleep(HOLD if count > 1 else 0.0)
        return recording.as_html(dark_mode=dark)
    finally:
        page.stop()
