"""Fronts and paths against plain Dijkstra over moves found by trying every pair."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from references import grid_moves, voxel_worlds
from references.grid_moves import Moves, Voxel
from surefoot import _native
from surefoot.errors import ProblemError

BATCHES = [*range(50), *(pytest.param(batch, marks=pytest.mark.slow) for batch in range(50, 1500))]
WORLDS = 20
"""Random worlds in a batch: a thousand by default, thirty thousand with the slow ones."""


class Case:
    """A random world, someone in it, and a way of counting."""

    def __init__(self, *seed: int) -> None:
        self.rng = rng = np.random.default_rng(seed)
        self.moves: Moves = voxel_worlds.moves(rng, 6)
        self.voxels = self.moves.world.native()
        self.native = self.moves.native(self.voxels)
        self.search = _native.GridSearch(self.native)
        self.cells = grid_moves.rows(self.voxels)
        self.row = {cell: row for row, cell in self.cells.items()}
        self.metric = str(rng.choice(["steps", "euclidean"]))
        self.connectivity = int(rng.choice([4, 8]))
        self.prices: dict[Voxel, float] | None = None
        self.options: dict[str, object] = {
            "metric": self.metric,
            "connectivity": self.connectivity,
        }
        if rng.random() < 0.4:
            values = rng.choice([1.0, 1.5, 4.0], len(self.voxels)).astype(np.float32)
            self.prices = {cell: float(values[row]) for row, cell in self.cells.items()}
            self.options["prices"] = values

    @property
    def exact(self) -> bool:
        """Whether costs are whole numbers."""
        plain = all(action.price == 1 for action in self.moves.actions)
        return self.metric == "steps" and plain and self.prices is None

    def some(self, most: int) -> np.ndarray:
        count = int(self.rng.integers(1, most + 1))
        return self.rng.choice(np.array(list(self.cells), dtype=np.int32), count)

    def dijkstra(self, starts: dict[Voxel, float], *, backward: bool = False) -> dict[Voxel, float]:
        return self.moves.dijkstra(
            starts, self.metric, self.connectivity, self.prices, backward=backward
        )

    def same(self, found: float, expected: float) -> bool:
        if self.exact or math.isinf(expected):
            return found == expected
        return math.isclose(found, expected, rel_tol=1e-6, abs_tol=1e-6)

    def check_path(self, cells: np.ndarray, actions: np.ndarray, cost: float) -> None:
        """Every move of a path is one, by the action it says, and all together cost that much."""
        total = 0.0
        for (a, b), action in zip(itertools.pairwise(cells.tolist()), actions, strict=True):
            p, q = self.cells[a], self.cells[b]
            assert self.moves.edges[p][q] == action
            total += self.moves.cost(p, q, self.metric, self.connectivity, self.prices)
        assert self.same(cost, total)


@pytest.mark.parametrize("batch", BATCHES)
def test_fronts_cost_what_plain_dijkstra_says(batch: int) -> None:
    for world in range(WORLDS):
        case = Case(batch, world, 71)
        sources = case.some(3)
        before = case.rng.integers(0, 3, len(sources)).astype(float)
        backward = bool(case.rng.random() < 0.5)
        starts: dict[Voxel, float] = {}
        for row, cost in zip(sources.tolist(), before, strict=True):
            cell = case.cells[row]
            starts[cell] = min(cost, starts.get(cell, math.inf))
        expected = case.dijkstra(starts, backward=backward)
        front = case.search.front(sources, source_costs=before, backward=backward, **case.options)
        costs = front.costs()
        for row, cell in case.cells.items():
            assert case.same(costs[row], expected.get(cell, math.inf)), f"seed {batch, world, 71}"
        for row in case.some(4).tolist():
            cells, actions, cost, reached, _, _ = front.trace(row)
            assert reached == (case.cells[row] in expected)
            if not reached:
                assert len(cells) == 0
                continue
            ends = (cells[-1], cells[0]) if backward else (cells[0], cells[-1])
            assert ends[1] == row
            case.check_path(cells, actions, cost - starts[case.cells[ends[0]]])


@pytest.mark.parametrize("batch", BATCHES)
def test_the_way_to_any_of_several_goals_is_the_cheapest(batch: int) -> None:
    for world in range(WORLDS):
        case = Case(batch, world, 72)
        starts, goals = case.some(2), case.some(4)
        after = case.rng.choice([0.0, 1.0, 2.5], len(goals))
        if case.exact:
            after = np.floor(after)
        found = case.dijkstra({case.cells[row]: 0.0 for row in starts.tolist()})
        totals = [
            found.get(case.cells[row], math.inf) + rest
            for row, rest in zip(goals.tolist(), after, strict=True)
        ]
        for guided in (True, False):
            cells, actions, cost, reached, exhausted, _ = case.search.path(
                starts, goals, goal_costs=after, guided=guided, **case.options
            )
            seed = f"seed {batch, world, 72}"
            assert reached == math.isfinite(min(totals)), seed
            assert not exhausted
            assert cells[0] in starts
            if not reached:
                continue
            assert case.same(cost, min(totals)), seed
            rest = min(r for g, r in zip(goals.tolist(), after, strict=True) if g == cells[-1])
            case.check_path(cells, actions, cost - rest)


@pytest.mark.parametrize("batch", BATCHES[:50])
def test_a_front_ends_when_its_targets_are_reached(batch: int) -> None:
    for world in range(4):
        case = Case(batch, world, 73)
        sources, targets = case.some(1), case.some(4)
        whole = case.search.front(sources, **case.options)
        costs = whole.costs()
        there = np.isfinite(costs[targets])
        every = case.search.front(sources, targets=targets, **case.options)
        assert every.reached == there.all()
        if every.reached:
            assert every.expanded <= whole.expanded
            # Of what has been left out nothing is nearer than the last target.
            left = np.isinf(every.costs()) & np.isfinite(costs)
            assert (costs[left] >= costs[targets].max() - 1e-9).all()
        first = case.search.front(sources, targets=targets, every_target=False, **case.options)
        assert first.reached == there.any()
        if first.reached:
            assert first.costs()[targets].min() == costs[targets].min()


def test_guided_and_unguided_find_ways_of_equal_cost_through_walls() -> None:
    case = Case(2, 3, 74)
    for _ in range(300):
        start, goal = case.some(1), case.some(1)
        costs = {
            guided: case.search.path(start, goal, guided=guided, **case.options)[2:4]
            for guided in (True, False)
        }
        assert costs[True][1] == costs[False][1]
        if costs[True][1]:
            assert costs[True][0] == costs[False][0]


# --- prices --------------------------------------------------------------------------------------


def plain(width: int, depth: int, holes: set[tuple[int, int]] | None = None) -> Case:
    """A floor for someone who walks."""
    case = Case.__new__(Case)
    floor = {(i, j, 0) for i in range(width) for j in range(depth) if (i, j) not in (holes or ())}
    case.moves = Moves(
        grid_moves.Cells(frozenset(floor), cell=1.0, rise=1.0),
        [grid_moves.Action(up=1, down=1, height=2)],
    )
    case.voxels = case.moves.world.native()
    case.native = case.moves.native(case.voxels)
    case.search = _native.GridSearch(case.native)
    case.cells = grid_moves.rows(case.voxels)
    case.row = {cell: row for row, cell in case.cells.items()}
    return case


def at(case: Case, *columns: tuple[int, int]) -> np.ndarray:
    return np.array([case.row[i, j, 0] for i, j in columns], dtype=np.int32)


def test_closed_cells_are_kept_out_of() -> None:
    case = plain(9, 9)
    prices = np.ones(len(case.voxels), dtype=np.float32)
    prices[at(case, *((4, j) for j in range(8)))] = np.inf
    start, goal = at(case, (0, 0)), at(case, (8, 0))
    cells = case.search.path(start, goal, prices=prices)[0]
    assert case.row[4, 8, 0] in cells
    prices[case.row[4, 8, 0]] = np.inf
    assert not case.search.path(start, goal, prices=prices)[3]


def test_starts_and_goals_may_be_closed() -> None:
    case = plain(5, 1)
    prices = np.ones(len(case.voxels), dtype=np.float32)
    prices[at(case, (0, 0), (4, 0))] = np.inf
    for guided in (True, False):
        found = case.search.path(at(case, (0, 0)), at(case, (4, 0)), prices=prices, guided=guided)
        assert found[2] == pytest.approx(4.0)
    assert math.isinf(
        case.search.front(at(case, (0, 0)), prices=prices).costs()[at(case, (4, 0))][0]
    )


def test_a_price_is_worth_a_detour_of_its_size() -> None:
    case = plain(21, 11)
    start, goal = at(case, (0, 0)), at(case, (20, 0))
    dear = at(case, *((10, j) for j in range(10)))
    for price, goes_round in ((1.5, False), (30.0, True)):
        prices = np.ones(len(case.voxels), dtype=np.float32)
        prices[dear] = price
        cells = case.search.path(start, goal, prices=prices)[0]
        assert (case.row[10, 10, 0] in cells) == goes_round


# --- budgets and bad input -----------------------------------------------------------------------


def test_a_limit_ends_a_search_with_the_way_so_far() -> None:
    case = plain(40, 40)
    start, goal = at(case, (0, 0)), at(case, (39, 39))
    cells, _, _, reached, exhausted, expanded = case.search.path(start, goal, limit=10)
    assert (reached, exhausted, expanded) == (False, True, 10)
    assert cells[0] == start[0]
    # It went towards the goal.
    assert case.cells[int(cells[-1])][0] > 4


def test_without_a_way_the_path_goes_as_near_as_it_can() -> None:
    case = plain(21, 5, {(10, j) for j in range(5)})
    cells, actions, cost, reached, exhausted, _ = case.search.path(
        at(case, (0, 2)), at(case, (20, 2))
    )
    assert not reached
    assert not exhausted
    assert case.cells[int(cells[-1])] == (9, 2, 0)
    assert cost == pytest.approx(9.0)
    assert len(actions) == 9


def test_moves_behind_their_voxels_are_refused() -> None:
    case = plain(5, 5)
    case.voxels.put_cells(5, np.array([[2, 2, 1]], dtype=np.int32))
    with pytest.raises(ProblemError, match="behind their voxels"):
        case.search.path(at(case, (0, 0)), at(case, (4, 4)))
    with pytest.raises(ProblemError, match="behind their voxels"):
        case.search.front(at(case, (0, 0)))
    case.native.update()
    assert case.search.path(at(case, (0, 0)), at(case, (4, 4)))[3]


@pytest.mark.parametrize("row", [-1, 25, 10**6])
def test_what_is_no_cell_is_named(row: int) -> None:
    case = plain(5, 5)
    with pytest.raises(ProblemError, match=f"start {row} is no cell"):
        case.search.path(np.array([row], dtype=np.int32), at(case, (0, 0)))
    with pytest.raises(ProblemError, match=f"goal {row} is no cell"):
        case.search.path(at(case, (0, 0)), np.array([row], dtype=np.int32))


def test_many_searches_share_one_workspace() -> None:
    # More than the marks of sixteen bits tell apart.
    case = plain(4, 4)
    for k in range(70_000):
        j = k % 4
        assert case.search.path(at(case, (0, 0)), at(case, (3, j)))[2] >= 3
        if k > 65_500 and k < 65_550:
            case.search.path(at(case, (3, 3)), at(case, (0, j)))
