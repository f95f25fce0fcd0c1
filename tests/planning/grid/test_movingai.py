"""The same search core on public maps, against the shortest lengths that their files state."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from surefoot import _native

PLANES = ["arena", "Berlin_0_256"]
LARGE_PLANES = ["8room_000", "maze512-32-0", "random512-10-0"]


def plane(path: Path) -> np.ndarray:
    """`(height, width)`: which cells are open."""
    lines = path.read_text().splitlines()
    size = dict(line.split() for line in lines[1:3])
    rows = lines[4 : 4 + int(size["height"])]
    return np.array([[cell in ".GS" for cell in row] for row in rows])


def plane_queries(path: Path) -> Iterator[tuple[tuple[int, int], tuple[int, int], float]]:
    for line in path.read_text().splitlines()[1:]:
        if line.strip():
            fields = line.split("\t")
            x, y, to_x, to_y = map(int, fields[4:8])
            yield (x, y), (to_x, to_y), float(fields[8])


@pytest.mark.parametrize(
    "name", [*PLANES, *(pytest.param(name, marks=pytest.mark.slow) for name in LARGE_PLANES)]
)
def test_ways_on_planes_are_as_short_as_stated(data: Path, name: str) -> None:
    file = data / "scenes" / "movingai2d" / f"{name}.map"
    open_ = plane(file)
    graph = _native.GridPlane(open_)
    count = 0
    for start, goal, shortest in plane_queries(file.with_suffix(".map.scen")):
        cells, length, _ = graph.path(start, goal)
        # The files print six digits at least.
        assert length == pytest.approx(shortest, rel=1e-5), (start, goal)
        check_plane_path(open_, cells, start, goal, length)
        count += 1
    assert count > 100


def check_plane_path(
    open_: np.ndarray,
    cells: np.ndarray,
    start: tuple[int, int],
    goal: tuple[int, int],
    length: float,
) -> None:
    assert tuple(cells[0]) == start
    assert tuple(cells[-1]) == goal
    steps = np.diff(cells, axis=0)
    assert (np.abs(steps).max(axis=1, initial=0) == 1).all()
    assert np.hypot(*steps.T).sum() == pytest.approx(length)
    # The whole box of each move is open.
    for corner in ((0, 0), (0, 1), (1, 0), (1, 1)):
        x, y = (cells[:-1] + steps * np.array(corner)).T
        assert open_[y, x].all()


def space(path: Path) -> np.ndarray:
    """`(x, y, z)`: which voxels are open."""
    head, *lines = path.read_text().splitlines()
    blocked = np.zeros([int(n) for n in head.split()[1:4]], dtype=bool)
    where = np.array([[int(n) for n in line.split()[:3]] for line in lines if line.strip()])
    blocked[tuple(where.T)] = True
    return ~blocked


def space_queries(path: Path) -> list[tuple[tuple[int, ...], tuple[int, ...], float]]:
    out = []
    for line in path.read_text().splitlines()[2:]:
        if line.strip():
            fields = line.split()
            numbers = tuple(map(int, fields[:6]))
            out.append((numbers[:3], numbers[3:], float(fields[6])))
    return out


@pytest.mark.parametrize(
    ("name", "every"),
    [
        ("Simple", 1),
        ("Complex", 100),
        pytest.param("Complex", 1, marks=pytest.mark.slow),
    ],
)
def test_flights_are_as_short_as_stated(data: Path, name: str, every: int) -> None:
    file = data / "scenes" / "movingai3d" / f"{name}.3dmap"
    open_ = space(file)
    graph = _native.GridFlight(open_)
    queries = space_queries(file.with_suffix(".3dmap.3dscen"))[::every]
    assert len(queries) > 10
    for start, goal, shortest in queries:
        cells, length, _ = graph.path(start, goal)
        assert length == pytest.approx(shortest, rel=1e-6), (start, goal)
        check_flight(open_, cells, length)


def check_flight(open_: np.ndarray, cells: np.ndarray, length: float) -> None:
    steps = np.diff(cells, axis=0)
    assert (np.abs(steps).max(axis=1, initial=0) == 1).all()
    assert np.linalg.norm(steps, axis=1).sum() == pytest.approx(length)
    for corner in np.ndindex(2, 2, 2):
        assert open_[tuple((cells[:-1] + steps * np.array(corner)).T)].all()
