"""One character on level ground, from the problem to the animation."""

from itertools import pairwise

import numpy as np
import pytest

import surefoot as sf
from surefoot.errors import ProblemError
from surefoot.world.primitives import slab


@pytest.fixture(scope="module")
def hall():
    return sf.World([sf.Body(name="floor", mesh=slab((30.0, 30.0, 0.1)))])


@pytest.fixture(scope="module")
def adult():
    return sf.people.adult()


def problem(world, character, goal, **more):
    return sf.Problem(
        world=world, character=character, start=sf.Place(None, (0.0, 0.0, 0.0)),
        goal=goal, start_heading=more.pop("start_heading", 0.0), **more,
    )  # fmt: skip


def to(x, y, **more):
    return sf.Goal(sf.Place(None, (x, y, 0.0)), **more)


@pytest.mark.parametrize("goal", [(4.0, 1.0), (-3.0, 1.0), (0.5, 1.5), (9.0, -6.0)])
def test_a_plan_reaches_its_goal_and_every_claim_holds(hall, adult, goal):
    plan = sf.plan(problem(hall, adult, to(*goal)), sf.Footsteps())
    assert plan, plan.status.message
    assert plan.check(hall), str(plan.check(hall))
    end = plan.position(plan.end, hall)
    assert np.hypot(end[0] - goal[0], end[1] - goal[1]) <= 0.25
    assert plan.footsteps
    assert plan.segments[-1].kind == "wait"


def test_feet_take_turns(hall, adult):
    plan = sf.plan(problem(hall, adult, to(6.0, 0.0)), "footsteps")
    landed = [step.foot for step in plan.footsteps if step.start > plan.start]
    assert len(landed) > 5
    assert all(a != b for a, b in pairwise(landed))


def test_the_animation_keeps_planned_feet_and_places(hall, adult):
    plan = sf.plan(problem(hall, adult, to(4.0, 2.0)), sf.Footsteps())
    animation = sf.animate(plan, hall, adult, rate=60.0)
    assert np.nanmax(animation.foot_slide()) < 1e-3
    for planned, done in zip(plan.footsteps, animation.footsteps, strict=True):
        assert planned.foot == done.foot
        away = hall.position(planned.place, 0.0) - hall.position(done.place, 0.0)
        assert np.abs(away).max() < 1e-6
    # The pelvis is over the planned way, but for its sway.
    away = np.linalg.norm(animation.root[:, :2] - animation.path[:, :2], axis=1)
    assert away.max() < 0.16


def test_walking_is_ahead(hall, adult):
    plan = sf.plan(problem(hall, adult, to(-5.0, 0.5)), sf.Footsteps())
    points, headings = plan.track(np.arange(plan.start, plan.end, 0.05), hall)
    way = np.diff(points[:, :2], axis=0)
    ahead = way[:, 0] * np.cos(headings[:-1]) + way[:, 1] * np.sin(headings[:-1])
    assert ahead.sum() > 0.75 * np.linalg.norm(way, axis=1).sum()


def test_a_heading_at_the_goal(hall, adult):
    goal = to(3.0, 0.0, heading=np.pi / 2)
    plan = sf.plan(problem(hall, adult, goal), sf.Footsteps())
    assert plan, plan.status.message
    assert abs(plan.heading(plan.end, hall) - np.pi / 2) <= np.pi / 12 + 1e-6


def test_an_early_goal_is_waited_for(hall, adult):
    goal = to(2.0, 0.0, arrive=(8.0, 12.0))
    plan = sf.plan(problem(hall, adult, goal), sf.Footsteps())
    assert plan, plan.status.message
    assert 8.0 <= plan.end <= 12.0
    assert plan.check(hall)


def test_out_of_time(hall, adult):
    plan = sf.plan(problem(hall, adult, to(12.0, 0.0), horizon=3.0), sf.Footsteps())
    assert not plan
    assert "12.00" in plan.status.message


def test_a_small_budget_gets_part_of_the_way(hall, adult):
    settings = sf.FootstepSettings(nodes=6)
    plan = sf.plan(problem(hall, adult, to(12.0, 0.0)), sf.Footsteps(settings))
    assert not plan
    assert plan.status.outcome == "exhausted"
    assert plan.check(hall)
    assert 0.5 < plan.position(plan.end, hall)[0] < 6.0


def test_a_plan_survives_a_file(hall, adult, tmp_path):
    plan = sf.plan(problem(hall, adult, to(2.0, 1.0)), sf.Footsteps())
    plan.save(tmp_path / "plan.json")
    again = sf.Plan.load(tmp_path / "plan.json")
    assert again == plan
    first, second = (sf.animate(one, hall, adult) for one in (plan, again))
    assert np.array_equal(first.rotations, second.rotations)


def test_regions_are_refused(hall, adult):
    region = sf.Region(low=(1.0, 1.0, -1.0), high=(2.0, 2.0, 1.0))
    with pytest.raises(ProblemError, match="regions"):
        sf.plan(problem(hall, adult, region), sf.Footsteps())


def test_bad_settings_are_named():
    with pytest.raises(ProblemError, match="speeds must hold 1"):
        sf.FootstepSettings(speeds=(0.5,))
    with pytest.raises(ProblemError, match="unknown mode 'crawl'"):
        sf.FootstepSettings(modes=("crawl",))
    with pytest.raises(ProblemError, match="weight"):
        sf.FootstepSettings(weight=0.5)
