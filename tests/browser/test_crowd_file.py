"""A file of many characters plays in a browser, in a viewer that is not ours."""

from __future__ import annotations

import shutil
import subprocess
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

from surefoot.animation.gltf_cast import Figure, save_cast
from surefoot.character import people
from surefoot.character.humanoid import JOINTS
from surefoot.math import rotations
from surefoot.world import Body, World, primitives

THREE = "three@0.187.0"
TIMES = np.arange(31) / 30


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder with three.js and the viewer, and its address."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed: no viewer here")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run([npm, "install", THREE], cwd=folder, capture_output=True, check=False)
    if done.returncode:
        pytest.skip(f"{THREE} cannot be installed here")
    shutil.copy(Path(__file__).with_name("viewer.html"), folder)
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield folder, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def test_who_walks_into_view_is_drawn(site, browser):
    """Viewers leave out what is out of sight; who comes from there must not be left out."""
    folder, address = site
    adult, count = people.adult(), len(TIMES)
    local = np.tile(rotations.IDENTITY, (count, len(JOINTS), 1))
    # From far beside the picture into its middle.
    x = 60.0 * np.minimum(TIMES - 0.8, 0.0)
    way = np.column_stack([x, np.zeros(count), np.full(count, 0.93)])
    still = np.tile([0.0, 0.0, 0.93], (count, 1))
    world = World([Body(name="floor", mesh=primitives.slab((4, 4, 0.2)))], name="floor")
    drawn: dict[str, tuple[int, int]] = {}
    for name, root in (("comes", way), ("stays", still)):
        figure = Figure(name, adult, TIMES, root, local)
        save_cast(folder / f"{name}.glb", world, [figure], rate=30.0)
        page = browser.new_page(viewport={"width": 320, "height": 200})
        page.goto(f"{address}/viewer.html?file={name}.glb")
        page.wait_for_function("window.ready === true", timeout=60_000)
        shown = []
        for t in (0.0, 0.9):
            page.evaluate(f"window.show({t})")
            shown.append(int(page.evaluate("window.drawn()")))
        drawn[name] = (shown[0], shown[1])
        page.close()
    assert drawn["comes"][0] < drawn["comes"][1]
    assert drawn["comes"][1] == drawn["stays"][1]


def test_a_hundred_characters_play(site, browser):
    folder, address = site
    adult = people.adult()
    count = len(TIMES)
    figures: list[Figure] = []
    for i in range(100):
        x, y = 0.8 * (i % 10) - 4.0, 0.8 * (i // 10) - 4.0
        root = np.column_stack([x + 0.5 * TIMES, np.full(count, y), np.full(count, 0.93)])
        local = np.tile(rotations.IDENTITY, (count, len(JOINTS), 1))
        local[:, JOINTS.index("left_thigh")] = rotations.from_axis_angle(
            np.array([0.0, 1.0, 0.0]), -0.8 * TIMES
        )
        figures.append(Figure(f"adult {i}", adult, TIMES, root, local))
    world = World([Body(name="floor", mesh=primitives.slab((12, 12, 0.2)))], name="floor")
    save_cast(folder / "crowd.glb", world, figures, rate=30.0)

    page = browser.new_page(viewport={"width": 640, "height": 400})
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{address}/viewer.html?file=crowd.glb")
    page.wait_for_function("window.ready === true", timeout=60_000)
    assert page.evaluate("window.duration") == pytest.approx(1.0, abs=1e-4)
    before, after = (np.array(page.evaluate(f"window.show({t})")) for t in (0.0, 0.9))
    assert before.shape == (100, 3)
    # The file's axes: x as ours, y up, z to the viewer.
    assert np.allclose(after - before, [0.45, 0.0, 0.0], atol=1e-3)
    drawn = page.screenshot()
    page.evaluate("window.show(0.0)")
    assert page.screenshot() != drawn
    assert faults == []
    page.close()
