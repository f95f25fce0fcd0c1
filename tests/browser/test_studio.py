"""The page in a real browser."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from PIL import Image

import surefoot.studio as studio
from surefoot.world import Body, Keyframed, World
from surefoot.world.primitives import box, slab

PATIENCE = 60_000
"""How long a slow machine may take for anything [ms]."""


def red_share(picture: bytes) -> float:
    """How much of a picture is clearly red."""
    red, green, blue = np.moveaxis(np.asarray(Image.open(io.BytesIO(picture)).convert("RGB")), 2, 0)
    return float(((red > 90) & (red > 2.0 * green) & (red > 2.0 * blue)).mean())


def test_the_page_shows_the_world_and_plays(browser: Any) -> None:
    pytest.importorskip("viser", reason="viser is not installed: no studio here")
    slide = Keyframed(np.array([0.0, 50.0]), np.array([[-1.0, 0, 0.5], [1.0, 0, 0.5]]))
    world = World(
        [
            Body(name="floor", mesh=slab((4.0, 4.0, 0.2)), color=(0.5, 0.5, 0.5)),
            Body(name="cube", mesh=box((1.0, 1.0, 1.0)), trajectory=slide, color=(0.8, 0.0, 0.0)),
        ],
        name="red cube",
    )
    wrong: list[str] = []
    with studio.show(world, port=0, block=False) as viewer:
        # Wide enough for the panel to stand beside the picture, and small, since it is drawn in
        # software.
        page = browser.new_page(viewport={"width": 820, "height": 420})
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
        page.goto(viewer.url, timeout=PATIENCE)
        page.get_by_text("red cube").wait_for(timeout=PATIENCE)
        # The picture fades in.
        canvas = page.locator("canvas").first
        for _ in range(PATIENCE // 250):
            if red_share(canvas.screenshot(timeout=PATIENCE)) > 0.01:
                break
            page.wait_for_timeout(250)
        assert red_share(canvas.screenshot(timeout=PATIENCE)) > 0.01
        # Pressing play moves the time, here and on the page.
        assert viewer.time == 0.0
        page.get_by_role("button", name="Play").click(timeout=PATIENCE)
        page.get_by_role("button", name="Pause").wait_for(timeout=PATIENCE)
        page.wait_for_function(
            "[...document.querySelectorAll('input')].some(i => parseFloat(i.value) >= 0.2)",
            timeout=PATIENCE,
        )
        assert viewer.timeline.playing
        assert viewer.time >= 0.2
        page.close()
    assert wrong == []
