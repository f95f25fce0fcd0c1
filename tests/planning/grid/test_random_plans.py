"""Plans in worlds of many kinds: whatever is planned holds, and whoever walks it stands firmly."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from references.walkable_worlds import random_world
from surefoot.animation import animate
from surefoot.animation.animate import plan_footsteps
from surefoot.character import Character, people
from surefoot.errors import ProblemError
from surefoot.motion.quality import assess
from surefoot.planning import Goal, Kind, Plan, Problem
from surefoot.planning.grid import Grid, GridSettings
from surefoot.world import World

ADULT, CHILD = people.adult(), people.child()
SEEDS = 30


def problems(seed: int, character: Character, count: int = 3) -> list[Problem]:
    """Problems in a random world: between places where one can stand."""
    rng = np.random.default_rng([seed, 29])
    world = random_world(rng)
    found: list[Problem] = []
    while len(found) < count:
        spots = np.column_stack([rng.uniform(-4.6, 4.6, (2, 2)), [6.0, 6.0]])
        ground = world.support(spots, down=20.0)
        if not ground.hit.all():
            continue
        spots[:, 2] = ground.height + 0.01
        try:
            found.append(
                Problem(
                    world=world,
                    character=character,
                    start=world.place(spots[0]),
                    goal=Goal(world.place(spots[1])),
                    horizon=300.0,
                )
            )
        except ProblemError:
            continue
    return found


def planned(problem: Problem, settings: GridSettings) -> Plan | None:
    """The plan; none for who stands on something forbidden or in a corner without a way out."""
    try:
        return Grid(settings).plan(problem)
    except ProblemError as reason:
        if "is not next to ground" not in str(reason):
            raise
        return None


@pytest.mark.parametrize("seed", range(SEEDS))
def test_every_plan_holds(seed: int) -> None:
    character = (ADULT, CHILD)[seed % 2]
    for problem in problems(seed, character):
        plan = planned(problem, GridSettings())
        if plan is not None:
            check = plan.check(problem.world)
            assert check, f"seed {seed}: {check}"


def test_among_them_are_all_kinds_of_pieces() -> None:
    kinds: Counter[Kind] = Counter()
    reached = 0
    for seed in range(SEEDS):
        for problem in problems(seed, ADULT, 1):
            plan = planned(problem, GridSettings())
            if plan is not None:
                kinds.update(segment.kind for segment in plan.segments)
                reached += bool(plan)
    assert reached > 0.6 * SEEDS
    assert {Kind.WALK, Kind.JUMP, Kind.BEND} <= set(kinds)
    assert {Kind.STEP_OVER, Kind.STEP_UP, Kind.STEP_DOWN} & set(kinds)


PAPER = GridSettings(
    metric="steps",
    diagonals="one flank",
    borders="closed",
    border_sides=4,
    smoothing="junctions",
    clearance=0.0,
    shyness=0.0,
)
"""As bandi2000 does it."""


@pytest.mark.parametrize("seed", range(0, SEEDS, 3))
@pytest.mark.parametrize(
    "settings",
    [
        PAPER,
        GridSettings(connectivity=4),
        GridSettings(search="bushfire", metric="steps"),
        GridSettings(search="front"),
        GridSettings(neighbours="first layer"),
        GridSettings(cell=0.3, layers=1, rounding=0.0),
        GridSettings(cell=0.08),
    ],
    ids=["paper", "4", "bushfire", "front", "first layer", "coarse", "fine"],
)
def test_every_setting_gives_plans_that_hold(seed: int, settings: GridSettings) -> None:
    for problem in problems(seed, ADULT, 1):
        plan = planned(problem, settings)
        if plan is not None:
            check = plan.check(problem.world)
            assert check, f"seed {seed}: {check}"


def firm(world: World, plan: Plan) -> tuple[str, ...]:
    """What is wrong with the walk along a plan."""
    motion = animate(plan, world, ADULT).motion
    problems = assess(motion, ADULT.measures, world=world).problems
    feet = replace(plan, footsteps=plan_footsteps(plan, world, ADULT)).check(world)
    return (
        *(found for found in problems if "inside" in found or "slide" in found),
        *map(str, feet.violations),
    )


@pytest.mark.parametrize("seed", range(0, SEEDS, 5))
def test_who_walks_them_stands_on_the_ground_with_every_foot(seed: int) -> None:
    settings = GridSettings(actions=("walk", "step over", "jump"))
    for problem in problems(seed, ADULT, 1):
        plan = planned(problem, settings)
        if plan and plan.segments:
            assert firm(problem.world, plan) == ()


def test_who_lands_near_an_edge_steps_aside_and_walks_on() -> None:
    (problem,) = problems(124, ADULT, 1)
    plan = planned(problem, GridSettings())
    assert plan
    assert [segment.kind for segment in plan.segments].count(Kind.JUMP) == 2
    motion = animate(plan, problem.world, ADULT).motion
    assert assess(motion, ADULT.measures, world=problem.world).problems == ()


def test_a_foot_that_comes_down_late_for_a_jump_hurries() -> None:
    _, problem = problems(159, CHILD, 2)
    plan = planned(problem, GridSettings())
    assert plan
    motion = animate(plan, problem.world, CHILD).motion
    assert assess(motion, CHILD.measures, world=problem.world).slide < 1e-3
