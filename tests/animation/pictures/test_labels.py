from __future__ import annotations

import numpy as np
import pytest

from surefoot.animation.pictures import (
    labelled,
    time_label,
)
from surefoot.errors import InputError


@pytest.mark.parametrize(
    ("corner", "rows", "columns"),
    [
        ("top left", slice(0, 50), slice(0, 100)),
        ("bottom right", slice(50, 100), slice(100, 200)),
    ],
)
def test_a_label_is_dark_letters_in_its_corner(corner, rows, columns, plain_picture):
    before = plain_picture(128, (200, 100))
    after = labelled(before, "1.25 s", corner)
    changed = (after.pixels != before.pixels).any(axis=2)
    assert changed[rows, columns].any()
    changed[rows, columns] = False
    assert not changed.any()
    assert after.pixels.min() < 100
    assert after.pixels.max() > 180


def test_different_texts_look_different(plain_picture):
    picture = plain_picture(200, (200, 100))
    assert (labelled(picture, "1.25 s").pixels != labelled(picture, "1.75 s").pixels).any()


def test_a_label_sits_on_a_pixel_and_stays_inside(plain_picture):
    picture = plain_picture(128, (200, 100))
    rows, columns = np.nonzero((labelled(picture, "x", (100, 60)).pixels != 128).any(axis=2))
    assert rows.max() < 60
    assert columns.mean() == pytest.approx(100, abs=1.5)
    assert (labelled(picture, "a label", (-500, 900)).pixels != 128).any()
    # A plate larger than the picture is cut off, not refused.
    assert labelled(plain_picture(128, (10, 8)), "much too long").size == (10, 8)


def test_moments_are_written_in_seconds():
    assert time_label(1.25) == "1.25 s"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("", "top left"), "one line of text"),
        (("two\nlines", "top left"), "one line of text"),
        (("x", "middle"), "unknown corner 'middle'; there are: bottom left"),
        (("x", (np.nan, 0.0)), "must be finite"),
    ],
)
def test_bad_labels_are_refused(arguments, message, plain_picture):
    with pytest.raises(InputError, match=message):
        labelled(plain_picture(0), *arguments)
    with pytest.raises(InputError, match="at least 4 pixels"):
        labelled(plain_picture(0), "x", height=2)
