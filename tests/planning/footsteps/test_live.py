"""Many characters at once: plans that keep clear of each other and of the world."""

from itertools import pairwise

import numpy as np
import pytest

import surefoot as sf
from surefoot.errors import ProblemError
from surefoot.planning.footsteps import LiveFootsteps
from surefoot.planning.live import Asked
from surefoot.world.primitives import box, slab


def hall(*more):
    return sf.World([sf.Body(name="floor", mesh=slab((40.0, 40.0, 0.1))), *more])


@pytest.fixture(scope="module")
def adult():
    return sf.people.adult()


def goal(x, y, tolerance=0.25):
    return sf.Goal(sf.Place(None, (x, y, 0.0)), tolerance=tolerance)


def admitted(planner, character, spots):
    return {
        i: planner.admit(i, character, sf.Place(None, (x, y, 0.0)), heading, 0.0)
        for i, (x, y, heading) in enumerate(spots)
    }


def ask(agent, plan, target, begin=0.5, horizon=8, nodes=3000):
    return Asked(
        agent=agent, plan=plan, begin=begin, goal=target, horizon=horizon, nodes=nodes
    )  # fmt: skip


def gap(one, other, times):
    """The least distance between what the cylinders of two plans are around, less their radii."""
    a, b = one.figures(times), other.figures(times)
    radii = one.repertoire.colliders.radii
    away = np.linalg.norm(a[:, :, None, :2] - b[:, None, :, :2], axis=-1)
    high = one.repertoire.colliders.high
    low = one.repertoire.colliders.low
    meet = (a[:, :, None, 2] + low[:, None] <= b[:, None, :, 2] + high) & (
        b[:, None, :, 2] + low <= a[:, :, None, 2] + high[:, None]
    )
    return np.where(meet, away - radii[:, None] - radii, np.inf).min()


def test_who_walks_keeps_clear_of_who_stands(adult):
    planner = LiveFootsteps(hall())
    plans = admitted(planner, adult, [(0.0, 0.0, 0.0), (3.0, 0.05, 0.0)])
    answer = planner.plan([ask(0, plans[0], goal(6.0, 0.0), horizon=14)], plans, 0.0)[0]
    assert answer.plan is not None
    assert answer.plan.spots([answer.plan.end])[0][0, 0] > 3.6
    assert planner.clear(0, answer.plan, plans, 0.0)
    times = np.arange(0.0, answer.plan.end, 0.01)
    assert gap(answer.plan, plans[1], times) > 0.02


def test_plans_that_meet_are_told(adult):
    planner = LiveFootsteps(hall())
    plans = admitted(planner, adult, [(-3.0, 0.0, 0.0), (3.0, 0.0, np.pi)])
    asked = [ask(0, plans[0], goal(3.0, 0.0)), ask(1, plans[1], goal(-3.0, 0.0))]
    first, second = (answer.plan for answer in planner.plan(asked, plans, 0.0))
    # Each for itself goes straight through where the other goes too.
    assert not planner.clear(1, second, {0: first}, 0.0)
    times = np.arange(0.0, max(first.end, second.end), 0.01)
    assert gap(first, second, times) < 0.02
    # One that knows of the other keeps clear.
    again = planner.plan(asked[1:], {**plans, 0: first}, 0.0)[0].plan
    assert planner.clear(1, again, {0: first}, 0.0)
    assert gap(first, again, np.arange(0.0, max(first.end, again.end), 0.01)) > 0.0


def test_a_plan_goes_on_where_the_last_one_is(adult):
    planner = LiveFootsteps(hall())
    plans = admitted(planner, adult, [(0.0, 0.0, 0.0)])
    first = planner.plan([ask(0, plans[0], goal(9.0, 0.0))], plans, 0.0)[0].plan
    begin = float(first.actions[3])
    t = begin - 0.2
    second = planner.plan([ask(0, first, goal(9.0, 3.0), begin)], {0: first}, t)[0].plan
    times = np.linspace(t, begin, 9)[:-1]
    for one, other in zip(first.spots(times), second.spots(times), strict=True):
        assert np.allclose(one, other)
    assert np.allclose(first.figures(times), second.figures(times), atol=1e-5)
    assert begin in second.actions.tolist()
    ids = second.ids.tolist()
    follows = second.repertoire.successors
    for a, b in pairwise(ids):
        assert b in follows.actions[follows.offsets[a] : follows.offsets[a + 1]].tolist()
    assert ids[-1] == second.repertoire.stand


@pytest.mark.parametrize("seed", [1, 2])
def test_the_same_bits_at_any_number_of_threads(adult, seed):
    rng = np.random.default_rng(seed)
    spots = [(x, y, rng.uniform(-3, 3)) for x in (-6, -3, 0, 3, 6) for y in (-6, -3, 0, 3, 6)]
    goals = [goal(*rng.uniform(-8, 8, 2)) for _ in spots]
    found = []
    for threads in (1, 2, 3):
        planner = LiveFootsteps(hall())
        plans = admitted(planner, adult, spots)
        asked = [ask(i, plans[i], goals[i]) for i in plans]
        found.append(planner.plan(asked, plans, 0.0, threads=threads))
    for answers in found[1:]:
        for one, other in zip(found[0], answers, strict=True):
            assert one.nodes == other.nodes
            assert np.array_equal(one.plan.ids, other.plan.ids)
            assert np.array_equal(one.plan.states, other.plan.states)


def test_nobody_passes_a_thin_wall(adult):
    wall = sf.Body(name="wall", mesh=box((0.02, 3.0, 2.0), (2.0, 0.0, 1.0)))
    world = hall(wall)
    problem = sf.Problem(
        world=world, character=adult, start=sf.Place(None, (0.0, 0.0, 0.0)),
        goal=sf.Goal(sf.Place(None, (4.0, 0.0, 0.0))), start_heading=0.0,
    )  # fmt: skip
    plan = sf.plan(problem, sf.Footsteps())
    assert plan, plan.status.message
    assert plan.check(world), str(plan.check(world))
    points, _ = plan.track(np.arange(plan.start, plan.end, 0.02), world)
    crossing = np.flatnonzero(np.diff(np.sign(points[:, 0] - 2.0)))
    assert np.abs(points[crossing, 1]).min() > 1.5


def test_something_that_moves_is_waited_for_or_gone_round(adult):
    """A deterministic obstacle (5.5.2) that crosses the way when one would be there."""
    times = np.array([0.0, 8.0])
    keys = np.array([[2.0, -4.0, 0.9], [2.0, 4.0, 0.9]])
    mover = sf.Body(
        name="cart", mesh=box((1.0, 1.0, 1.8), (0.0, 0.0, 0.0)),
        trajectory=sf.Keyframed(times, keys),
    )  # fmt: skip
    world = hall(mover)
    problem = sf.Problem(
        world=world, character=adult, start=sf.Place(None, (-1.5, 0.0, 0.0)),
        goal=sf.Goal(sf.Place(None, (5.0, 0.0, 0.0))), start_heading=0.0,
    )  # fmt: skip
    plan = sf.plan(problem, sf.Footsteps())
    assert plan, plan.status.message
    assert plan.check(world), str(plan.check(world))
    blind = sf.plan(problem.__class__(**{**vars(problem), "world": hall()}), sf.Footsteps())
    assert not blind.check(world), "the cart must be in the way of who does not know of it"


def test_threats_are_foreseen(adult):
    seen = sf.Observed.first(0.0, sf.Pose((3.0, 0.0, 0.9)), velocity=(-1.5, 0.0, 0.0))
    cart = sf.Body(name="cart", mesh=box((0.6, 0.6, 1.8), (0.0, 0.0, 0.0)), trajectory=seen)
    planner = LiveFootsteps(hall(cart))
    plans = admitted(planner, adult, [(0.0, 0.0, 0.0), (0.0, 5.0, 0.0)])
    struck = planner.threats(plans, ["cart"], 0.0)
    assert 1.0 < struck[0] < 2.2
    assert struck[1] == np.inf
    answer = planner.plan([ask(0, plans[0], goal(0.0, 0.0, 2.5), begin=0.0)], plans, 0.0)[0]
    assert answer.plan is not None
    assert planner.threats({0: answer.plan}, ["cart"], 0.0)[0] == np.inf


def test_bad_places_are_refused(adult):
    planner = LiveFootsteps(hall(sf.Body(name="block", mesh=box((1.0, 1.0, 2.0), (5.0, 0.0, 1.0)))))
    with pytest.raises(ProblemError, match="block"):
        planner.admit(0, adult, sf.Place(None, (5.0, 0.0, 0.0)), 0.0, 0.0)
    with pytest.raises(ProblemError, match="mid-air"):
        planner.admit(0, adult, sf.Place(None, (0.0, 0.0, 2.0)), 0.0, 0.0)


def test_a_row_of_people_is_gone_round(adult):
    """A coarser plan guides the finer one: a few steps ahead there is only the row."""
    planner = LiveFootsteps(hall())
    row = [(3.0, y, 0.0) for y in np.linspace(-1.8, 1.8, 7)]
    plans = admitted(planner, adult, [(0.0, 0.0, 0.0), *row])
    plan, t = plans[0], 0.0
    target = goal(6.0, 0.0)
    for _ in range(12):
        begins = [float(a) for a in plan.actions if a >= t] or [max(t, plan.end)]
        question = ask(0, plan, target, begin=begins[0], horizon=5, nodes=600)
        answer = planner.plan([question], {**plans, 0: plan}, t)[0]
        assert answer.plan is not None
        plan, t = answer.plan, begins[0] + 0.9
        if plan.reached:
            break
    assert plan.reached
    assert planner.clear(0, plan, plans, 0.0)
