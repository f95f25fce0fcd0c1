"""The peer answers what it should: a wall is walked around, a forbidden floor is not used."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.peers import recast_mesh
from benchmarks.peers.recast_mesh import PHASES, RecastMesh, RecastSettings, Triangles

from surefoot.errors import MissingExtraError
from surefoot.world import Body
from surefoot.world.primitives import box, slab

ADULT = RecastSettings(
    cell=0.1, rise=0.05, height=1.8, radius=0.3, climb=0.3, slope_degrees=35, region_least=2
)
FLOOR = Body(name="floor", mesh=slab((10.0, 6.0, 0.2)))
WALL = Body(name="wall", mesh=box((0.2, 4.0, 2.0), (0.0, -1.0, 1.0)))


@pytest.fixture(autouse=True, scope="module")
def installed() -> None:
    try:
        recast_mesh.library()
    except MissingExtraError as reason:
        pytest.skip(str(reason))


def length(mesh: RecastMesh, start: tuple[float, ...], end: tuple[float, ...]) -> float:
    return float(mesh.paths(np.array([start]), np.array([end]))[0][0])


def test_ways_are_straight_where_they_can_be_and_lead_around_walls() -> None:
    open_floor = RecastMesh(Triangles.of([FLOOR]), ADULT)
    assert length(open_floor, (-3, -2, 0), (3, 1, 0)) == pytest.approx(np.hypot(6, 3), abs=0.05)
    walled = RecastMesh(Triangles.of([FLOOR, WALL]), ADULT)
    # Around the wall's end at (0, 1), a radius away.
    shortest = 2 * np.hypot(3 - 0.1, 3)
    assert shortest < length(walled, (-3, -2, 0), (3, -2, 0)) < shortest + 1.2
    assert set(walled.seconds) == set(PHASES)
    assert walled.made["polygons"] > 1


def test_what_is_not_joined_is_not_reached() -> None:
    island = Body(name="island", mesh=slab((3.0, 3.0, 0.2), (8.0, 0.0, 0.0)))
    mesh = RecastMesh(Triangles.of([FLOOR, island]), ADULT)
    assert np.isinf(length(mesh, (0, 0, 0), (8, 0, 0)))


def test_forbidden_ground_is_not_walked_on() -> None:
    bridge = slab((2.0, 2.0, 0.2), (6.0, 0.0, 0.0))
    far = Body(name="far", mesh=slab((3.0, 3.0, 0.2), (8.5, 0.0, 0.0)))
    for forbidden in (False, True):
        middle = Body(name="bridge", mesh=bridge, tags={"forbidden": forbidden})
        mesh = RecastMesh(Triangles.of([FLOOR, middle, far]), ADULT)
        assert np.isinf(length(mesh, (0, 0, 0), (8.5, 0, 0))) == forbidden


def test_a_failure_names_its_phase() -> None:
    steep = Body(name="wall", mesh=box((0.01, 4.0, 2.0)))
    with pytest.raises(RuntimeError, match="navigation mesh"):
        RecastMesh(Triangles.of([steep]), ADULT)
