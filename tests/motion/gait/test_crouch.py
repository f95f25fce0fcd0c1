"""Crouching: as low as asked, ankles within reach of what they can, heels up where not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from surefoot.errors import InputError
from surefoot.motion import Stretch, Walker
from surefoot.motion.gait import crouch
from surefoot.world import World

Walk = Callable[..., Walker]


def _crown(walker: Walker) -> np.ndarray:
    times = np.arange(walker.track.start, walker.track.until, 1 / 30)
    motion = walker.at(times)
    positions, turned = walker.skeleton.forward(motion.root, motion.rotations)
    return walker.skeleton.tip_position("head_top", positions, turned)[:, 2]


@pytest.fixture(scope="module")
def low(flat: World, walk: Walk, along: Callable[..., Stretch]) -> dict[float, Walker]:
    way = along(flat, [(0.0, 0.0), (4.0, 0.0)], 0.8)
    return {
        depth: walk(flat, replace(way, crouch=np.array(depth))) for depth in (0.0, 0.3, 0.6, 1.0)
    }


def test_the_deeper_the_lower(low: dict[float, Walker]) -> None:
    heights = [_crown(walker).max() / 1.75 for walker in low.values()]
    assert (np.diff(heights) < -0.05).all()
    assert heights[0] > 0.98
    assert heights[-1] < 0.72


@pytest.mark.parametrize("height", [0.95, 0.9, 0.8, 0.72])
def test_one_is_as_low_as_one_has_to_be(
    flat: World, walk: Walk, along: Callable[..., Stretch], height: float
) -> None:
    way = along(flat, [(0.0, 0.0), (3.0, 0.0)], 0.7)
    walker = walk(flat, replace(way, crouch=np.array(crouch.depth(height))))
    assert height - 0.02 < _crown(walker).max() / 1.75 < height


def test_who_stands_upright_need_not_crouch() -> None:
    assert crouch.depth(1.0) == 0.0
    assert crouch.depth(0.5) == 1.0


def test_deep_down_the_heels_are_up(low: dict[float, Walker]) -> None:
    times = np.linspace(3.0, 4.5, 60)
    angles = {}
    for depth, walker in low.items():
        motion = walker.at(times)
        foot = walker.skeleton.index("left_foot")
        angles[depth] = walker.skeleton.joint_angles(motion.rotations)[:, foot, 1].min()
        assert walker.skeleton.beyond_limits(motion.rotations).max() < 1e-6
    assert np.degrees(angles[1.0]) < np.degrees(angles[0.0]) - 10


def test_a_stretch_may_go_from_upright_to_a_crouch(flat: World, walk: Walk) -> None:
    way = Stretch(
        times=np.array([0.0, 2.0, 4.0, 8.0]),
        positions=np.array([[0.0, 0, 0], [1.4, 0, 0], [2.8, 0, 0], [5.6, 0, 0]]),
        headings=np.zeros(4),
        crouch=np.array([0.0, 0.0, 1.0, 1.0]),
    )
    walker = walk(flat, way)
    ground = walker.track.at(np.array([0.5, 5.0]))
    assert ground.crouch[0] < 0.05
    assert ground.crouch[1] == pytest.approx(1.0)
    times = np.arange(0.0, 8.0, 1 / 60)
    height = walker.at(times).root[:, 2]
    assert np.abs(np.diff(height, 2)).max() * 60**2 < 12.0


@pytest.mark.parametrize(
    ("value", "message"), [(np.array(1.2), "must be in 0..1"), (np.zeros(3), "must have shape")]
)
def test_bad_depths_are_refused(value: np.ndarray, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Stretch(
            times=np.arange(2.0), positions=np.zeros((2, 3)), headings=np.zeros(2), crouch=value
        )
