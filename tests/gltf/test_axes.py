from __future__ import annotations

import numpy as np

from surefoot.gltf import axes
from surefoot.math import rotations

RANDOM = np.random.default_rng(5)


def test_up_becomes_up():
    np.testing.assert_array_equal(axes.z_up([[0, 1, 0], [1, 0, 0], [0, 0, 1]]),
                                  [[0, 0, 1], [1, 0, 0], [0, -1, 0]])  # fmt: skip


def test_there_and_back_gives_the_same_bits():
    vectors, quaternions = RANDOM.normal(size=(2, 5, 3)), RANDOM.normal(size=(5, 4))
    np.testing.assert_array_equal(axes.y_up(axes.z_up(vectors)), vectors)
    np.testing.assert_array_equal(
        axes.y_up_rotations(axes.z_up_rotations(quaternions)), quaternions
    )
    np.testing.assert_array_equal(axes.swapped_scales(axes.swapped_scales(vectors)), vectors)


def test_turning_and_scaling_are_the_same_in_both():
    points, turns = RANDOM.normal(size=(5, 3)), rotations.normalize(RANDOM.normal(size=(5, 4)))
    scale = np.array([1.0, 2.0, 3.0])
    there = axes.z_up(rotations.rotate(turns, points * scale))
    turned = rotations.rotate(
        axes.z_up_rotations(turns), axes.z_up(points) * axes.swapped_scales(scale)
    )
    np.testing.assert_allclose(turned, there, atol=1e-14)
