"""What the figures of bandi2000 show, as far as it concerns cells, moves and searches."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest

from references.drawings import WALK, Scene, block, plane
from references.grid_moves import Action, Voxel
from surefoot import _native


def order(*directions: int) -> np.ndarray:
    return np.array(directions, dtype=np.int32)


def distance_from_line(cells: list[Voxel]) -> float:
    """How far cells are from the straight line between the first and the last."""
    points = np.array(cells)[:, :2].astype(float)
    way = points[-1] - points[0]
    off = points - points[0]
    return float(np.abs(way[0] * off[:, 1] - way[1] * off[:, 0]).max() / np.hypot(*way))


# --- 3: neighbours -------------------------------------------------------------------------------


def test_figures_1_and_2_eight_neighbours_or_four() -> None:
    scene = Scene(plane(3, 3))
    assert len(scene.neighbours((1, 1, 0))) == 8
    assert scene.level(scene.front((1, 1, 0), connectivity=8), (2, 2, 0)) == 1
    assert scene.level(scene.front((1, 1, 0), connectivity=4), (2, 2, 0)) == 2


# --- 4: bushfire ---------------------------------------------------------------------------------


def test_figure_3_layers_of_the_front_around_a_hole() -> None:
    hole = [(i, j) for i in range(6, 11) for j in range(3, 9)]
    scene = Scene(plane(17, 14, hole))
    start, goal = (8, 0, 0), (8, 10, 0)
    front = scene.front(start)
    assert scene.level(front, goal) == 16
    # As printed: left, right and lower cell of B are all at level 15.
    assert [scene.level(front, cell) for cell in ((7, 10, 0), (9, 10, 0), (8, 9, 0))] == [15] * 3
    # Each layer is one farther than the one it came from.
    parents = front.parents()
    for row in scene.cells:
        if parents[row] >= 0:
            assert front.cost(row) == front.cost(int(parents[row])) + 1
    assert len(front.trace(scene.row[goal])[0]) == 17


@pytest.mark.parametrize(("connectivity", "growth"), [(4, 4), (8, 8)])
def test_figure_4_equal_distances_are_squares(connectivity: int, growth: int) -> None:
    scene = Scene(plane(41, 41))
    costs = scene.front((20, 20, 0), connectivity=connectivity).costs()
    sizes = Counter(costs.tolist())
    assert [sizes[level] for level in range(1, 21)] == [growth * level for level in range(1, 21)]


def test_figure_5_no_way_between_two_obstacles() -> None:
    holes = [(3, 2), (2, 3)]
    start, goal = (2, 2, 0), (3, 3, 0)
    cut = Scene(plane(6, 6, holes), corners="cut")
    assert cut.level(cut.front(start, connectivity=8), goal) == 1
    for corners in ("one", "both"):
        scene = Scene(plane(6, 6, holes), corners=corners)
        assert scene.level(scene.front(start, connectivity=4), goal) == 6
        assert goal not in scene.neighbours(start)
    # With one cell beside it the paper lets the diagonal pass.
    assert goal in Scene(plane(6, 6, holes[:1]), corners="one").neighbours(start)
    assert goal not in Scene(plane(6, 6, holes[:1]), corners="both").neighbours(start)


# --- 5: metrics, A*, crooked paths ---------------------------------------------------------------


@pytest.mark.parametrize(("dx", "dy"), [(9, 4), (3, 11), (7, 7), (10, 0)])
def test_figure_6_four_path_eight_path_and_straight_line(dx: int, dy: int) -> None:
    scene = Scene(plane(12, 12))
    start, goal = (0, 0, 0), (dx, dy, 0)
    assert len(scene.path(start, goal, metric="steps", connectivity=4)) == dx + dy + 1
    eight = scene.path(start, goal, metric="steps", connectivity=8)
    assert len(eight) == max(dx, dy) + 1
    straight = scene.straightened(eight)
    assert len(straight) == len(eight)
    assert distance_from_line(straight) <= 0.5


def test_section_5_4_the_heuristic_reduces_the_cells_expanded() -> None:
    scene = Scene(plane(60, 60))
    start, goal = scene.rows([(30, 30, 0)]), scene.rows([(40, 50, 0)])
    for metric, connectivity in itertools.product(("steps", "euclidean"), (4, 8)):
        guided, blind = (
            scene.search.path(start, goal, metric=metric, connectivity=connectivity, guided=guided)
            for guided in (True, False)
        )
        assert guided[2] == blind[2]
        assert guided[5] * 4 < blind[5]


FIGURE_7 = plane(16, 16, [(i, j) for i in range(2, 8) for j in range(3, 6)])
FIGURE_7_ENDS = (3, 1, 0), (6, 10, 0)


def test_figure_7_the_choice_of_neighbour_decides_with_a_front_of_four() -> None:
    scene = Scene(FIGURE_7, corners="one")
    start, goal = FIGURE_7_ENDS
    front = scene.front(start)
    assert scene.level(front, (5, 9, 0)) == scene.level(front, (7, 9, 0)) == 14
    right = front.retrace(scene.row[goal], 8, order(7, 6, 0, 1, 2, 3, 4, 5))[0]
    left = front.retrace(scene.row[goal], 8, order(6, 7, 0, 1, 2, 3, 4, 5))[0]
    four = front.retrace(scene.row[goal], 4, order(0, 1, 2, 3))[0]
    assert (len(right), len(left), len(four)) == (13, 10, 17)
    assert len(front.trace(scene.row[goal])[0]) == 17
    assert max(scene.cells[row][0] for row in right.tolist()) > 7
    assert min(scene.cells[row][0] for row in left.tolist()) < 2


@pytest.mark.parametrize("first", [6, 7])
def test_figure_7_and_does_not_with_a_front_of_eight(first: int) -> None:
    scene = Scene(FIGURE_7, corners="one")
    start, goal = FIGURE_7_ENDS
    front = scene.front(start, connectivity=8)
    rest = [d for d in range(8) if d != first]
    assert len(front.retrace(scene.row[goal], 8, order(first, *rest))[0]) == 10
    assert len(scene.path(start, goal, metric="steps")) == 10


def test_figure_7_straight_before_diagonal_gives_no_crooked_path() -> None:
    scene = Scene(plane(14, 14))
    start, goal = (3, 0, 0), (6, 12, 0)
    front = scene.front(start, connectivity=8)
    straight = [(6, j, 0) for j in range(12, 3, -1)] + [(6 - k, 3 - k, 0) for k in range(4)]
    crooked = front.retrace(scene.row[goal], 8, order(7, 6, 5, 4, 3, 2, 1, 0))[0]
    chosen = front.retrace(scene.row[goal], 8, order(*range(8)))[0]
    assert len(crooked) == len(chosen) == 13
    assert [scene.cells[row] for row in chosen.tolist()] == straight[::-1]
    assert max(scene.cells[row][0] for row in crooked.tolist()) > 6
    # What the front keeps as it spreads has the same priority.
    assert [scene.cells[row] for row in front.trace(scene.row[goal])[0].tolist()] == straight[::-1]


# --- 6 and 7: reachability, extended neighbours --------------------------------------------------


def test_figure_8_extended_neighbours_lead_off_an_island() -> None:
    ring = [(i, j) for i in range(3, 6) for j in range(3, 6) if (i, j) != (4, 4)]
    island = (4, 4, 0)
    walker = Scene(plane(9, 9, ring))
    assert walker.neighbours(island) == {}
    assert not walker.path(island, (0, 0, 0))
    stepper = Scene(plane(9, 9, ring), [WALK, Action(up=1, down=1, height=4, span=4)])
    arrows = {(4 + 2 * i, 4 + 2 * j, 0) for i, j in itertools.product((-1, 0, 1), repeat=2)}
    assert arrows - {island} <= set(stepper.neighbours(island))
    assert stepper.path(island, (0, 0, 0))
    # A wider hole than the span cannot be crossed.
    moat = [(i, j) for i in range(2, 7) for j in range(2, 7) if (i, j) != (4, 4)]
    assert not Scene(plane(9, 9, moat), [WALK, Action(up=1, down=1, height=4, span=2)]).neighbours(
        island
    )


def test_figure_9_balconies() -> None:
    """A staircase to a landing; a balcony behind a gap; a shelf without standing room."""
    rows = range(3)
    world = block(range(-8, 20), range(-4, 7), [0])
    for step in range(1, 11):
        world |= block([step], rows, [step])
    world |= block([11, 12], rows, [10])  # the landing with b2
    world |= block([14, 15], rows, [10])  # the balcony with a2
    world |= block([14, 15], rows, [18, 20])  # the shelf a3 and its ceiling
    scene = Scene(world, [Action(up=1, down=1, height=6, span=2)])
    a1, a2, a3, b2 = (14, 1, 0), (14, 1, 10), (14, 1, 18), (12, 1, 10)
    reached = scene.neighbours(b2)
    assert a2 in reached
    assert a1 not in reached
    assert a3 not in reached
    regions = scene.native.regions()
    assert regions[scene.row[a1]] == regions[scene.row[a2]] == regions[scene.row[b2]]
    # Too low to stand: the shelf, and the floor under the stairs.
    assert regions[scene.row[a3]] == -1
    assert all(regions[scene.row[step, 1, 0]] == -1 for step in range(2, 7))
    assert regions[scene.row[8, 1, 0]] == regions[scene.row[a1]]


def test_figure_10_neighbours_above_and_below() -> None:
    world = {(0, 0, 0)} | {(-1, 0, -2), (-1, 0, 5)}  # P, then A with C above
    world |= block([1], [0], range(3)) | {(1, 0, 6)}  # B on top of R, with D above
    scene = Scene(world, [Action(up=2, down=2, height=4, span=2)])
    # B has but three cells of room, C and D are too high: A is the only neighbour along x.
    assert set(scene.neighbours((0, 0, 0))) == {(-1, 0, -2)}
    smaller = Scene(world, [Action(up=2, down=2, height=3, span=2)])
    assert set(smaller.neighbours((0, 0, 0))) == {(-1, 0, -2), (1, 0, 2)}


def test_figure_10_several_cells_of_one_column() -> None:
    walk, bend = Action(up=3, down=1, height=4), Action(up=1, down=1, height=2, price=2)
    low, high = (1, 0, 0), (1, 0, 3)
    scene = Scene({(0, 0, 0), low, high}, [walk, bend])
    assert scene.neighbours((0, 0, 0)) == {high: 0, low: 1}
    # When the upper one is prohibited the lower one is left.
    scene = Scene({(0, 0, 0), low}, [walk, bend], forbidden={high})
    assert scene.neighbours((0, 0, 0)) == {low: 1}


def pit_and_block() -> set[Voxel]:
    """Fig. 11: A on a block, B on the floor beside it, C on a higher block behind."""
    return (
        block(range(3), range(3), range(2))
        | block([3], range(3), [0])
        | block(range(4, 7), range(3), range(4))
    )


def test_figure_11_the_first_layer_of_neighbours_is_not_enough() -> None:
    a, b, c = (2, 1, 1), (3, 1, 0), (4, 1, 3)
    person = [Action(up=2, down=2, height=4, span=2)]
    every = Scene(pit_and_block(), person)
    assert {b, c} <= set(every.neighbours(a))
    assert c not in every.neighbours(b)
    assert every.path(a, c) == [a, c]
    first = Scene(pit_and_block(), person, first_layer=True)
    assert b in first.neighbours(a)
    assert not first.path(a, c)


# --- 7.3 and 7.4: borders and smoothing ----------------------------------------------------------


def test_figure_12_borders_are_not_mutual() -> None:
    platform, object_ = plane(15, 15), block(range(5, 10), range(5, 10), [8])
    scene = Scene(platform | object_, [Action(up=2, down=2, height=4, span=2)])
    borders = scene.borders()
    on_object = {cell: layer for cell, layer in borders.items() if cell[2] == 8}
    assert sum(on_object.values()) == 16
    assert on_object[7, 7, 8] == 0
    # Below and around it the platform has no border, so that its inside can be reached.
    assert all(
        (layer == 1) == (i in (0, 14) or j in (0, 14))
        for (i, j, k), layer in borders.items()
        if k == 0
    )


def test_figure_12_parts_within_reach_have_one_border() -> None:
    platform = plane(21, 13)
    parts = block(range(4, 9), range(4, 9), [8]) | block(range(10, 15), range(4, 9), [8])
    apart = Scene(platform | parts, [WALK])
    joined = Scene(platform | parts, [WALK, Action(up=1, down=1, height=4, span=2)])
    edge = [(8, j, 8) for j in range(5, 8)] + [(10, j, 8) for j in range(5, 8)]
    assert all(apart.borders()[cell] == 1 for cell in edge)
    assert all(joined.borders()[cell] == 0 for cell in edge)
    outside = {(i, j, 8) for i in (*range(4, 9), *range(10, 15)) for j in (4, 8)} | {
        (i, j, 8) for i in (4, 14) for j in range(4, 9)
    }
    assert {cell for cell, layer in joined.borders().items() if cell[2] == 8 and layer} == outside
    regions = joined.native.regions()
    assert regions[joined.row[4, 4, 8]] == regions[joined.row[14, 8, 8]]
    assert regions[joined.row[4, 4, 8]] != regions[joined.row[0, 0, 0]]
    # Actions that should not count can be left out.
    assert joined.borders(actions=1) == apart.borders()


def test_section_7_3_layers_of_borders() -> None:
    borders = Scene(plane(11, 11)).borders(layers=3)
    for (i, j, _), layer in borders.items():
        depth = min(i, j, 10 - i, 10 - j)
        assert layer == (depth + 1 if depth < 3 else 0)


def test_figure_13_a_path_with_borders_made_straight() -> None:
    scene = Scene(plane(24, 20, [(i, j) for i in range(6, 14) for j in range(7, 11)]))
    prices = scene.without_borders()
    start, goal = (3, 2, 0), (10, 17, 0)
    path = scene.path(start, goal, prices=prices, metric="steps")
    smooth = scene.straightened(path, prices=prices)
    assert smooth[0] == start
    assert smooth[-1] == goal
    assert len(smooth) == len(path)
    assert all(np.isfinite(prices[scene.row[cell]]) for cell in smooth)
    assert all(q in scene.neighbours(p) for p, q in itertools.pairwise(smooth))
    assert length(smooth) < length(path)
    # Past the corner of the border it runs along the straight lines.
    corner = max(range(len(smooth)), key=lambda k: smooth[k][1] - smooth[k][0])
    assert distance_from_line(smooth[: corner + 1]) <= 1.5


def length(path: list[Voxel]) -> float:
    return float(np.linalg.norm(np.diff(np.array(path), axis=0), axis=1).sum())


# --- 8: semantics, dynamic obstacles -------------------------------------------------------------


def test_figure_14_a_forbidden_obstacle_keeps_its_height() -> None:
    floor, obstacle = plane(9, 9), block([4], range(2, 7), [1])
    person = [WALK, Action(up=1, down=1, height=4, span=3, lift=1)]
    a, b = (2, 4, 0), (6, 4, 0)
    hole = Scene(floor - block([4], range(2, 7), [0]), person)
    assert all(j == 4 for _, j, _ in hole.path(a, b))
    freely = Scene(floor | obstacle, person)
    assert (4, 4, 1) in freely.path(a, b)
    forbidden = Scene(floor, person, forbidden=obstacle)
    path = forbidden.path(a, b)
    assert all(k == 0 for _, _, k in path)
    # Around it, neither on it nor over it.
    assert any(j in (1, 7) for i, j, _ in path if i == 4)
    assert forbidden.voxels.tops()[forbidden.row[4, 4, 1]] == 2.0


def test_figure_15_a_path_obstructed_by_an_obstacle() -> None:
    scene = Scene(plane(30, 21))
    start, goal = (2, 10, 0), (27, 10, 0)
    old = scene.path(start, goal)
    points = scene.voxels.positions()[scene.rows(old)]
    scene.change(5, block(range(12, 16), range(7, 14), range(1, 5)))
    cells = scene.voxels.locate(points, 0.5, 0.5)
    broken = scene.search.broken(cells)
    covered = [k for k, (i, _, _) in enumerate(old) if 12 <= i < 16]
    assert np.flatnonzero(broken).tolist() == [covered[0] - 1, *covered]
    found, _, _, reached, _, _, head, tail = scene.search.reroute(cells)
    assert reached
    path = [scene.cells[row] for row in found.tolist()]
    # A to C and D to B are left as they were.
    assert path[:head] == old[:head]
    assert path[len(path) - tail :] == old[len(old) - tail :]
    assert head == covered[0]
    assert tail >= 1
    assert all(q in scene.neighbours(p) for p, q in itertools.pairwise(path))
    # On the last part nothing needs to be done.
    after = scene.search.reroute(cells, covered[-1] + 1)
    assert [scene.cells[row] for row in after[0].tolist()] == old[covered[-1] + 1 :]
    assert after[5] == 0


# --- 9: examples ---------------------------------------------------------------------------------


def test_figure_16_a_passage_without_room_for_a_border_is_not_taken() -> None:
    wall = [(10, j) for j in range(30) if j not in (4, 5) and j not in range(20, 25)]
    scene = Scene(plane(21, 30) | {(i, j, k) for i, j in wall for k in range(1, 6)})
    start, goal = (5, 5, 0), (15, 5, 0)
    shortest = scene.path(start, goal)
    assert any(cell[:2] in ((10, 4), (10, 5)) for cell in shortest)
    safe = scene.path(start, goal, prices=scene.without_borders())
    assert any(i == 10 and 20 <= j < 25 for i, j, _ in safe)
    assert len(safe) > len(shortest)


def test_figure_17_an_obstacle_appears_on_the_stairs() -> None:
    stairs = block(range(6), range(11), [0])
    for step in range(1, 12):
        stairs |= block([5 + step], range(11), range(step + 1))
    stairs |= block(range(17, 24), range(11), [11])
    scene = Scene(stairs)
    start, goal = (2, 5, 0), (21, 5, 11)
    old = scene.path(start, goal)
    assert {cell[2] for cell in old} == set(range(12))
    points = scene.voxels.positions()[scene.rows(old)]
    scene.change(3, block([10, 11], range(3, 8), range(5, 12)))
    cells = scene.voxels.locate(points, 0.5, 0.5)
    found, _, _, reached, *_ = scene.search.reroute(cells)
    assert reached
    path = [scene.cells[row] for row in found.tolist()]
    assert path[0] == start
    assert path[-1] == goal
    assert all(cell[1] < 3 or cell[1] > 7 for cell in path if cell[0] in (10, 11))


def test_figure_18_nobody_walks_under_a_low_overhang() -> None:
    factory = plane(30, 20) | block(range(10, 20), range(12), [3])
    scene = Scene(factory)
    start, goal = (2, 3, 0), (27, 3, 0)
    borders = scene.borders()
    # Around the place where one cannot stand upright the floor has a border.
    assert borders[14, 5, 0] == 255
    assert all(borders[9, j, 0] == 1 for j in range(12))
    assert all(borders[i, 12, 0] == 1 for i in range(10, 20))
    path = scene.path(start, goal, prices=scene.without_borders())
    assert all(j >= 13 for i, j, _ in path if 10 <= i <= 19)
    high = Scene(plane(30, 20) | block(range(10, 20), range(12), [5]))
    assert all(j == 3 for _, j, _ in high.path(start, goal))


def test_figure_18_a_building_is_entered_from_outside() -> None:
    walls = block((8, 22), range(6, 20), range(1, 8)) | block(range(8, 23), (6, 19), range(1, 8))
    door = block(range(13, 17), [6], range(1, 6))
    shelves = block(range(12, 19), (10, 14), range(1, 5))
    scene = Scene((plane(31, 26) | walls | shelves) - door)
    path = scene.path((2, 2, 0), (15, 17, 0), prices=scene.without_borders())
    assert any(13 <= i < 17 and j == 6 for i, j, _ in path)
    assert all(k == 0 for _, _, k in path)


def test_figure_19a_all_neighbours_find_the_jump_between_blocks() -> None:
    floor = plane(13, 7)
    blocks = block(range(4), range(2, 5), [1]) | block([6], [3], range(1, 4))
    blocks |= block(range(9, 13), range(2, 5), [1])
    walk = Action(up=1, down=1, height=4)
    jump = Action(up=2, down=2, height=4, span=3, price=1.5, priority=1)
    scene = Scene(floor | blocks, [walk, jump])
    a, b, c = (3, 3, 1), (4, 3, 0), (6, 3, 3)
    assert {b, c} <= set(scene.neighbours(a))
    assert c not in scene.neighbours(b)
    path, actions = scene.path(a, c), scene.actions(a, c)
    assert path == [a, c]
    assert actions == [1]
    # From the floor the way leads over a block, where the jump is encoded.
    path, actions = scene.path((8, 0, 0), c), scene.actions((8, 0, 0), c)
    assert path[-2][2] == 1
    assert actions[-1] == 1
    assert not Scene(floor | blocks, [walk, jump], first_layer=True).path(a, c)


def test_figures_19b_and_19c_with_and_without_semantics() -> None:
    floor, table = plane(15, 15), block(range(6, 9), range(6, 9), [1])
    start, goal = (1, 7, 0), (13, 7, 0)
    assert any(cell[2] == 1 for cell in Scene(floor | table).path(start, goal))
    around = Scene(floor, forbidden=table).path(start, goal)
    assert around
    assert all(cell[2] == 0 for cell in around)


def test_section_8_2_ties_between_actions_go_by_priority() -> None:
    slow = Action(up=1, down=1, height=4, priority=1)
    for first, second, chosen in ((slow, WALK, 1), (WALK, slow, 0)):
        scene = Scene(plane(6, 3), [first, second])
        assert set(scene.actions((0, 1, 0), (5, 1, 0))) == {chosen}


def test_section_9_1_cells_of_little_weight_are_not_stepped_on() -> None:
    from references.voxels import Lattice, put
    from surefoot.world.primitives import box

    voxels = Lattice(0.25, 0.05).native()
    # Two platforms joined by a rail of five centimetres.
    put(voxels, [box([2, 2, 1], (-2, 0, 0)), box([2, 2, 1], (2, 0, 0)), box([2, 0.05, 1])])
    ends = voxels.locate(np.array([[-2, 0.1, 0.5], [2, 0.1, 0.5]]), 0.1, 0.1)
    for least, crosses in ((0.0, True), (0.5, False)):
        walk = _native.GridAction(up=0.3, down=0.3, height=1.7, min_weight=least)
        search = _native.GridSearch(_native.GridMoves(voxels, [walk]))
        assert search.path(ends[:1], ends[1:])[3] == crosses
