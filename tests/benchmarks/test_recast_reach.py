"""Where one gets to in Recast's own test mesh: the grid's cells beside Recast's navigation mesh.

Both have the same body (0.6 m, 2.0 m, steps of 0.9 m, 45 degrees) and cells (0.3 m, 0.2 m); a
border of two cells is ours, erosion by two cells is Recast's.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from benchmarks.peers import recast_mesh
from benchmarks.peers.recast_mesh import DEMO, RecastMesh, Triangles
from benchmarks.worlds.cells import CellWorld, Resting
from benchmarks.worlds.recast_test import (
    AGENT,
    LAYERS,
    our_verdicts,
    queries,
    recasts_verdicts,
    surfaces,
)

from surefoot.arrays import Floats
from surefoot.errors import MissingExtraError
from surefoot.world import World
from surefoot.world.loaders import load_world

# What Recast 1.5.1 says of the ground under a grid of 3 m, from the start of its first query: 2
# where it gets, 1 where it gets as near as the agent's radius, 0 elsewhere.
RECAST = (
    "0012222222101221200002222202102210000002220001222100220021200022222222200001222222222221"
    "0000022222211000001222220022000221220000001200222112120000000000222101200222000000201200"
    "0001120000012200000002110022220000022220012220000012222022102220002222222222222222222222"
    "2222101222100000000000000000000000000000000000000000000000000000000000000000000000000000"
    "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "0000000000000000000000000000000000000000000000000000000000000000000002222022202222221200"
    "2200210222222220122222222222022022222222222002100200000000000000000000000000000000022200"
    "0"
)


@pytest.fixture(scope="module")
def world(data: Path) -> World:
    return load_world(data / "scenes" / "recast" / "nav_test.obj")


@pytest.fixture(scope="module")
def start(data: Path) -> Floats:
    return queries(data / "scenes" / "recast" / "nav_mesh_test.txt")[0][0]


@pytest.fixture(scope="module")
def cells(world: World) -> CellWorld:
    return CellWorld(Resting.of(world), AGENT, DEMO.cell, DEMO.rise, layers=LAYERS).ready()


def test_the_record_is_what_recast_says(world: World, start: Floats) -> None:
    try:
        recast_mesh.library()
    except MissingExtraError as reason:
        pytest.skip(str(reason))
    if not recast_mesh.version().startswith("1.5.1"):
        pytest.skip(f"the record is Recast 1.5.1's, here is {recast_mesh.version()}")
    mesh = RecastMesh(Triangles.of(world), DEMO)
    assert recasts_verdicts(mesh, start, surfaces(world, 3.0)) == RECAST


def test_both_get_to_the_same_places(world: World, cells: CellWorld, start: Floats) -> None:
    ours = our_verdicts(cells, start, surfaces(world, 3.0))
    assert len(ours) == len(RECAST)
    # No place that one gets to is out of the other's reach.
    assert ("2", "0") not in zip(ours, RECAST, strict=True)
    assert ("0", "2") not in zip(ours, RECAST, strict=True)
    assert sum(a == b == "2" for a, b in zip(ours, RECAST, strict=True)) > 180
    assert sum(a == b for a, b in zip(ours, RECAST, strict=True)) > 0.95 * len(RECAST)


def test_they_differ_at_edges_only_and_why(world: World, cells: CellWorld, start: Floats) -> None:
    points = surfaces(world, 3.0)
    ours = our_verdicts(cells, start, points)
    layers = cells.borders.layers()
    edges = cells.positions[cells.voxels.live() & (layers >= 1) & (layers <= LAYERS)]
    for point, mine, other in zip(points, ours, RECAST, strict=True):
        (cell,) = cells.cells(point[None]).tolist()
        if mine == "2" and other == "1":
            # Recast takes away the last cell before a drop, then erodes from there on, and its
            # outlines are simplified by up to 1.3 cells: at edges it is shyer by about two cells.
            assert np.linalg.norm(edges - point, axis=1).min() < 2.4 * DEMO.cell
        elif mine == "1" and other == "2":
            # Outlines cut corners the other way too: Recast lets one stand on what is our border.
            assert 1 <= layers[cell] <= LAYERS
