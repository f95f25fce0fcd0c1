"""All of several goals, any of several, and both: in the best order."""

from __future__ import annotations

from itertools import permutations
from math import inf

import numpy as np
import pytest

from surefoot.character import people
from surefoot.errors import ProblemError
from surefoot.planning import AllOf, AnyGoal, AnyOf, Goal, Kind, Plan, Problem, Region
from surefoot.planning.grid import Grid
from surefoot.planning.grid.errands import Leaf, best_order, errands
from surefoot.world import Body, Place, World
from surefoot.world.primitives import box, ground, slab

ADULT = people.adult()
FLOOR = Body(name="floor", mesh=ground(16, 16))
WALL = Body(name="wall", mesh=box((0.2, 12, 2), (0, -2, 1)))


def at(x: float, y: float, **more: object) -> Goal:
    return Goal(Place(None, np.array([x, y, 0.0])), **more)


def visit(world: World, goal: AnyGoal, start: tuple[float, ...] = (-6, 0, 0)) -> Plan:
    problem = Problem(
        world=world, character=ADULT, start=world.place(start), goal=goal, horizon=300.0
    )
    plan = Grid().plan(problem)
    check = plan.check(world)
    assert check, str(check)
    return plan


def order_of(plan: Plan, world: World, goals: list[Goal]) -> list[int]:
    """In which order a plan comes by goals."""
    times = np.linspace(plan.start, plan.end, 4_000)
    points, _ = plan.track(times, world)
    first = [
        int(np.argmin(np.linalg.norm(points[:, :2] - goal.place.position[:2], axis=1)))
        for goal in goals
    ]
    return np.argsort(first).tolist()


def length(plan: Plan) -> float:
    return sum(segment.length for segment in plan.segments)


def test_all_are_visited_in_the_shortest_order() -> None:
    world = World([FLOOR, WALL])
    goals = [at(6, -5), at(-2, 5), at(6, 5), at(-5, -5)]
    plan = visit(world, AllOf(tuple(goals)))
    assert plan
    found = length(plan)
    # No order is shorter, each one asked for by itself.
    each = {
        order: length(visit(world, AllOf(tuple(goals[i] for i in order), ordered=True)))
        for order in permutations(range(4))
    }
    assert found == pytest.approx(min(each.values()), rel=0.02)
    best = min(each, key=lambda order: each[order])
    assert order_of(plan, world, goals) == list(best)


def test_an_order_that_is_asked_for_is_kept() -> None:
    world = World([FLOOR])
    goals = [at(6, 0), at(-4, 0), at(2, 0)]
    plan = visit(world, AllOf(tuple(goals), ordered=True))
    assert plan
    assert length(plan) == pytest.approx(12 + 10 + 6, abs=0.5)


def test_at_each_stop_its_heading_and_time_are_kept() -> None:
    world = World([FLOOR])
    goals = at(-3, 0, heading=np.pi / 2), at(0, 0, arrive=(30.0, 40.0)), at(3, 0, heading=np.pi)
    plan = visit(world, AllOf(goals, ordered=True))
    kinds = [segment.kind for segment in plan.segments]
    assert kinds == [
        *(Kind.WALK, Kind.TURN),
        *(Kind.TURN, Kind.WALK, Kind.WAIT),
        *(Kind.WALK, Kind.TURN),
    ]
    assert plan.heading(plan.end, world) == pytest.approx(np.pi)


def test_any_of_some_then_all_of_others() -> None:
    world = World([FLOOR])
    goals = AllOf((AnyOf((at(6, 0), at(-5, 1))), at(-5, 4)))
    plan = visit(world, goals)
    assert plan
    assert length(plan) < 6.0
    either = AnyOf((AllOf((at(6, 0), at(6, 5))), AllOf((at(-6, 3), at(-5, 5)))))
    plan = visit(world, either)
    assert length(plan) < 6.5


def test_regions_are_visited_too() -> None:
    rug = Body(name="rug", mesh=slab((1, 1, 0.02), (3, 3, 0.02)))
    world = World([FLOOR, rug])
    plan = visit(world, AllOf((Region(body="rug"), at(3, -3))))
    assert plan


def test_a_goal_that_cannot_be_reached_is_named_and_the_others_are_visited() -> None:
    island = Body(name="island", mesh=slab((2, 2, 0.5), (13, 0, 0)))
    world = World([FLOOR, island])
    goals = AllOf((at(3, 0), Goal(Place("island", np.array([13.0, 0.0, 0.0]))), at(0, 3)))
    plan = visit(world, goals)
    assert not plan
    assert "(13.00, 0.00, 0.00) on island" in plan.status.message
    points, _ = plan.track(np.linspace(plan.start, plan.end, 2_000), world)
    for x, y in ((3, 0), (0, 3)):
        assert np.linalg.norm(points[:, :2] - [x, y], axis=1).min() < 0.25


@pytest.mark.parametrize("seed", range(30))
def test_the_best_order_is_the_best_of_all(seed: int) -> None:
    rng = np.random.default_rng([seed, 17])
    goals = [at(float(x), float(y)) for x, y in rng.uniform(-5, 5, (5, 2))]
    table = {(a, b): float(rng.uniform(1, 9)) for a in [None, *goals] for b in goals}
    table |= {pair: inf for pair in list(table) if rng.random() < 0.1}

    def costs(here: Leaf | None, there: Leaf) -> float:
        return table[here, there]

    # The first two in this order; the third at either of two places.
    goal = AllOf((AllOf((goals[0], goals[1]), ordered=True), AnyOf((goals[2], goals[3])), goals[4]))
    (errand,) = errands(goal)
    total, order = best_order(errand, costs)
    least = inf
    for chosen in (goals[2], goals[3]):
        for way in permutations([goals[0], goals[1], chosen, goals[4]]):
            if way.index(goals[0]) > way.index(goals[1]):
                continue
            least = min(least, sum(costs(a, b) for a, b in zip((None, *way), way, strict=False)))
    assert total == pytest.approx(least)
    if total < inf:
        assert total == pytest.approx(
            sum(costs(a, b) for a, b in zip((None, *order), order, strict=False))
        )


def test_many_goals_are_visited_the_nearest_first() -> None:
    goals = tuple(at(float(x), 0.0) for x in range(12))

    def costs(here: Leaf | None, there: Leaf) -> float:
        x = -1.0 if here is None else float(here.place.position[0])
        return abs(float(there.place.position[0]) - x)

    (errand,) = errands(AllOf(goals[::-1]))
    assert best_order(errand, costs) == (12.0, list(goals))


def test_too_many_combinations_are_refused() -> None:
    pairs = tuple(AnyOf((AllOf((at(0, i), at(1, i))), at(2, i))) for i in range(9))
    with pytest.raises(ProblemError, match="in 512 ways, more than 256"):
        errands(AllOf(pairs))
