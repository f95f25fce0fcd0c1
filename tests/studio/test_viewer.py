from __future__ import annotations

import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator

import numpy as np
import pytest

import surefoot.studio as studio
from surefoot.animation import Animation
from surefoot.errors import InputError, MissingExtraError, TrajectoryError
from surefoot.math import Pose
from surefoot.studio.controls import row_texts, summary
from surefoot.world import Body, Function, World
from surefoot.world.primitives import box

LONG = 20.0
"""Until when something surely has happened [s]."""


@pytest.fixture
def viewer(ride: Animation) -> Iterator[studio.Viewer]:
    pytest.importorskip("viser", reason="viser is not installed: no studio here")
    with studio.show(ride, port=0, block=False) as shown:
        yield shown


def wait_until(happened: Callable[[], bool]) -> bool:
    never = threading.Event()
    return any(happened() or never.wait(0.02) for _ in range(int(LONG / 0.02)))


def test_the_page_is_served_to_this_machine_only(viewer: studio.Viewer) -> None:
    assert viewer.url.startswith("http://127.0.0.1:")
    with urllib.request.urlopen(viewer.url, timeout=LONG) as page:
        assert b"<html" in page.read()[:1000]


def test_playing_moves_the_world(viewer: studio.Viewer, ride: Animation) -> None:
    lift = viewer._server.scene.get_handle_by_name("/world/lift")
    assert lift is not None
    viewer.seek(5.0)
    at = ride.world["lift"].trajectory.pose(5.0).position
    assert wait_until(lambda: np.allclose(lift.position, at))
    viewer.play()
    assert wait_until(lambda: lift.position[2] > at[2])
    viewer.pause()
    assert not viewer.timeline.playing
    assert 5.0 < viewer.time < ride.end


def test_moments_outside_the_plan_are_brought_to_its_ends(
    viewer: studio.Viewer, ride: Animation
) -> None:
    viewer.seek(1e9)
    assert viewer.time == ride.end
    viewer.seek(-1e9)
    assert viewer.time == ride.start


def test_the_panel_follows(viewer: studio.Viewer) -> None:
    controls = viewer._controls
    viewer.seek(2.5)
    assert wait_until(lambda: controls._slider.value == 2.5)
    gray = [row.color for _, row in controls._rows]
    assert [color == "gray" for color in gray] == [True, False, True]
    viewer.play()
    assert wait_until(lambda: controls._play.label == "Pause")
    viewer.pause()
    assert wait_until(lambda: controls._play.label == "Play")


def test_rows_say_when_what_and_where(ride: Animation) -> None:
    walk, board, stay = row_texts(ride.plan)
    assert walk == "0.0–2.4 s · walk to (1.90, 0.00, 0.00)"
    assert board == "2.4–3.4 s · board to lift"
    assert stay == "3.4–8.0 s · ride lift"
    assert summary(ride.plan).startswith("Reaches ")


def test_stopping_twice_does_no_harm(viewer: studio.Viewer) -> None:
    viewer.stop()
    viewer.stop()
    viewer.wait()
    assert not viewer._player.is_alive()


def test_a_motion_that_breaks_its_bounds_ends_the_page_with_its_error() -> None:
    pytest.importorskip("viser", reason="viser is not installed: no studio here")
    # It keeps its bounds until the page is up.
    broken = threading.Event()
    jumpy = Function(lambda t: Pose.at(9.0 * broken.is_set() * t), horizon=2.0, max_speed=0.5)
    world = World([Body(name="cube", mesh=box((1.0, 1.0, 1.0)), trajectory=jumpy)])
    with studio.show(world, port=0, block=False) as viewer:
        broken.set()
        viewer.seek(1.0)
        with pytest.raises(TrajectoryError):
            viewer.wait()


@pytest.mark.parametrize("port", [-1, 65536, 80.5, "8080"])
def test_ports_that_cannot_be(port: object) -> None:
    pytest.importorskip("viser", reason="viser is not installed: no studio here")
    with pytest.raises(InputError, match="port must be a whole number in 0 to 65535"):
        studio.show(World(), port=port, block=False)  # pyright: ignore[reportArgumentType]


def test_hosts_that_cannot_be() -> None:
    pytest.importorskip("viser", reason="viser is not installed: no studio here")
    with pytest.raises(InputError, match=r"cannot serve at host '192\.0\.2\.1'"):
        studio.show(World(), host="192.0.2.1", block=False)


def test_a_taken_port_gives_way_to_the_next(viewer: studio.Viewer) -> None:
    taken = viewer._server.get_port()
    with studio.show(World(), port=taken, block=False) as second:
        assert second._server.get_port() > taken


def test_without_viser_one_line_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "viser", None)
    with pytest.raises(MissingExtraError) as error:
        studio.show(World(), block=False)
    how = "pip install 'surefoot[studio]', or '.[studio]' in a checkout"
    assert str(error.value) == f"the studio needs viser: {how}"


def test_importing_the_studio_does_not_import_viser() -> None:
    code = "import surefoot.studio, surefoot.cli, sys; assert 'viser' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
