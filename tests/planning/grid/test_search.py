"""A* against a plain Dijkstra, on random graphs of cells."""

from __future__ import annotations

import heapq
import itertools

import numpy as np
import pytest

from surefoot.planning.grid.cells import Cells
from surefoot.planning.grid.search import shortest


def random_cells(seed: int, count: int = 60) -> Cells:
    rng = np.random.default_rng(seed)
    points = rng.uniform(0, 10, (count, 3)) * [1, 1, 0.2]
    pairs = rng.integers(0, count, (3 * count, 2))
    pairs = np.unique(np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1), axis=0)
    sources = np.concatenate([pairs[:, 0], pairs[:, 1]])
    targets = np.concatenate([pairs[:, 1], pairs[:, 0]])
    order = np.lexsort((targets, sources))
    sources, targets = sources[order], targets[order]
    return Cells(
        points,
        rng.random(count) < 0.3,
        np.searchsorted(sources, np.arange(count + 1)),
        targets,
        np.linalg.norm(points[sources] - points[targets], axis=1),
    )


def dijkstra(cells: Cells, start: int, prices: np.ndarray) -> dict[int, float]:
    best, queue = {start: 0.0}, [(0.0, start)]
    while queue:
        cost, cell = heapq.heappop(queue)
        if cost > best[cell]:
            continue
        for edge in range(cells.offsets[cell], cells.offsets[cell + 1]):
            target = int(cells.targets[edge])
            further = cost + cells.lengths[edge] * prices[target]
            if further < best.get(target, np.inf):
                best[target] = further
                heapq.heappush(queue, (further, target))
    return best


def cost_of(cells: Cells, path: list[int], prices: np.ndarray) -> float:
    total = 0.0
    for a, b in itertools.pairwise(path):
        edges = range(cells.offsets[a], cells.offsets[a + 1])
        edge = next(e for e in edges if cells.targets[e] == b)
        total += cells.lengths[edge] * prices[b]
    return total


@pytest.mark.parametrize("seed", range(200))
def test_paths_cost_what_dijkstra_says(seed: int) -> None:
    cells = random_cells(seed)
    rng = np.random.default_rng(1000 + seed)
    start, goal = (int(i) for i in rng.choice(len(cells.points), 2, replace=False))
    goals = np.zeros(len(cells.points), dtype=bool)
    goals[goal] = True
    shyness = float(rng.choice([0.0, 1.5]))
    prices = rng.uniform(1, 3, len(cells.points))
    found = shortest(
        cells,
        {start: 0.0},
        goals,
        cells.points[[goal]],
        prices,
        shyness=shyness,
        most=10**6,
        cancelled=lambda: False,
    )
    total = prices + shyness * cells.cramped
    best = dijkstra(cells, start, total)
    assert found.reached == (goal in best)
    if found.reached:
        assert found.path[0] == start
        assert found.path[-1] == goal
        assert cost_of(cells, found.path, total) == pytest.approx(best[goal], rel=1e-12)
    else:
        # The way towards the goal ends at the reachable cell nearest to it.
        reach = np.array(sorted(best))
        distance = np.linalg.norm(cells.points[reach] - cells.points[goal], axis=1)
        assert found.path[-1] == reach[np.argmin(distance)]


def test_a_limit_on_cells_ends_the_search() -> None:
    cells = random_cells(3)
    goals = np.zeros(len(cells.points), dtype=bool)
    found = shortest(
        cells,
        {0: 0.0},
        goals,
        cells.points[[5]],
        np.ones(len(cells.points)),
        shyness=0.0,
        most=4,
        cancelled=lambda: False,
    )
    assert not found.reached
    assert found.exhausted
    assert found.expanded == 4
