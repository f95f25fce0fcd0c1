from __future__ import annotations

import numpy as np
import pytest

from surefoot.animation.pictures import sampling


def test_every_block_of_pixels_has_all_kinds():
    rows, columns = np.mgrid[3:7, 10:14]
    kinds = sampling.pixel_kinds(columns.reshape(-1), rows.reshape(-1))
    assert sorted(kinds) == list(range(16))


@pytest.mark.parametrize("count", [1, 4, 9, 12, 32])
def test_points_in_a_pixel_share_no_row_or_column(count):
    spots = sampling.inside_pixel(count)
    for axis in range(2):
        np.testing.assert_allclose(np.sort(spots[:, axis]), (np.arange(count) + 0.5) / count)


@pytest.mark.parametrize("rays", [1, 2, 4, 16])
def test_the_hemisphere_is_sampled_as_the_cosine(rays):
    directions = sampling.hemisphere(rays).reshape(-1, 3)
    np.testing.assert_allclose(np.linalg.norm(directions, axis=1), 1.0)
    # Means over the cosine-weighted hemisphere: z is 2/3, x and y are 0, z^2 is 1/2.
    tolerance = 0.5 / rays**0.5 / 4
    assert directions.mean(axis=0) == pytest.approx([0, 0, 2 / 3], abs=tolerance)
    assert (directions[:, 2] ** 2).mean() == pytest.approx(0.5, abs=tolerance)


def test_axes_across_are_right_handed_for_any_normal():
    random = np.random.default_rng(8)
    normals = random.normal(size=(300, 3))
    normals[:3] = [[0, 0, 1], [0, 0, -1], [1, 0, 0]]
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    first, second = sampling.across(normals)
    np.testing.assert_allclose(np.cross(first, second), normals, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(first, axis=1), 1.0)
