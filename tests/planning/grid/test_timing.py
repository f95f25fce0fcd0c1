"""Plans among bodies that move: waited for, never run into, never ridden by mistake."""

from __future__ import annotations

import numpy as np
import pytest

from references.walkable_worlds import random_world
from surefoot.character import people
from surefoot.errors import ProblemError
from surefoot.planning import Goal, Kind, Outcome, Problem
from surefoot.planning.grid import Grid
from surefoot.world import Body, Keyframed, World
from surefoot.world.primitives import box, ground

ADULT = people.adult()
FLOOR = Body(name="floor", mesh=ground(12, 12))


def mover(size: tuple[float, ...], times: list[float], at: list[tuple[float, ...]]) -> Body:
    trajectory = Keyframed(np.array(times), np.array(at), repeat="ping-pong")
    return Body(name="mover", mesh=box(size, (0, 0, size[2] / 2)), trajectory=trajectory)


def problem(world: World, **given: object) -> Problem:
    goal = Goal(world.place((4, 0, 0)), **given)
    return Problem(
        world=world, character=ADULT, start=world.place((-4, 0, 0)), goal=goal, horizon=120.0
    )


@pytest.mark.parametrize("seed", range(16))
def test_every_plan_among_movers_holds(seed: int) -> None:
    rng = np.random.default_rng([seed, 31])
    world = random_world(rng)
    for k in range(3):
        (a, b), period = rng.uniform(-4.5, 4.5, (2, 2)), rng.uniform(3, 12)
        size = (*rng.uniform(0.3, 1.5, 2), float(rng.choice([0.15, 0.3, 2.0])))
        trajectory = Keyframed(
            np.array([0, period]), np.array([[*a, 0], [*b, 0]]), repeat="ping-pong"
        )
        mesh = box(size, (0, 0, size[2] / 2))
        world.add(Body(name=f"mover {k}", mesh=mesh, trajectory=trajectory))
    for _ in range(2):
        spots = np.column_stack([rng.uniform(-4.6, 4.6, (2, 2)), [6.0, 6.0]])
        spots[:, 2] = world.support(spots, down=20.0).height + 0.01
        try:
            asked = Problem(
                world=world,
                character=ADULT,
                start=world.place(spots[0]),
                goal=Goal(world.place(spots[1])),
                horizon=120.0,
            )
            plan = Grid().plan(asked)
        except ProblemError:
            continue
        check = plan.check(world)
        assert check, f"seed {seed}: {check}"


def test_what_is_too_low_to_run_into_is_not_stepped_on_while_it_moves() -> None:
    # A flat truck of 0.2 m crosses the way, and is long enough to be met.
    truck = mover((1.0, 4.0, 0.2), [0.0, 9.0], [(0, -7, 0), (0, 7, 0)])
    world = World([FLOOR, truck])
    plan = Grid().plan(problem(world))
    assert plan
    assert Kind.WAIT in {segment.kind for segment in plan.segments}
    check = plan.check(world)
    assert check, str(check)


def test_who_is_early_does_not_wait_where_something_comes_by() -> None:
    # It crosses the goal between 8 s and 12 s; arriving counts from 20 s on.
    cart = mover((1.0, 1.0, 1.0), [0.0, 8.0, 12.0, 60.0], [(4, -5, 0)] * 2 + [(4, 5, 0)] * 2)
    world = World([FLOOR, cart])
    plan = Grid().plan(problem(world, arrive=(20.0, np.inf)))
    assert plan
    assert plan.end >= 20.0
    check = plan.check(world)
    assert check, str(check)


def test_as_near_as_something_that_stays_lets_one_come() -> None:
    # Something fills a passage, and swings to and fro in it without ever letting go.
    walls = [Body(name=f"wall {y}", mesh=box((0.2, 5, 2), (0, y, 1))) for y in (-3.5, 3.5)]
    door = mover((0.6, 1.9, 2.0), [0.0, 2.0], [(-0.6, 0, 0), (0.6, 0, 0)])
    world = World([FLOOR, *walls, door])
    plan = Grid().plan(problem(world))
    assert plan.status.outcome is Outcome.OUT_OF_TIME
    assert "'mover' does not let it pass" in plan.status.message
    check = plan.check(world)
    assert check, str(check)
    # None of thousands of departures had to be tried: the passage is never free.
    assert plan.statistics["sweeps"] < 200
