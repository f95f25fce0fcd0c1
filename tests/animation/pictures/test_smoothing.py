from __future__ import annotations

import numpy as np
import pytest

from surefoot.animation.pictures import sampling
from surefoot.animation.pictures.smoothing import REACH, smoothed


def _flat_guides(height, width):
    tall, wide = height + 2 * REACH, width + 2 * REACH
    rows, columns = np.mgrid[:tall, :wide].astype(np.float32)
    positions = np.stack([columns, rows, np.zeros_like(rows)])
    normals = np.zeros_like(positions)
    normals[2] = 1
    return normals, positions, np.zeros((tall, wide), np.int32), np.ones((tall, wide), np.float32)


def test_smoothing_removes_the_pattern_of_the_blocks_entirely():
    normals, positions, bodies, near = _flat_guides(12, 16)
    rows, columns = np.mgrid[: bodies.shape[0], : bodies.shape[1]]
    kinds = sampling.pixel_kinds(columns.reshape(-1), rows.reshape(-1)).reshape(bodies.shape)
    values = np.random.default_rng(2).random(16)[kinds][None].astype(np.float32)
    result = smoothed(values, normals, positions, bodies, near)
    np.testing.assert_allclose(result, np.unique(values).mean(), rtol=1e-5)


@pytest.mark.parametrize("edge", ["body", "crease", "step"])
def test_smoothing_stops_at_edges(edge):
    normals, positions, bodies, near = _flat_guides(8, 8)
    right = np.arange(bodies.shape[1]) >= 6
    values = np.broadcast_to(right, bodies.shape)[None].astype(np.float32)
    assert 0.1 < smoothed(values, normals, positions, bodies, near)[0, 4, 4] < 0.9
    if edge == "body":
        bodies[:, right] = 1
    elif edge == "crease":
        normals[:, :, right] = np.array([1, 0, 0], np.float32)[:, None, None]
    else:
        positions[2, :, right] = 10.0
    result = smoothed(values, normals, positions, bodies, near)
    np.testing.assert_array_equal(result[0], values[0, REACH:-REACH, REACH:-REACH])
