"""The native core refuses what it cannot work with, also where no Python code checks it before.

Engines call it without Python, so each of these calls goes straight to `surefoot._native`. Without
a check most of them read or write memory that is not theirs.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from surefoot import _native
from surefoot.errors import InputError, MeshError, ProblemError, TrajectoryError

NAN, INF = float("nan"), float("inf")
HERE = [0, 0, 0, 1, 0, 0, 0]
CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], dtype=np.int32)
EMPTY3, EMPTY4 = np.empty((0, 3)), np.empty((0, 4))
FLOOR = np.array([[0.0, 0, 0]])
DOWN = np.array([[0.0, 0, -1]])
NOW = np.zeros(1)


def mesh(corner: list[float] | None = None, faces: np.ndarray = FACES) -> _native.Mesh:
    vertices = CORNERS.copy()
    if corner is not None:
        vertices[3] = corner
    return _native.Mesh(vertices, faces)


def world() -> _native.World:
    made = _native.World()
    made.add("a", mesh(), _native.static_trajectory(HERE), True)
    made.add("gone", mesh(), _native.static_trajectory(HERE), True)
    made.remove(1)
    return made


def ints(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int32)


def faces(*corners: int) -> np.ndarray:
    return np.array([corners], dtype=np.int32)


def keys(
    times: list[float], positions: np.ndarray, rotations: np.ndarray | None = None
) -> _native.Trajectory:
    turns = np.array([[1.0, 0, 0, 0]]) if rotations is None else rotations
    step = _native.Interpolation.linear
    return _native.keyframed_trajectory(
        np.array(times, dtype=float),
        positions,
        EMPTY3,
        EMPTY3,
        step,
        np.zeros(1),
        turns,
        EMPTY4,
        EMPTY4,
        step,
        _native.Repeat.once,
        0,
        1,
    )


def overlap(radius: float = 0.3, times: np.ndarray = NOW, threads: int = 1) -> object:
    return world().overlap(FLOOR, times, radius, 1.8, 0.3, False, True, threads)


def safe(frame: int = 0, start: float = 0, end: float = 1, tolerance: float = 1e-3) -> object:
    return world().safe_intervals(ints(frame), FLOOR, 0.3, 1.8, 0.3, 0.6, start, end, tolerance, 1)


def sweep(frame: int, offsets: np.ndarray, times: list[float]) -> object:
    way = np.zeros((len(times), 3))
    return world().sweep(
        ints(frame), offsets, np.array(times, dtype=float), way, 0.3, 1.8, 0.3, False, 1e-3, 1
    )


def voxels(cell: float = 0.5, *, body: int = 0, where: float = 0.0, turn: float = 0.0) -> object:
    made = _native.GridVoxels(cell, 0.1)
    place, rotation = np.array([[where, 0, 0]]), np.array([[1, turn, 0, 0]])
    made.put(ints(body), [mesh()], place, rotation, np.array([True]), np.array([False]))
    return made


def search(start: int = 0, *, connectivity: int = 8, cost: float = 0.0) -> object:
    cells = _native.GridVoxels(0.5, 0.1)
    cells.put_cells(0, np.array([[i, j, 0] for i in range(5) for j in range(5)], dtype=np.int32))
    moves = _native.GridMoves(cells, [_native.GridAction(up=0.3, down=0.3, height=1.7)])
    finder = _native.GridSearch(moves)
    return finder.path(ints(start), ints(3), connectivity=connectivity, goal_costs=np.array([cost]))


def feed(row: int) -> object:
    watched = _native.Feed(world(), 1.0, 0.5, 10.0)
    return watched.push(0.0, ints(row), FLOOR, np.array([[1.0, 0, 0, 0]]))


BAD: dict[str, tuple[Callable[[], object], type[ValueError], str]] = {
    "a face of vertices that are not there": (
        lambda: mesh(faces=faces(0, 1, 9)),
        MeshError,
        r"faces\[0\] uses vertex 9; there are 4",
    ),
    "a face below zero": (lambda: mesh(faces=faces(0, 1, -1)), MeshError, "vertex -1"),
    "no faces": (lambda: mesh(faces=np.empty((0, 3), np.int32)), MeshError, "one triangle"),
    "a vertex that is no number": (lambda: mesh([0, NAN, 0]), MeshError, r"vertices\[3\] is"),
    "a vertex at the end of doubles": (lambda: mesh([0, 0, 1e308]), MeshError, "from zero"),
    "a position without end": (
        lambda: _native.static_trajectory([INF, 0, 0, 1, 0, 0, 0]),
        TrajectoryError,
        "position is",
    ),
    "a rotation of no length": (
        lambda: _native.static_trajectory([0, 0, 0, 0, 0, 0, 0]),
        TrajectoryError,
        "length 1",
    ),
    "key times that stand still": (
        lambda: keys([0, 0], np.zeros((2, 3))),
        TrajectoryError,
        "must increase",
    ),
    "fewer keys than times": (
        lambda: keys([0, 1, 2], np.zeros((2, 3))),
        TrajectoryError,
        "positions has 2 entries",
    ),
    "no keys": (lambda: keys([], EMPTY3), TrajectoryError, "must not be empty"),
    "no rotations": (lambda: keys([0], FLOOR, EMPTY4), TrajectoryError, "rotations has 0"),
    "a radius below zero": (lambda: overlap(radius=-1), InputError, "radius is -1"),
    "a radius that is no number": (lambda: overlap(radius=NAN), InputError, "radius is nan"),
    "more times than points": (lambda: overlap(times=np.zeros(2)), InputError, "times has 2"),
    "a time without end": (lambda: overlap(times=np.array([INF])), InputError, "is inf"),
    "no thread": (lambda: overlap(threads=0), InputError, "threads is 0"),
    "too many threads": (lambda: overlap(threads=2**30), InputError, "threads is 1073741824"),
    "no direction": (
        lambda: world().ray(FLOOR, FLOOR, NOW, 1.0, 1),
        InputError,
        "a direction must be",
    ),
    "fewer directions than origins": (
        lambda: world().ray(FLOOR, EMPTY3, NOW, 1.0, 1),
        InputError,
        "directions has 0",
    ),
    "a distance below zero": (
        lambda: world().ray(FLOOR, DOWN, NOW, -1.0, 1),
        InputError,
        "max_distance is -1",
    ),
    "a body that never was": (lambda: world().remove(5), InputError, "id is 5; no body"),
    "a body that is gone": (
        lambda: world().poses(ints(1), NOW),
        InputError,
        "body is 1; no body has this id",
    ),
    "a frame that is gone": (lambda: safe(frame=1), InputError, "frame is 1"),
    "a frame below the world's": (lambda: safe(frame=-2), InputError, "frame is -2"),
    "an end without end": (lambda: safe(end=INF), InputError, "end is inf"),
    "no tolerance": (lambda: safe(tolerance=0), InputError, "tolerance is 0"),
    "offsets beyond the points": (
        lambda: sweep(-1, ints(0, 7), [0, 1]),
        InputError,
        r"offsets\[1\] is 7",
    ),
    "offsets that fall": (lambda: sweep(-1, ints(2, 0), [0, 1]), InputError, r"offsets\[1\] is 0"),
    "a path of no points": (lambda: sweep(-1, ints(0, 0), [0]), InputError, "at least one point"),
    "a path back in time": (lambda: sweep(-1, ints(0, 2), [1, 0]), InputError, "must increase"),
    "a row that is not watched": (lambda: feed(0), InputError, "but there are none"),
    "cells of no size": (lambda: voxels(0.0), ProblemError, "cell is 0"),
    "cells that are no number": (lambda: voxels(NAN), ProblemError, "cell is nan"),
    "a body without an id": (lambda: voxels(body=-1), ProblemError, "id is -1"),
    "a body out of reach": (lambda: voxels(where=1e300), ProblemError, "farther than"),
    "a rotation of a body that is none": (
        lambda: voxels(turn=1e200),
        ProblemError,
        "unit quaternion",
    ),
    "a start that is no cell": (lambda: search(999), ProblemError, "start 999 is no cell"),
    "nine ways to go": (lambda: search(connectivity=9), ValueError, "connectivity"),
    "a cost beyond counting": (lambda: search(cost=1e300), ProblemError, r"costs\[0\] is 1e\+300"),
    "an action of no price": (
        lambda: _native.GridMoves(
            voxels(), [_native.GridAction(up=0.3, down=0.3, height=1.7, price=0.0)]
        ),
        ProblemError,
        "price is 0",
    ),
    "a joint that is not there": (
        lambda: _native.BodyShape(
            21, [[13, 14, 15, 99], [17, 18, 19, 20]], np.zeros((6, 3)), [0.1, 0, 0, 0, 0], 0.3
        ),
        InputError,
        "a joint of a leg is 99",
    ),
    "a metric beyond its rows": (
        lambda: _native.Neighbours([(5, 9, False, 1.0)], 7),
        InputError,
        "size is 9",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_a_native_call_refuses(case: str) -> None:
    call, error, message = BAD[case]
    with pytest.raises(error, match=message):
        call()


def test_what_is_right_is_not_refused() -> None:
    assert len(mesh().closed()) == 4
    assert keys([0, 1], np.zeros((2, 3))).moving() is False
    assert overlap().shape == (1,)
    safe()
    sweep(-1, ints(0, 2), [0, 1])
    assert len(voxels())
    assert search()[3]


def test_a_mesh_of_many_triangles_on_one_point_has_a_tree() -> None:
    crowd = _native.Mesh(CORNERS, np.zeros((100_000, 3), dtype=np.int32))
    assert len(crowd.closed()) == 100_000


def test_the_largest_numbers_are_known() -> None:
    limit = _native.MAX_COORDINATE
    assert (limit, _native.MAX_TIME, _native.MAX_SIZE) == (1e7, 1e9, 1e7)
    mesh([0, 0, limit])
    with pytest.raises(MeshError, match="from zero"):
        mesh([0, 0, np.nextafter(limit, INF)])
