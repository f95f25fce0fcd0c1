from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.animation.pictures import Camera
from surefoot.errors import InputError


@given(
    seed=st.integers(0, 2**32 - 1),
    azimuth=st.floats(-4.0, 4.0),
    elevation=st.floats(-1.5, 1.5707),
    orthographic=st.booleans(),
    wide=st.sampled_from([(960, 540), (300, 700), (64, 64)]),
)
def test_framing_holds_every_point_and_is_tight(seed, azimuth, elevation, orthographic, wide):
    random = np.random.default_rng(seed)
    points = random.uniform(-5, 5, (7, 3)) * random.uniform(0.01, 30, 3) + random.uniform(-50, 50)
    margin = 0.05
    camera = Camera.framing(
        points, azimuth, elevation, size=wide, margin=margin, orthographic=orthographic
    )
    pixels, depth = camera.project(points)
    share = pixels / np.array(wide)
    assert (depth > 0).all()
    assert share.min() >= margin - 1e-6
    assert share.max() <= 1 - margin + 1e-6
    if depth.min() < 1e-3 + 1e-6:
        return  # it may not come nearer to a point
    # One pair of opposite sides is touched on both.
    gaps = np.concatenate([share.min(axis=0) - margin, 1 - margin - share.max(axis=0)])
    assert min(max(gaps[0], gaps[2]), max(gaps[1], gaps[3])) < 1e-6


def test_framing_two_rows_as_a_box():
    camera = Camera.framing([[0, 0, 0], [2, 3, 4]])
    corners = [[x, y, z] for x in (0, 2) for y in (0, 3) for z in (0, 4)]
    pixels, _ = camera.project(corners)
    assert (pixels >= 0).all()
    assert (pixels <= np.array(camera.size)).all()


def test_framing_stands_in_the_stated_direction():
    camera = Camera.framing(np.eye(3), azimuth=np.pi / 2, elevation=np.pi / 6)
    away = (camera.eye - camera.target) / camera.distance
    np.testing.assert_allclose(away, [0, np.cos(np.pi / 6), 0.5], atol=1e-12)


def test_framing_of_a_single_point_keeps_away_from_it():
    camera = Camera.framing([[1.0, 2.0, 3.0]])
    pixels, depth = camera.project([1.0, 2.0, 3.0])
    np.testing.assert_allclose(pixels, [480, 270], atol=1e-6)
    assert depth > 0


@pytest.mark.parametrize("view_height", [None, 3.0])
def test_rays_pass_through_the_points_that_project_to_their_pixels(view_height):
    random = np.random.default_rng(4)
    camera = Camera(
        np.array([4.0, -3.0, 2.0]), np.array([0.5, 0.0, 1.0]), 0.7, (320, 200), view_height
    )
    points = random.uniform(-1, 1, (50, 3))
    pixels, _ = camera.project(points)
    origins, directions = camera.rays(pixels)
    along = ((points - origins) * directions).sum(axis=-1, keepdims=True)
    np.testing.assert_allclose(origins + along * directions, points, atol=1e-9)


def test_straight_down_is_a_map_with_y_up():
    camera = Camera(np.array([0.0, 0.0, 9.0]), np.zeros(3))
    pixels, _ = camera.project([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    assert pixels[1, 0] > pixels[0, 0]
    assert pixels[2, 1] < pixels[0, 1]


def test_points_behind_the_eye_have_no_pixel():
    camera = Camera(np.zeros(3), np.array([1.0, 0.0, 0.0]))
    pixels, depth = camera.project([-1.0, 0.0, 0.0])
    assert depth < 0
    assert np.isnan(pixels).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"target": np.zeros(3)}, "inside its target"),
        ({"size": (0, 540)}, "at least 1 x 1, got 0 x 540"),
        ({"size": (-3, 2)}, "at least 1 x 1"),
        ({"size": (10.5, 2)}, "whole pixels"),
        ({"size": 100}, "width and height"),
        ({"size": (100_000, 100_000)}, "at most 64 million pixels"),
        ({"field_of_view": 0.0}, "field_of_view must be greater than 0"),
        ({"field_of_view": 35.0}, "radians"),
        ({"view_height": 0.0}, "view_height must be greater than 0"),
        ({"eye": [np.nan, 0, 0]}, "camera eye must be finite"),
        ({"eye": [1, 2]}, "camera eye"),
    ],
)
def test_bad_cameras_are_refused(change, message):
    with pytest.raises(InputError, match=message):
        Camera(**{"eye": np.zeros(3), "target": np.array([1.0, 0.0, 0.0]), **change})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"subject": np.zeros((0, 3))}, "nothing to frame"),
        ({"elevation": 2.0}, "elevation must be at most"),
        ({"margin": 0.5}, "margin must be less than 0.5"),
        ({"size": (0, 0)}, "at least 1 x 1"),
    ],
)
def test_bad_framings_are_refused(change, message):
    with pytest.raises(InputError, match=message):
        Camera.framing(**{"subject": np.eye(3), **change})
