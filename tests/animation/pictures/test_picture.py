from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from surefoot.animation.pictures import (
    Picture,
)
from surefoot.errors import FileError, InputError


def test_a_saved_picture_reads_back_the_same(tmp_path, noise):
    picture = noise(1)
    assert picture.save(tmp_path / "a.png") == tmp_path / "a.png"
    np.testing.assert_array_equal(np.asarray(Image.open(tmp_path / "a.png")), picture.pixels)
    assert [file.name for file in tmp_path.iterdir()] == ["a.png"]


def test_a_palette_makes_a_smaller_file_near_the_original(tmp_path):
    random = np.random.default_rng(5)
    ramp = np.linspace(60, 180, 100)[:, None, None] + random.uniform(0, 60, (100, 120, 3))
    picture = Picture(ramp.astype(np.uint8))
    full = picture.save(tmp_path / "full.png").stat().st_size
    small = picture.save(tmp_path / "small.png", colors=64).stat().st_size
    assert small < full
    shown = np.asarray(Image.open(tmp_path / "small.png").convert("RGB")).astype(int)
    assert np.abs(shown - picture.pixels).mean() < 12


def test_pixels_cannot_be_changed_behind_its_back():
    pixels = np.zeros((2, 2, 3), dtype=np.uint8)
    picture = Picture(pixels)
    pixels[:] = 9
    assert picture.pixels.max() == 0
    with pytest.raises(ValueError, match="read-only"):
        picture.pixels[0, 0, 0] = 1


@pytest.mark.parametrize("name", ["no/such/folder/a.png", "a.bmp", "a"])
def test_pictures_that_cannot_be_written_say_so(tmp_path, name, plain_picture):
    with pytest.raises(FileError, match=name.split("/")[-1]):
        plain_picture(0).save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_bad_pictures_are_refused(plain_picture):
    with pytest.raises(InputError, match="uint8"):
        Picture(np.zeros((2, 2, 3)))
    with pytest.raises(InputError, match=r"\(h, w, 3\)"):
        Picture(np.zeros((2, 2), dtype=np.uint8))
    with pytest.raises(InputError, match="colors must be 2 to 256"):
        plain_picture(0).save("never.png", colors=1)
