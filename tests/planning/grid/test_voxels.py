"""Cutting worlds into cells, against brute force and by cases known by heart."""

from __future__ import annotations

import numpy as np
import pytest

from references import random_worlds
from references.voxels import Lattice, column_heights, occupied, put
from surefoot import _native
from surefoot.errors import ProblemError
from surefoot.math import Pose
from surefoot.math import rotations as turns
from surefoot.world import Mesh, merge
from surefoot.world.primitives import box, ground, ramp, slab, stairs

SEEDS = [*range(60), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(60, 2000))]


def cells_of(voxels: _native.GridVoxels) -> set[tuple[int, ...]]:
    return set(map(tuple, voxels.occupied().tolist()))


def block(low: tuple[int, int, int], high: tuple[int, int, int]) -> set[tuple[int, ...]]:
    ranges = [np.arange(a, b) for a, b in zip(low, high, strict=True)]
    return set(map(tuple, np.stack(np.meshgrid(*ranges), axis=-1).reshape(-1, 3).tolist()))


def columns_at(voxels: _native.GridVoxels, i: int, j: int) -> np.ndarray:
    """Rows of the cells of a column, from the lowest up."""
    rows = voxels.live() & (voxels.columns() == [i, j]).all(axis=1)
    return np.flatnonzero(rows)


# --- against brute force -------------------------------------------------------------------------


def random_lattice(rng: np.random.Generator) -> Lattice:
    origin = tuple(rng.choice([0.0, 0.125, float(rng.uniform(-1, 1))], 3).tolist())
    cell, rise = rng.choice([0.25, 0.5, 0.37, 0.61], 2).tolist()
    return Lattice(cell, rise, origin)


@pytest.mark.parametrize("seed", SEEDS)
def test_exactly_the_cells_that_hold_something_are_occupied(seed: int) -> None:
    rng = np.random.default_rng([seed, 51])
    mesh, pose = random_worlds.mesh(rng), random_worlds.pose(rng, 1.0)
    lattice, solid = random_lattice(rng), bool(rng.random() < 0.8)
    voxels = lattice.native()
    put(voxels, [mesh], [pose], solid=solid)
    cells, surely, maybe = occupied(mesh, pose, lattice, solid)
    found = cells_of(voxels)
    assert found >= set(map(tuple, cells[surely].tolist()))
    assert found <= set(map(tuple, cells[maybe].tolist()))


@pytest.mark.parametrize("seed", SEEDS)
def test_heights_are_exact_in_every_column(seed: int) -> None:
    rng = np.random.default_rng([seed, 52])
    mesh, pose = random_worlds.mesh(rng), random_worlds.pose(rng, 1.0)
    lattice = random_lattice(rng)
    voxels = lattice.native()
    put(voxels, [mesh], [pose], solid=False)
    triangles = pose.apply(mesh.vertices)[mesh.faces]
    low, high = lattice.corners(np.column_stack([voxels.columns(), voxels.levels()[:, 0]]))
    tops, bottoms, live = voxels.tops(), voxels.bottoms(), voxels.live()
    for row in np.flatnonzero(live):
        spans = [column_heights(t, low[row, :2], high[row, :2]) for t in triangles]
        heights = np.array([span for span in spans if span is not None])
        # The run is bounded by heights that are there, and nothing of it sticks out.
        assert np.abs(heights[:, 1] - tops[row]).min() < 1e-5
        assert np.abs(heights[:, 0] - bottoms[row]).min() < 1e-5
        ends = lattice.origin[2] + lattice.rise * (voxels.levels()[row] + [0, 1])
        assert ends[0] - 1e-5 <= bottoms[row] <= tops[row] <= ends[1] + 1e-5
        # What only touches the column's side may belong to the next column.
        spans = [column_heights(t, low[row, :2] + 1e-5, high[row, :2] - 1e-5) for t in triangles]
        heights = np.array([span for span in spans if span is not None]).reshape(-1, 2)
        inside = (heights[:, 1] > ends[0] + 1e-4) & (heights[:, 0] < ends[1] - 1e-4)
        assert heights[inside].max(initial=-np.inf) < tops[row] + 1e-4


@pytest.mark.parametrize("seed", SEEDS[:30])
def test_weights_are_the_share_of_the_square_that_holds_a_foot(seed: int) -> None:
    rng = np.random.default_rng([seed, 53])
    lattice = Lattice(0.5, 0.125)
    # Gentle, apart from each other and open, so that nothing covers anything.
    corners = rng.uniform(-0.6, 0.6, (3, 3)) * [1, 1, 0.05]
    mesh = Mesh(corners, [[0, 1, 2]])
    voxels = lattice.native(relief=1.0)
    put(voxels, [mesh])
    a, b, c = corners[:, :2]
    steps = (np.arange(-100, 100) + 0.5) * 0.01
    x, y = np.meshgrid(steps, steps)
    sides = [
        (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]) for p, q in ((a, b), (b, c), (c, a))
    ]
    inside = (np.min(sides, axis=0) >= 0) | (np.max(sides, axis=0) <= 0)
    for row in np.flatnonzero(voxels.live()):
        i, j = voxels.columns()[row]
        here = inside[(np.floor(y / 0.5) == j) & (np.floor(x / 0.5) == i)]
        assert voxels.weights()[row] == pytest.approx(here.mean(), abs=0.03)


@pytest.mark.parametrize("seed", SEEDS)
def test_moving_bodies_leaves_what_putting_them_there_makes(seed: int) -> None:
    rng = np.random.default_rng([seed, 54])
    lattice = random_lattice(rng)
    meshes = [random_worlds.mesh(rng) for _ in range(4)]
    moved, fresh = lattice.native(), lattice.native()
    put(moved, meshes, [random_worlds.pose(rng) for _ in meshes])
    for _ in range(6):
        k = int(rng.integers(4))
        put(moved, [meshes[k]], [random_worlds.pose(rng)], ids=[k])
    gone = int(rng.integers(4))
    moved.remove(np.array([gone, 99], dtype=np.int32))
    poses = [random_worlds.pose(rng) for _ in meshes]
    stay = [k for k in range(4) if k != gone]
    put(moved, [meshes[k] for k in stay], [poses[k] for k in stay], ids=stay, threads=2)
    put(fresh, [meshes[k] for k in stay], [poses[k] for k in stay], ids=stay)
    assert moved.count == fresh.count
    assert table(moved) == table(fresh)


def table(voxels: _native.GridVoxels) -> list[tuple[float, ...]]:
    """Everything known about every cell, in an order of its own."""
    rows = np.column_stack(
        [
            voxels.columns(), voxels.levels(), voxels.tops(), voxels.bottoms(), voxels.grounds(),
            voxels.headrooms(), voxels.weights(), voxels.slopes(), voxels.bodies(),
            voxels.forbidden(),
        ]
    )  # fmt: skip
    return sorted(map(tuple, rows[voxels.live()].tolist()))


@pytest.mark.parametrize("seed", range(10))
def test_threads_change_nothing(seed: int) -> None:
    rng = np.random.default_rng([seed, 55])
    meshes = [random_worlds.mesh(rng) for _ in range(8)]
    meshes.append(merge([random_worlds.mesh(rng) for _ in range(60)]))
    poses = [random_worlds.pose(rng) for _ in meshes]
    tables = []
    for threads in (1, 2, 5):
        voxels = Lattice(0.11, 0.07).native()
        put(voxels, meshes, poses, threads=threads)
        everything = [voxels.columns(), voxels.tops(), voxels.weights(), voxels.slopes()]
        tables.append(b"".join(array.tobytes() for array in everything))
    assert tables[0] == tables[1] == tables[2]


# --- cases known by heart ------------------------------------------------------------------------


def test_a_box_on_the_lattice_fills_exactly_its_own_cells() -> None:
    voxels = Lattice(0.1, 0.1).native()
    # 0.1 * 3 is not 0.3: what lies on a side up to rounding lies on it.
    put(voxels, [box([0.3, 0.2, 0.4], (0.1 * 3 + 0.15, 0.1, 0.2))])
    assert cells_of(voxels) == block((3, 0, 0), (6, 2, 4))


@pytest.mark.parametrize("quarter", range(4))
def test_so_does_one_that_is_turned(quarter: int) -> None:
    voxels = Lattice(0.25, 0.25).native()
    pose = Pose([1.5, 2.0, 0.5], turns.from_yaw(quarter * np.pi / 2))
    put(voxels, [box([1.0, 1.0, 1.0])], [pose])
    assert cells_of(voxels) == block((4, 6, 0), (8, 10, 4))


def test_a_sheet_on_a_side_is_in_one_cell_and_never_lost() -> None:
    voxels = Lattice(1.0, 1.0).native()
    wall = Mesh([[2.0, 0, 0], [2, 1, 0], [2, 1, 1], [2, 0, 1]], [[0, 1, 2], [0, 2, 3]])
    put(voxels, [wall])
    # It looks towards +x, so it is the end of what is behind it.
    assert cells_of(voxels) == {(1, 0, 0)}
    put(voxels, [Mesh(wall.vertices, wall.faces[:, ::-1])])
    assert cells_of(voxels) == {(2, 0, 0)}


def test_a_floor_on_a_side_is_below_and_a_ceiling_above() -> None:
    voxels = Lattice(1.0, 1.0).native()
    floor = ground(2.0, 2.0, 3.0)
    put(voxels, [floor, Mesh(floor.vertices + np.array([0, 0, 3]), floor.faces[:, ::-1])])
    assert cells_of(voxels) == block((-1, -1, 2), (1, 1, 3)) | block((-1, -1, 6), (1, 1, 7))
    assert (voxels.headrooms() == np.tile([3.0, np.inf], 4)).all()


def test_solid_matter_is_filled_and_thin_matter_is_not() -> None:
    filled, hollow = Lattice().native(), Lattice().native()
    put(filled, [box([2, 2, 2])])
    put(hollow, [box([2, 2, 2])], solid=False)
    assert cells_of(filled) == block((-4, -4, -4), (4, 4, 4))
    assert cells_of(hollow) == block((-4, -4, -4), (4, 4, 4)) - block((-3, -3, -3), (3, 3, 3))


def test_a_room_is_empty_and_what_stands_in_it_is_not() -> None:
    room = random_worlds.inside_out(box([4, 4, 4]))
    voxels = Lattice(0.5, 0.5).native()
    put(voxels, [merge([room, box([1, 1, 1])])])
    found = cells_of(voxels)
    assert block((-1, -1, -1), (1, 1, 1)) <= found
    assert not block((-4, -4, -4), (4, 4, 4)) - block((-1, -1, -1), (1, 1, 1)) & found


def test_a_hollow_in_solid_matter_stays_empty() -> None:
    hollow = random_worlds.inside_out(box([2, 2, 2]))
    voxels = Lattice(0.5, 0.5).native()
    put(voxels, [merge([box([4, 4, 4]), hollow])])
    assert cells_of(voxels) == block((-4, -4, -4), (4, 4, 4)) - block((-2, -2, -2), (2, 2, 2))


def test_heights_do_not_snap_to_slices() -> None:
    voxels = Lattice(0.25, 0.25).native()
    put(voxels, [ground(2, 2), placed_slab := slab([0.5, 0.5, 0.3], (0.25, 0.25, 0.33))])
    top = columns_at(voxels, 0, 0)[-1]
    assert voxels.tops()[top] == pytest.approx(0.33)
    assert voxels.bodies()[top] == 1
    assert voxels.levels()[top].tolist() == [-1, 1]
    assert placed_slab.bounds[1, 2] == pytest.approx(0.33)


def test_slopes_do_not_become_stairs() -> None:
    voxels = Lattice(0.25, 0.05).native()
    put(voxels, [ramp(4.0, 2.0, 2.0)])
    x = voxels.positions()[:, 0]
    assert voxels.grounds() == pytest.approx(x / 2, abs=1e-5)
    assert voxels.tops() == pytest.approx(x / 2 + 0.0625, abs=1e-5)
    assert voxels.slopes() == pytest.approx(np.arctan(0.5), abs=1e-4)
    assert voxels.weights() == pytest.approx(1.0)


def test_what_is_too_steep_is_no_ground() -> None:
    voxels = Lattice().native(max_slope=0.4)
    put(voxels, [ramp(4.0, 2.0, 2.0)])
    assert (voxels.weights() == 0).all()


def test_stairs_offer_ground_in_every_cell() -> None:
    voxels = Lattice(0.25, 0.05).native(relief=0.2)
    put(voxels, [stairs(10, 2.0, 0.17, 0.3)])
    assert voxels.weights() == pytest.approx(1.0, abs=1e-5)
    assert np.unique(voxels.tops().round(4)) == pytest.approx(0.17 * np.arange(1, 11), abs=1e-3)


def test_a_thin_rail_has_little_weight() -> None:
    voxels = Lattice(0.25, 0.05).native(relief=0.2)
    put(voxels, [ground(4, 4), box([2.0, 0.05, 1.0], (0.0, 0.1, 0.5))])
    rows = [columns_at(voxels, i, 0)[-1] for i in range(-4, 4)]
    assert voxels.tops()[rows] == pytest.approx(1.0)
    assert voxels.weights()[rows] == pytest.approx(0.2)


def test_a_forbidden_body_keeps_its_height() -> None:
    voxels = Lattice().native()
    put(voxels, [ground(4, 4), box([1, 1, 1], (0, 0, 0.5))], forbidden=[False, True])
    high = voxels.tops() > 0.5
    assert high.sum() == 16
    assert (voxels.forbidden() == high).all()


def test_what_lies_below_the_top_forbids_nothing() -> None:
    voxels = Lattice(0.25, 0.25).native(relief=0.2)
    put(voxels, [box([2, 2, 2], (0, 0, -1.5)), box([2, 2, 0.5], (0, 0, -0.25))])
    assert not voxels.forbidden().any()
    put(voxels, [box([2, 2, 2], (0, 0, -1.5))], ids=[0], forbidden=True)
    assert not voxels.forbidden().any()
    assert (voxels.bodies() == 1).all()


def test_columns_hold_many_floors() -> None:
    voxels = Lattice(0.5, 0.25).native()
    put(voxels, [box([4, 4, 0.25], (0, 0, 3.0 * k)) for k in range(40)])
    rows = columns_at(voxels, 0, 0)
    assert voxels.tops()[rows] == pytest.approx(3.0 * np.arange(40) + 0.125)
    assert voxels.headrooms()[rows[:-1]] == pytest.approx(2.75)
    assert voxels.count == 64 * 40


def test_whole_cells_can_be_given() -> None:
    voxels = Lattice(0.5, 0.25, (1.0, 2.0, 3.0)).native()
    cells = np.array([[0, 0, 0], [0, 0, 1], [5, -3, 2]], dtype=np.int32)
    voxels.put_cells(7, cells)
    assert cells_of(voxels) == set(map(tuple, cells.tolist()))
    assert voxels.tops() == pytest.approx([3.5, 3.75])
    assert voxels.positions()[0] == pytest.approx([1.25, 2.25, 3.5])
    assert (voxels.bodies() == 7).all()
    voxels.put_cells(7, cells[:1])
    assert cells_of(voxels) == {(0, 0, 0)}


def test_points_find_the_cell_they_are_over() -> None:
    voxels = Lattice(0.5, 0.25).native()
    put(voxels, [ground(4, 4), ground(4, 4, 3.0)])
    points = np.array([[0.1, 0.1, 0.2], [0.1, 0.1, 2.9], [0.1, 0.1, 1.5], [9.0, 0.0, 0.0]])
    found = voxels.locate(points, 0.3, 0.3)
    assert voxels.tops()[found[:2]].tolist() == [0.0, 3.0]
    assert found[2:].tolist() == [-1, -1]


# --- size ----------------------------------------------------------------------------------------


def test_memory_follows_what_is_there() -> None:
    near, far = Lattice(0.1, 0.1).native(), Lattice(0.1, 0.1).native()
    put(near, [box([1, 1, 1]), box([1, 1, 1], (1.05, 0, 0))])
    put(far, [box([1, 1, 1]), box([1, 1, 1], (5000.05, 9000, 800))])
    assert far.bytes < 4 * near.bytes


def test_what_lies_far_apart_takes_no_memory_in_between() -> None:
    near, far = Lattice(0.1, 0.1).native(), Lattice(0.1, 0.1).native()
    corners = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
    for voxels, away in ((near, 10.0), (far, 4e6)):
        put(voxels, [box([1, 1, 1])] * 4, [Pose([away * x, away * y, 0]) for x, y in corners])
    assert len(cells_of(far)) == len(cells_of(near))
    assert far.bytes < 2 * near.bytes


def test_the_memory_limit_knows_that_scattered_things_take_more() -> None:
    places = np.stack(np.meshgrid(*[np.arange(60) * 4.0] * 2), axis=-1).reshape(-1, 1, 2)
    corners = np.concatenate(
        [places + np.array([[0, 0], [0.05, 0], [0, 0.05]]), np.zeros((len(places), 3, 1))], axis=2
    )
    crumbs = Mesh(corners.reshape(-1, 3), np.arange(3 * len(places)).reshape(-1, 3))
    free = Lattice(0.2, 0.1).native()
    put(free, [crumbs])
    with pytest.raises(ProblemError, match="more than the limit"):
        put(Lattice(0.2, 0.1).native(memory_limit=0.9 * free.bytes), [crumbs])


def test_a_cell_size_beyond_the_memory_limit_is_refused_with_one_that_fits() -> None:
    meshes = [ground(100, 100), *(box([10, 10, 3], (20.0 * k, 0, 0)) for k in range(-2, 3))]
    voxels = Lattice(0.002, 0.1).native(memory_limit=50e6)
    with pytest.raises(ProblemError, match=r"cells of 0.002 m would take about .* cells of") as why:
        put(voxels, meshes)
    fits = float(str(why.value).split("cells of ")[-1].split(" m")[0])
    again = Lattice(fits, 0.1).native(memory_limit=50e6)
    put(again, meshes)
    assert 10e6 < again.bytes < 50e6


def test_a_world_too_far_away_is_refused() -> None:
    voxels = Lattice(0.001, 0.001).native()
    with pytest.raises(ProblemError, match="farther than"):
        put(voxels, [box([1, 1, 1])], [Pose([9e6, 0, 0])])


def test_slivers_and_needles_are_coped_with() -> None:
    corners = [[0, 0, 0], [3, 1e-9, 0], [3, 0, 1e-9], [0.1, 0.1, 0.1], [0.1 + 1e-13, 0.1, 0.1]]
    needles = Mesh(corners, [[0, 1, 2], [0, 1, 4], [2, 3, 4]])
    voxels = Lattice(0.25, 0.25).native()
    put(voxels, [needles])
    assert {(i, 0) for i in range(12)} <= {(i, j) for i, j, _ in cells_of(voxels)}
