"""Values of states on one foot alone are those of states on both."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.errors import InputError
from surefoot.learning import Axis, TaskSpace, TransitionTable, solve

SIDE = np.array([-2.0, -0.5, 0.0, 0.5, 2.0])
SPACE = TaskSpace(
    axes=(
        Axis(name="ahead", points=np.array([-1.0, 0.0, 2.0])),
        Axis(name="left", points=SIDE),
        Axis.circle("heading", 6),
    ),
    place="plane",
)
SIDED = ("left", "heading")


def test_mirror_images_of_tasks() -> None:
    points, mirror = SPACE.points(), SPACE.mirror(SIDED)
    turned = points[mirror] - points * [1, -1, -1]
    turned[:, 2] = np.remainder(turned[:, 2] + np.pi, 2 * np.pi) - np.pi
    np.testing.assert_allclose(turned, 0.0, atol=1e-12)
    uneven = Axis(name="left", points=np.array([-1.0, 0.0, 2.0]))
    with pytest.raises(InputError, match="alike on both sides"):
        uneven.mirror()


def test_one_foot_is_enough() -> None:
    rng = np.random.default_rng(5)
    s, a = 4, 3
    successors = rng.integers(0, s, (s, a, 2))
    weights = rng.random((s, a, 2))
    weights /= weights.sum(axis=-1, keepdims=True)
    motion = rng.normal(0, 0.5, (s, a, 3))
    durations = rng.uniform(0.3, 0.5, (s, a))
    here = rng.random((s, SPACE.size))
    mirror = SPACE.mirror(SIDED)
    half = solve(
        TransitionTable(
            successors=successors, weights=weights, motion=motion, rewards=np.zeros((s, a)),
            durations=durations, viable=np.ones((s, a), bool),
        ),
        SPACE, here=here, discount=0.7, rate=0.8, sweeps=30, mirror=mirror,
    )  # fmt: skip
    # Both feet: states s on the left one, then their mirror images.
    both = solve(
        TransitionTable(
            successors=np.concatenate([successors + s, successors]),
            weights=np.concatenate([weights, weights]),
            motion=np.concatenate([motion, motion * [1, -1, -1]]),
            rewards=np.zeros((2 * s, a)),
            durations=np.concatenate([durations, durations]),
            viable=np.ones((2 * s, a), bool),
        ),
        SPACE, here=np.concatenate([here, here[:, mirror]]), discount=0.7, rate=0.8, sweeps=30,
    )  # fmt: skip
    ours, theirs = half.values.reshape(s, -1), both.values.reshape(2 * s, -1)
    np.testing.assert_allclose(ours, theirs[:s], atol=1e-5)
    np.testing.assert_allclose(ours[:, mirror], theirs[s:], atol=1e-5)
    np.testing.assert_array_equal(half.policy, both.policy[:s])
    np.testing.assert_allclose(half.report.changes, both.report.changes, atol=1e-5)
    assert half.best(2, [1.0, 0.3, 0.4]) == both.best(2, [1.0, 0.3, 0.4])


def test_bad_mirrors_are_refused() -> None:
    table = TransitionTable(
        successors=np.zeros((1, 1, 1), int), weights=np.ones((1, 1, 1)),
        motion=np.zeros((1, 1, 3)), rewards=np.zeros((1, 1)), durations=np.ones((1, 1)),
        viable=np.ones((1, 1), bool),
    )  # fmt: skip
    with pytest.raises(InputError, match="every one of the 90 tasks once"):
        solve(table, SPACE, mirror=np.zeros(90))
    with pytest.raises(InputError, match="neither with in_place"):
        solve(table, SPACE, mirror=SPACE.mirror(SIDED), in_place=True)
