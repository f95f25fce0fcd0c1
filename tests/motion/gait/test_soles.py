"""Soles rest on the ground that is there."""

from __future__ import annotations

import numpy as np
import pytest

import surefoot as sf
from surefoot.character.measures import Measures
from surefoot.math import rotations
from surefoot.motion.gait.soles import STEP_ROOM, Soles, off_steps, rest
from surefoot.world import World


def _rest(world: World, measures: Measures, x: float, z: float, heading: float = 0.0) -> Soles:
    point = np.array([[x, 0.0, z]])
    return rest(world, measures, point, np.array([heading]), np.zeros(1), reach=0.3)


def test_flat_ground_holds_all_of_it(flat: World, measures: Measures) -> None:
    sole = _rest(flat, measures, 1.0, 0.1, heading=0.7)
    assert sole.coverage[0] == 1.0
    assert np.allclose(sole.position[0], [1.0, 0.0, 0.0])
    assert np.allclose(rotations.yaw(sole.rotation[0]), 0.7)


@pytest.mark.parametrize("heading", [0.0, np.pi, np.pi / 2])
def test_on_a_slope_it_tilts_with_it(hill: World, measures: Measures, heading: float) -> None:
    sole = _rest(hill, measures, 5.0, 0.7, heading=heading)
    up = rotations.rotate(sole.rotation[0], [0.0, 0.0, 1.0])
    assert np.allclose(up, [-np.sin(np.radians(12)), 0.0, np.cos(np.radians(12))], atol=1e-6)
    assert sole.coverage[0] == 1.0
    assert np.isclose(sole.position[0, 2], 3.0 * np.tan(np.radians(12)), atol=1e-6)


def test_over_an_edge_it_lies_level_and_says_how_much_is_held(
    flight: World, measures: Measures
) -> None:
    whole = _rest(flight, measures, 2.14, 0.2)
    edge = _rest(flight, measures, 2.0 - 0.1, 0.2)
    assert whole.coverage[0] == 1.0
    assert whole.position[0, 2] == pytest.approx(0.17)
    assert edge.coverage[0] < 0.6
    assert edge.position[0, 2] == pytest.approx(0.17)
    assert np.allclose(rotations.rotate(edge.rotation[0], [0.0, 0.0, 1.0]), [0, 0, 1])


def test_over_nothing_there_is_nothing(flat: World, measures: Measures) -> None:
    sole = _rest(flat, measures, 1.0, 5.0)
    assert not sole.hit[0]
    assert sole.coverage[0] == 0.0
    assert sole.position[0, 2] == 5.0


def test_feet_beside_steps_keep_off_them(measures: Measures) -> None:
    kerb = sf.primitives.box((1.0, 4.0, 0.15), (0.5, 0.0, 0.075))
    world = sf.World([
        sf.Body(name="floor", mesh=sf.primitives.ground(8, 4)), sf.Body(name="kerb", mesh=kerb),
    ])  # fmt: skip
    half, room = measures.foot_length / 2, STEP_ROOM * measures.foot_length
    places = np.array([
        [-half - 0.02, 0.0, 0.0],  # toes right before it
        [1.0 + half + 0.01, 0.0, 0.0],  # heel right behind it
        [-2.0, 0.0, 0.0],  # far from it
        [0.5, 0.0, 0.15],  # on it
    ])  # fmt: skip
    away = off_steps(world, measures, places, np.zeros(4), np.zeros(4))
    assert -room <= away[0, 0] < -0.02
    assert 0.02 < away[1, 0] <= room
    assert not away[2:].any()
    assert not away[:, 1:].any()
