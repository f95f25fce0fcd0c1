from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from surefoot.animation.pictures import (
    Picture,
    save_moving,
)
from surefoot.errors import FileError, InputError


def _film():
    """A dark square that moves over a pale ramp, then rests."""
    ramp = np.broadcast_to(np.linspace(180, 240, 40).astype(np.uint8)[None, :, None], (30, 40, 3))
    film = []
    for left in (2, 8, 14, 20, 20):
        pixels = ramp.copy()
        pixels[10:18, left : left + 8] = (20, 90, 120)
        film.append(Picture(pixels))
    return film


@pytest.mark.parametrize("suffix", ["png", "gif"])
def test_a_moving_picture_plays_its_frames(tmp_path, suffix):
    film = _film()
    save_moving(tmp_path / f"a.{suffix}", film, frame_rate=10)
    with Image.open(tmp_path / f"a.{suffix}") as played:
        assert played.info["loop"] == 0
        shown, durations = [], []
        for index in range(played.n_frames):
            played.seek(index)
            played.load()
            durations.append(played.info["duration"])
            shown.append(np.asarray(played.convert("RGBA"))[..., :3].astype(int))
    assert sum(durations) == 500
    # The last picture is like the one before, and may be joined to it.
    for index, pixels in enumerate(shown):
        assert np.abs(pixels - film[index].pixels).max() <= 2


def test_what_rests_costs_nothing(tmp_path, noise):
    film = [noise(3, (100, 100))] * 2
    one = save_moving(tmp_path / "one.png", film[:1]).stat().st_size
    moved = film[0].pixels.copy()
    moved[50:52, 50:52] = 0
    two = save_moving(tmp_path / "two.png", [film[0], Picture(moved)]).stat().st_size
    assert two < 1.1 * one


def test_a_moving_picture_can_play_once(tmp_path):
    save_moving(tmp_path / "a.png", _film(), repeat=False)
    assert Image.open(tmp_path / "a.png").info["loop"] == 1
    save_moving(tmp_path / "a.gif", _film(), repeat=False)
    assert "loop" not in Image.open(tmp_path / "a.gif").info


def test_bad_moving_pictures_are_refused(tmp_path, plain_picture):
    with pytest.raises(FileError, match=r"saved as \.png or \.gif"):
        save_moving(tmp_path / "a.mp4", _film())
    with pytest.raises(FileError, match="cannot be written"):
        save_moving(tmp_path / "nowhere" / "a.png", _film())
    with pytest.raises(InputError, match="at least one picture"):
        save_moving(tmp_path / "a.png", [])
    with pytest.raises(InputError, match="same size"):
        save_moving(tmp_path / "a.png", [plain_picture(0), plain_picture(0, (4, 4))])
    with pytest.raises(InputError, match="frame_rate must be greater than 0"):
        save_moving(tmp_path / "a.png", _film(), frame_rate=0)
    with pytest.raises(InputError, match="colors must be 2 to 255"):
        save_moving(tmp_path / "a.png", _film(), colors=256)
    assert list(tmp_path.iterdir()) == []
