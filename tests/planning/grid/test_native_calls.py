"""What all native calls of the grid share: they can be stopped, and they refuse what cannot be."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable

import numpy as np
import pytest

from references.drawings import Scene, plane
from references.voxels import Lattice, put
from surefoot import _native
from surefoot.errors import ProblemError
from surefoot.world import Mesh, merge
from surefoot.world.primitives import box, ground

WALK = _native.GridAction(up=0.3, down=0.3, height=1.7)

unix = pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent another way on Windows")


def stopped(work: Callable[[], object], after: float) -> None:
    """Runs work that Ctrl-C reaches after a while."""
    # A shell has commands in its background ignore it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module")
def crates() -> Mesh:
    """So many that cutting them takes seconds."""
    one = [box([0.9, 0.9, 0.9], (i, j, 0)) for i in range(30) for j in range(30)]
    row = merge(one)
    return merge([row.transformed(scale=1 + 1e-3 * k) for k in range(8)])


@unix
def test_ctrl_c_stops_cutting_and_leaves_nothing_half_done(crates: Mesh) -> None:
    _ = crates.native
    voxels = Lattice(0.02, 0.02).native(memory_limit=1e12)
    stopped(lambda: put(voxels, [crates]), 0.1)
    assert voxels.count == 0
    assert voxels.version == 0
    small = box([1, 1, 1])
    put(voxels, [small])
    fresh = Lattice(0.02, 0.02).native()
    put(fresh, [small])
    assert voxels.count == fresh.count


@unix
def test_ctrl_c_stops_moves_borders_and_searches() -> None:
    voxels = Lattice(0.05, 0.05).native()
    put(voxels, [ground(60, 60)])
    stopped(lambda: _native.GridMoves(voxels, [WALK]), 0.05)
    moves = _native.GridMoves(voxels, [WALK])
    ends = voxels.locate(np.array([[-29.9, -29.9, 0.0], [29.9, 29.9, 0.0]]), 0.1, 0.1)
    search = _native.GridSearch(moves)
    stopped(lambda: search.front(ends[:1]), 0.05)
    stopped(lambda: search.path(ends[:1], ends[1:], guided=False), 0.05)
    # The workspace is as good as new.
    assert search.path(ends[:1], ends[1:])[2] == pytest.approx(59.8 * np.sqrt(2), rel=2e-3)


def test_unknown_names_are_told_with_the_known_ones() -> None:
    scene = Scene(plane(3, 3))
    ends = scene.rows([(0, 0, 0)])
    with pytest.raises(ValueError, match="unknown metric 'miles'; there are: euclidean, steps"):
        scene.search.path(ends, ends, metric="miles")
    with pytest.raises(ValueError, match="connectivity must be 4 or 8"):
        scene.search.path(ends, ends, connectivity=6)
    with pytest.raises(ValueError, match="unknown corners 'some'; there are: both, one, cut"):
        _native.GridMoves(scene.voxels, [WALK], corners="some")
    with pytest.raises(ValueError, match="1 to 16 actions"):
        _native.GridMoves(scene.voxels, [WALK] * 17)


def test_arrays_of_another_type_are_refused_not_copied() -> None:
    scene = Scene(plane(3, 3))
    with pytest.raises(TypeError):
        scene.search.path(np.array([0]), np.array([1], dtype=np.int32))  # pyright: ignore
    with pytest.raises(TypeError):
        scene.voxels.put_cells(3, np.zeros((1, 3)))  # pyright: ignore


def test_prices_must_be_as_many_as_rows() -> None:
    scene = Scene(plane(3, 3))
    ends = scene.rows([(0, 0, 0), (2, 2, 0)])
    with pytest.raises(ProblemError, match="a price for each of 9 rows of cells, got 5"):
        scene.search.path(ends[:1], ends[1:], prices=np.ones(5, dtype=np.float32))
