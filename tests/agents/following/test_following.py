"""Simulated bodies that follow plans: what they are asked to do, and that they do it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")

import surefoot as sf  # noqa: E402
from surefoot.agents.following import (  # noqa: E402
    FollowSettings,
    Ground,
    follow,
    plan_for,
    slack_of,
)
from surefoot.errors import InputError, ProblemError  # noqa: E402
from surefoot.physics import Blend, Stage, load_body  # noqa: E402
from surefoot.physics.policies import GoToPoint, Limits, Policy, Setup, train  # noqa: E402
from surefoot.planning.plan import Outcome, Status  # noqa: E402
from surefoot.planning.segments import Kind  # noqa: E402
from surefoot.planning.segments import Policy as ByPolicy  # noqa: E402
from surefoot.world.primitives import ball, slab  # noqa: E402
from surefoot.world.scenes.disconnected import slide  # noqa: E402

SETUP = Setup(
    name="small",
    basic=("in place", "walk slowly", "walk backward"),
    between=(Blend("in place", "walk slowly", 0.5),),
    limits=Limits(trust=0.3, novelty=0.02, states=80),
    wandering=16,
)


@pytest.fixture(scope="module")
def policy() -> Policy:
    """Of a bird that goes straight ahead and back, which is all that these tests ask for."""
    bird = load_body("bird")
    return train(bird, GoToPoint(), setup=SETUP, keep=None, told=lambda _: None).policy


def quay(*more: sf.Body) -> sf.World:
    return sf.World([sf.Body(name="quay", mesh=slab((8, 4, 0.3))), *more])


def problem(world: sf.World, x: float = 1.5) -> sf.Problem:
    return sf.Problem(
        world=world, character=sf.people.adult(), start=sf.Place("quay", (0.0, 0.0, 0.0)),
        goal=sf.Goal(sf.Place("quay", (x, 0.0, 0.0)), tolerance=0.3), start_heading=0.0,
    )  # fmt: skip


def test_a_plan_is_stretched_to_the_policy_s_pace(policy: Policy) -> None:
    asked = problem(quay())
    usual = sf.plan(replace(asked, capabilities=("walk",)), sf.Grid())
    slow = plan_for(policy, asked, sf.Grid(), pace=0.4)
    assert slow.duration == pytest.approx(usual.duration / 0.4, rel=1e-6)
    assert slow.check(asked.world)
    assert all(segment.execution == ByPolicy("go-to-point") for segment in slow.segments)


def test_a_policy_is_asked_for_nothing_that_it_cannot_do(policy: Policy) -> None:
    asked = problem(quay())
    slow = plan_for(policy, asked, sf.Grid(), pace=0.4)
    assert set(slow.capabilities) == {"walk"}
    with pytest.raises(InputError, match="executes walk, turn, wait, ride, board"):
        plan_for(policy, replace(asked, capabilities=("run",)), sf.Grid(), pace=0.4)
    with pytest.raises(InputError, match=r"'robust-walk' cannot follow plans; .* go-to-point"):
        plan_for(replace(policy, task="robust-walk"), asked, sf.Grid(), pace=0.4)


def test_a_simulated_body_follows(policy: Policy) -> None:
    asked = problem(quay())
    done = follow(asked, policy, planner=sf.Grid(), settings=FollowSettings(pace=0.2))
    assert done, done.told()
    assert done.standing
    assert done.carriers == ("quay",)
    assert done.off.max() < 0.6
    # It really walked: its root is at the goal, as high above the quay as it began.
    frames = done.ground.lowered(done.frames)
    assert frames[-1, 0] == pytest.approx(1.5, abs=0.5)
    assert frames[-1, 2] == pytest.approx(frames[0, 2], abs=0.15)
    again = follow(asked, policy, planner=sf.Grid(), settings=FollowSettings(pace=0.2))
    np.testing.assert_array_equal(again.frames, done.frames)
    shown = done.world()
    assert "quay" in shown
    assert len(shown.names) == 1 + len(policy.body.anatomy.parts)


def test_nothing_is_followed_where_nothing_leads(policy: Policy) -> None:
    far = sf.Body(name="far", mesh=slab((2, 2, 0.3), (20.0, 0.0, 0.0)))
    asked = replace(problem(quay(far)), goal=sf.Goal(sf.Place("far", (20.0, 0.0, 0.0))))
    with pytest.raises(ProblemError, match="nothing to follow"):
        follow(asked, policy, planner=sf.Grid())


def test_slack_is_how_long_carriers_stay_together() -> None:
    near, away = np.array([5.0, 0.0, 0.0]), np.array([9.0, 0.0, 0.0])
    ferry = sf.Body(name="ferry", mesh=slab((2, 2, 0.3)), trajectory=slide(near, away, 1.0, 10, 0))
    world = quay(ferry)
    board = sf.Segment(
        kind=Kind.BOARD, capability="walk", times=np.array([4.0, 6.0]),
        positions=np.array([[-1.5, 0.0, 0.0], [-0.5, 0.0, 0.0]]), headings=np.zeros(2),
        frame="ferry",
    )  # fmt: skip
    adult = sf.people.adult()
    plan = sf.Plan(
        character="adult", capabilities=adult.capabilities, start=4.0, segments=(board,),
        origin=sf.Place("quay", (3.5, 0.0, 0.0)), goal=sf.Goal(sf.Place("ferry", (0, 0, 0))),
        status=Status(Outcome.REACHED, ""),
    )  # fmt: skip
    # The ferry leaves at 10 s, and slowly at first.
    assert slack_of(plan, world, 2.0) == 2.0
    assert slack_of(plan, world, 9.0) == pytest.approx(4.6, abs=0.6)
    late = replace(board, times=board.times + 5.0)
    assert slack_of(replace(plan, segments=(late,)), world, 9.0) < 0.7


def test_ground_is_what_can_be_simulated(policy: Policy) -> None:
    asked = problem(quay())
    plan = plan_for(policy, asked, sf.Grid(), pace=0.4)
    far = sf.Body(name="balloon", mesh=ball(0.5, (3.0, 0.0, 30.0)))
    ground = Ground(quay(far), policy.body, plan)
    assert ground.top("quay") == 0.0
    edge = ground.with_room(sf.Place("quay", (3.9, -2.0, 0.0)), 0.5)
    np.testing.assert_allclose(edge.position, [3.5, -1.5, 0.0])
    near = sf.Body(name="balloon", mesh=ball(0.5, (1.0, 0.0, 0.5)))
    with pytest.raises(InputError, match="'balloon' is no box"):
        Ground(quay(near), policy.body, plan)
    state = Stage(policy.body).standing()
    there = ground.stood(state, sf.Place("quay", (1.0, 0.5, 0.0)), 0.7, 0.0)
    seen = ground.seen_from(there, "quay", 0.0)
    np.testing.assert_allclose(seen.places[0, :2], [1.0, 0.5], atol=1e-9)
    assert float(seen.headings[0]) == pytest.approx(0.7)
    assert ground.under(there, 0.0) == "quay"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [({"pace": 1.2}, "pace must be at most 1"), ({"ahead": 0.0}, "ahead must be"),
     ({"plans": 1.5}, "plans must be a whole number"), ({"room": -1.0}, "room must be")],
)  # fmt: skip
def test_settings_are_checked(wrong: dict[str, float], told: str) -> None:
    with pytest.raises(InputError, match=told):
        FollowSettings(**wrong)


@pytest.mark.slow
def test_the_humanoid_takes_the_ferry_and_the_lift() -> None:
    scene = sf.scenes.load("ferry landing")
    leads = train(load_body("humanoid"), GoToPoint()).policy
    asked = sf.Problem(
        world=scene.world, character=sf.people.adult(), start=scene.start,
        goal=sf.Goal(scene.place("terrace"), tolerance=0.4), horizon=scene.horizon,
    )  # fmt: skip
    done = follow(asked, leads)
    assert done, done.told()
    assert done.carriers == ("quay", "ferry", "far quay", "lift", "terrace")
    assert all(plan.check(scene.world) for plan in done.plans)
