from __future__ import annotations

import numpy as np
import pytest

from surefoot.animation.pictures.colors import (
    displayed,
    from_hex,
    from_srgb,
    palette_color,
    to_srgb,
)
from surefoot.errors import InputError


def test_display_values_and_light_are_inverse():
    values = np.linspace(0, 1, 101)
    np.testing.assert_allclose(to_srgb(from_srgb(values)), values, atol=1e-9)


def test_brighter_light_is_shown_brighter_and_never_beyond_white():
    light = np.linspace(0, 30, 4000)
    shown = displayed(light)
    assert (np.diff(shown[light < 2]) > 0).all()
    assert shown[0] == 0
    assert shown.max() <= 1


def test_colour_codes():
    assert from_hex("#ffffff") == pytest.approx((1, 1, 1))
    assert from_hex("ff0000") == pytest.approx((1, 0, 0))
    for bad in ("#fff", "#gggggg", ""):
        with pytest.raises(InputError, match="six hex digits"):
            from_hex(bad)


def test_moving_things_have_stronger_colours():
    names = [f"body {i}" for i in range(40)]
    resting = np.array([palette_color(name) for name in names])
    moving = np.array([palette_color(name, moving=True) for name in names])
    assert np.ptp(resting, axis=1).max() < np.ptp(moving, axis=1).min()
    # Different names get different colours, as far as there are any.
    assert len(np.unique(resting, axis=0)) > 4
