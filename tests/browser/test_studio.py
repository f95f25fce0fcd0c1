"""The page in a real browser."""

from __future__ import annotations

import base64
import io
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest
from PIL import Image

import surefoot.studio as studio
from surefoot.studio.access import NO_TOKEN
from surefoot.world import Body, Keyframed, World
from surefoot.world.primitives import box, slab

PATIENCE = 60_000
"""How long a slow machine may take for anything [ms]."""


LARGEST_CANVAS = """
    [...document.querySelectorAll('canvas')]
    .reduce((best, one) => one.width * one.height > best.width * best.height ? one : best)
    .toDataURL('image/png')
"""

# Whether a page can open a socket of the studio: "opened" or "refused".
OPEN_SOCKET = """
    ([address, protocol]) => new Promise(done => {
        const socket = new WebSocket(address, [protocol]);
        socket.onopen = () => { done('opened'); socket.close(); };
        socket.onerror = () => done('refused');
    })
"""


class Foreign(BaseHTTPRequestHandler):
    """Any page of another site."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>foreign</title>")

    def log_message(self, *_: object) -> None:
        """Prints nothing."""


@pytest.fixture
def foreign() -> Iterator[str]:
    """The address of a page on another port of this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Foreign)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def red_share(page: Any) -> float:
    """How much of what the page has drawn is clearly red."""
    address = page.evaluate(LARGEST_CANVAS)
    if address == "data:,":  # the canvas has no size yet
        return 0.0
    picture = Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2])))
    red, green, blue = np.moveaxis(np.asarray(picture.convert("RGB"), dtype=np.float64), 2, 0)
    return float(((red > 90) & (red > 2.0 * green) & (red > 2.0 * blue)).mean())


def test_the_page_shows_the_world_and_plays(browser: Any) -> None:
    pytest.importorskip("viser", reason="viser is not installed: no studio here")
    slide = Keyframed(np.array([0.0, 50.0]), np.array([[-1.0, 0, 0.5], [1.0, 0, 0.5]]))
    world = World(
        [
            Body(name="floor", mesh=slab((3.0, 2.0, 0.2)), color=(0.5, 0.5, 0.5)),
            Body(name="cube", mesh=box((1.0, 1.0, 1.0)), trajectory=slide, color=(0.8, 0.0, 0.0)),
        ],
        name="red cube",
    )
    wrong: list[str] = []
    with studio.show(world, port=0, block=False) as viewer:
        # Wide enough for the panel to stand beside the picture, and small, since it is drawn in
        # software.
        page = browser.new_page(viewport={"width": 800, "height": 360})
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
        page.goto(viewer.url, timeout=PATIENCE)
        page.get_by_text("red cube").wait_for(timeout=PATIENCE)
        # The first picture takes a while.
        for _ in range(PATIENCE // 250):
            if red_share(page) > 0.005:
                break
            page.wait_for_timeout(250)
        assert red_share(page) > 0.005
        # Pressing play moves the time, here and on the page.
        assert viewer.time == 0.0
        page.get_by_role("button", name="Play").click(timeout=PATIENCE)
        page.get_by_role("button", name="Pause").wait_for(timeout=PATIENCE)
        page.wait_for_function(
            "parseFloat(document.querySelector('input[inputmode=decimal]').value) >= 0.2",
            timeout=PATIENCE,
        )
        assert viewer.timeline.playing
        assert viewer.time >= 0.2
        page.close()
    assert wrong == []


def test_only_the_page_itself_opens_its_socket(browser: Any, foreign: str) -> None:
    """A page on another port sends the same cookies, since cookies do not know ports."""
    viser = pytest.importorskip("viser", reason="viser is not installed: no studio here")
    world = World([Body(name="cube", mesh=box((1.0, 1.0, 1.0)))], name="one cube")
    with studio.show(world, port=0, block=False) as viewer:
        place = urlsplit(viewer.url).netloc
        ask = [f"ws://{place}", f"viser-v{viser.__version__}"]
        context = browser.new_context(viewport={"width": 320, "height": 200})
        page, other = context.new_page(), context.new_page()
        # Without the token there is a sentence, and no page.
        page.goto(f"http://{place}/", timeout=PATIENCE)
        assert page.locator("body").inner_text().strip() == NO_TOKEN
        page.goto(viewer.url, timeout=PATIENCE)
        page.get_by_text("one cube").wait_for(timeout=PATIENCE)
        assert page.evaluate(OPEN_SOCKET, ask) == "opened"
        # Scripts of the page cannot pass the token on.
        assert page.evaluate("document.cookie") == ""
        # The cookie is enough to come again.
        page.goto(f"http://{place}/", timeout=PATIENCE)
        page.get_by_text("one cube").wait_for(timeout=PATIENCE)
        other.goto(foreign, timeout=PATIENCE)
        assert [cookie["name"] for cookie in context.cookies(foreign)]
        assert other.evaluate(OPEN_SOCKET, ask) == "refused"
        context.close()
