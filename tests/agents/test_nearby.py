"""Squares over the ground find whom looking at everybody finds."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.agents.nearby import Nearby


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("radius", [0.5, 3.0, 11.0])
def test_the_same_as_looking_at_everybody(seed, radius):
    random = np.random.default_rng(seed)
    points = random.uniform(-20.0, 20.0, (200, 3))
    nearby = Nearby(points, 5.0)
    rows = random.choice(200, 40, replace=False)
    index, found = nearby.pairs(rows, radius)
    away = np.hypot(*(points[rows, None, :2] - points[None, :, :2]).transpose(2, 0, 1))
    expected = np.argwhere(away <= radius)
    assert np.array_equal(np.column_stack([index, found]), expected)
    spot = random.uniform(-20.0, 20.0, 3)
    close = np.flatnonzero(np.hypot(*(points[:, :2] - spot[:2]).T) <= radius)
    assert np.array_equal(nearby.near(spot, radius), close)


def test_nobody_and_alone():
    assert len(Nearby(np.empty((0, 3)), 5.0).near(np.zeros(3), 4.0)) == 0
    alone = Nearby(np.zeros((1, 3)), 5.0)
    assert alone.near(np.array([1.0, 0.0, 0.0]), 2.0).tolist() == [0]
    index, found = alone.pairs(np.array([], dtype=np.int64), 2.0)
    assert len(index) == len(found) == 0
