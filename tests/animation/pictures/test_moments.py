from __future__ import annotations

import numpy as np
import pytest

from surefoot.animation.pictures import (
    Camera,
    Extra,
    Moment,
    exposures,
    frames,
    ghosts,
)
from surefoot.errors import InputError
from surefoot.math import Pose
from surefoot.world import primitives


def _walker(x):
    return Extra(
        mesh=primitives.box((0.4, 0.4, 0.4), (0.0, 0.0, 0.2)),
        pose=Pose.at(x, -2.0),
        color=(0.7, 0.0, 0.0),
    )


MOMENTS = [Moment(t, [_walker(t - 3.0)]) for t in (0.0, 2.0, 4.0, 6.0)]


def _redness(picture, x):
    """Of the walker's place at x [m] in the map view, where the walk is at y = -2 m."""
    pixel = picture.pixels[50, int(40 + 10 * x)].astype(int)
    return pixel[0] - pixel[1]


def test_each_frame_shows_its_moment(yard, map_view):
    shown = list(frames(yard, MOMENTS, map_view, quality="draft"))
    for index, picture in enumerate(shown):
        red = [_redness(picture, moment.t - 3.0) > 60 for moment in MOMENTS]
        assert red == [i == index for i in range(4)]


def test_exposures_show_all_moments_the_last_strongest(yard, map_view):
    picture = exposures(yard, MOMENTS, map_view, quality="draft")
    red = [_redness(picture, moment.t - 3.0) for moment in MOMENTS]
    assert all(value > 20 for value in red)
    assert sorted(red) == red
    assert red[-1] > red[0] + 40


def test_exposures_show_where_bodies_have_been(yard):
    # The cart drives along y = 3 m, at the upper border of the picture.
    view = Camera(
        np.array([0.0, 2.0, 50.0]), np.array([0.0, 2.0, 0.0]), size=(80, 60), view_height=6.0
    )
    still = exposures(yard, MOMENTS, view, quality="draft", show_motion=False).pixels.astype(int)
    shown = exposures(yard, MOMENTS, view, quality="draft").pixels.astype(int)
    # At 2 s it was at x = -2 m; at 6 s it is at x = 2 m, where both show it.
    assert np.abs(shown[20, 20] - still[20, 20]).max() > 8
    assert np.abs(shown[20, 60] - still[20, 60]).max() < 4


def test_ghosts_are_of_moving_bodies_only(yard):
    assert ghosts(yard, [1.0], names=["box"]) == []
    marks = ghosts(yard, [1.0, 2.0])
    assert all(mark.drawn_over for mark in marks)
    middles = {round(float(mark.points[:, 0].mean()), 6) for mark in marks}
    assert middles == {-3.0, -2.0}


def test_no_moments_are_refused(yard, map_view):
    for camera in (None, map_view):
        with pytest.raises(InputError, match="no moments"):
            list(frames(yard, [], camera))
        with pytest.raises(InputError, match="no moments"):
            exposures(yard, [], camera)
    with pytest.raises(InputError, match="moment must be finite"):
        Moment(np.inf)


def test_without_a_camera_all_moments_are_in_view(yard):
    shown = exposures(yard, MOMENTS, size=(120, 70), quality="draft", fade=0.0).pixels.astype(int)
    red = shown[..., 0] - shown[..., 1] > 80
    assert red.any()
    red[1:-1, 1:-1] = False
    assert not red.any()
