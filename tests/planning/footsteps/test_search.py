"""The native search against all sequences of actions there are."""

import numpy as np
import pytest

from references.footsteps import exhaustive, random_table
from surefoot import _native
from surefoot.planning.footsteps.footpath import state

NO_LIMIT = (-np.inf, np.inf)
START = state((0.0, 0.0, 0.0), 0.0, 0.0)


def search(
    native, way, *, tolerance=0.3, guide=None, weight=1.0, horizon=0, nodes=10**6, merge=0.0,
    first_weight=1.0, weight_step=0.5,
):  # fmt: skip
    return _search(
        native, way, tolerance, guide, weight, horizon, nodes, merge, first_weight, weight_step
    )[:4]


def _search(
    native, way, tolerance, guide, weight, horizon, nodes, merge, first_weight, weight_step
):
    offsets, ids, _, counts, costs = _native.plan_footsteps(
        [native], [guide], [None], _native.FootstepTraffic(), np.zeros((0, 4)),
        np.array([1], dtype=np.int32),
        np.zeros(1, dtype=np.int32), START[None].copy(), np.zeros(1, dtype=np.int32),
        np.array([0, len(way)], dtype=np.int32),
        np.array([(*point, 0.0, 0.0, -1.0) for point in way]),
        np.array([[tolerance, np.nan, 0.3, *NO_LIMIT, 10.0, 0.0]]),
        np.array([horizon], dtype=np.int32),
        np.array([nodes], dtype=np.int32),
        np.array([weight, 0.5, merge, 0.2, 0.2, 0.0, first_weight, weight_step]), 1,
    )  # fmt: skip
    found = ids[: offsets[1]], bool(counts[0, 1]), float(costs[0, 0]), int(counts[0, 3])
    return *found, float(costs[0, 2])


@pytest.mark.parametrize("seed", range(25))
def test_the_best_plan_is_found(seed):
    rng = np.random.default_rng(seed)
    table = random_table(rng, 5)
    goal = (rng.uniform(0.4, 1.8), rng.uniform(-0.6, 0.6))
    ids, reached, cost, nodes = search(table.native(), [goal], nodes=100_000)
    deepest = 7
    best = exhaustive(table, (0.0, 0.0, 0.0, 0.0), goal, 0.3, deepest)
    print(f"seed {seed}: {cost:.3f} against {best:.3f}, {len(ids)} actions, {nodes} nodes")
    if not reached:
        assert best == np.inf
    elif len(ids) <= deepest:
        assert cost == pytest.approx(best, abs=1e-5)
    else:
        # Longer than what was enumerated, so better than all of that.
        assert cost <= best + 1e-5


def test_the_cost_is_that_of_the_actions():
    table = random_table(np.random.default_rng(3), 6)
    ids, reached, cost, _ = search(table.native(), [(1.5, 0.3)])
    assert reached
    before, total, state = 0, 0.0, (0.0, 0.0, 0.0, 0.0)
    for action in ids.tolist():
        total += table.efforts[action] + table.follows[before, action]
        assert np.isfinite(table.follows[before, action])
        state = table.moved(state, action)
        before = action
    assert total == pytest.approx(cost, abs=1e-5)
    assert np.hypot(state[0] - 1.5, state[1] - 0.3) <= 0.3
    assert ids[-1] == 0


@pytest.mark.parametrize("seed", range(8))
def test_a_weight_bounds_the_cost(seed):
    rng = np.random.default_rng(100 + seed)
    native = random_table(rng, 7).native()
    goal = [(rng.uniform(0.5, 2.0), rng.uniform(-0.5, 0.5))]
    _, reached, best, most = search(native, goal, nodes=300_000)
    assert reached
    for weight in (1.2, 1.5, 2.0):
        _, reached, cost, nodes = search(native, goal, weight=weight, nodes=300_000)
        assert reached
        assert best - 1e-5 <= cost <= weight * best + 1e-5
        assert nodes <= 3 * most


@pytest.mark.parametrize("seed", range(8))
def test_a_guide_finds_plans_nearly_as_good_with_far_fewer_nodes(seed):
    rng = np.random.default_rng(200 + seed)
    native = random_table(rng, 7).native()
    goal = [(rng.uniform(0.5, 2.0), rng.uniform(-0.5, 0.5))]
    _, reached, best, nodes = search(native, goal, nodes=100_000)
    guide = _native.FootstepGuide(native, 0.3, 0.01, 300)
    _, guided, cost, fewer = search(native, goal, guide=guide, nodes=100_000)
    print(f"seed {seed}: {cost:.2f} against {best:.2f}, {fewer} nodes against {nodes}")
    assert guided
    if reached:
        assert cost <= 1.25 * best
        assert fewer <= 2 * nodes


def test_a_horizon_ends_the_search_and_the_plan_stands():
    table = random_table(np.random.default_rng(5), 7)
    native = table.native()
    for horizon in (1, 2, 4):
        ids, reached, _, _ = search(native, [(50.0, 0.0)], horizon=horizon, nodes=5000)
        assert not reached
        assert ids[-1] == 0
        before = 0
        for action in ids.tolist():
            assert np.isfinite(table.follows[before, action])
            before = action


def test_a_larger_budget_is_never_worse():
    native = random_table(np.random.default_rng(8), 7).native()
    goal = np.array([4.0, 1.0])
    guide = _native.FootstepGuide(native, 0.3, 0.01, 300)
    found = [
        search(native, [tuple(goal)], guide=guide, nodes=nodes)[1] for nodes in (1, 10, 100, 10_000)
    ]
    assert not found[0]
    assert found == sorted(found)
    assert found[-1]


def test_way_points_are_come_by():
    table = random_table(np.random.default_rng(12), 7)
    native = table.native()
    guide = _native.FootstepGuide(native, 0.3, 0.01, 300)
    way = [(2.0, 0.0), (2.0, 2.5)]
    ids, reached, _, _ = search(native, way, guide=guide, nodes=300_000, merge=0.1)
    assert reached
    state, nearest = (0.0, 0.0, 0.0, 0.0), np.inf
    for action in ids.tolist():
        state = table.moved(state, action)
        nearest = min(nearest, np.hypot(state[0] - 2.0, state[1]))
    assert nearest <= 0.5


def test_bad_tables_are_refused():
    table = random_table(np.random.default_rng(1), 4)
    table.durations[2] = 0.0
    with pytest.raises(ValueError, match="last longer"):
        table.native()
