from __future__ import annotations

import numpy as np
import pytest

from surefoot.animation.pictures import (
    filmstrip,
)
from surefoot.errors import InputError


def test_a_filmstrip_holds_its_pictures_in_reading_order(noise):
    pictures = [noise(i) for i in range(5)]
    strip = filmstrip(pictures, gap=4)
    assert strip.size == (5 * 40 + 4 * 4, 30)
    np.testing.assert_array_equal(strip.pixels[:, 44:84], pictures[1].pixels)
    grid = filmstrip(pictures, columns=2, gap=4)
    assert grid.size == (84, 3 * 30 + 2 * 4)
    np.testing.assert_array_equal(grid.pixels[34:64, 44:84], pictures[3].pixels)
    # The place without a picture is paper.
    assert (grid.pixels[68:, 44:] == 255).all()


def test_a_filmstrip_labels_each_picture(plain_picture):
    strip = filmstrip([plain_picture(128, (90, 60))] * 2, ["first", "second"], gap=0).pixels
    left, right = strip[:, :90], strip[:, 90:]
    assert (left != 128).any()
    assert (right != 128).any()
    assert (left != right).any()


def test_bad_filmstrips_are_refused(plain_picture):
    with pytest.raises(InputError, match="at least one"):
        filmstrip([])
    with pytest.raises(InputError, match="one size, got 40 x 30, 50 x 30"):
        filmstrip([plain_picture(0), plain_picture(0, (50, 30))])
    with pytest.raises(InputError, match="2 pictures need as many labels, got 1"):
        filmstrip([plain_picture(0)] * 2, ["x"])
    with pytest.raises(InputError, match="columns must be at least 1"):
        filmstrip([plain_picture(0)], columns=0)
