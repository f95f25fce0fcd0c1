"""Something nobody could foresee is about to strike: bodies react, and no pose jumps."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.agents import Crowd, CrowdSettings, Entrant, Event
from surefoot.agents.collisions import find_touches
from surefoot.agents.film import Film
from surefoot.math import Pose, rotations
from surefoot.planning.footsteps import LiveFootsteps
from surefoot.planning.goals import Goal
from surefoot.planning.live import Asked
from surefoot.world import Body, Keyframed, Place, Static, World, primitives

DT = 1 / 60


def met(adult, floor, *, reactive, lead, goal=None, speed=1.5):
    """A cart comes out of nowhere, `lead` [s] before it strikes; the crowd and its film."""
    crowd = Crowd(
        floor,
        [Entrant(adult, (-4.0, 0.0, 0.0), goal=goal)],
        settings=CrowdSettings(reactive=reactive),
    )
    while crowd.t < 2.5:
        crowd.step(DT)
    strikes = crowd.t + lead
    spot = crowd.plans()[0].spots([strikes])[0][0]
    away, past = np.array([0.0, speed * lead, 0.75]), np.array([0.0, -speed * 4.0, 0.75])
    ends = [spot + away, spot + past]
    way = Keyframed(np.array([crowd.t, strikes + 4.0]), np.array(ends))
    cart = primitives.box((0.6, 0.6, 1.4))
    floor.add(Body(name="cart", mesh=cart, trajectory=Static(Pose(ends[0]))))
    film = Film(floor)
    while crowd.t < strikes + 2.5:
        floor.observe("cart", crowd.t, way.pose(crowd.t))
        film.shoot(crowd)
        crowd.step(DT)
    film.world = World(floor)
    film.world.move("cart", way)
    return crowd, film


@pytest.mark.parametrize(("goal", "lead"), [(None, 1.5), ((8.0, 0.0, 0.0), 1.1)])
def test_who_reacts_is_not_struck_and_who_does_not_is(adult, floor, goal, lead):
    struck = {}
    for reactive in (False, True):
        world = World(floor)
        crowd, film = met(adult, world, reactive=reactive, lead=lead, goal=goal)
        assert crowd.events[Event.COLLISION] > 0
        struck[reactive] = {contact.body for contact in find_touches(film).contacts}
        assert (crowd.report().reactions > 0) is reactive
    assert struck == {False: {"cart"}, True: set()}
    # No jump: as fast as joints of people who walk turn, and no faster.
    take = film.take(0)
    assert np.linalg.norm(np.diff(take.root, axis=0), axis=1).max() / DT < 3.0
    turned = rotations.multiply(rotations.inverse(take.rotations[:-1]), take.rotations[1:])
    angle = 2.0 * np.arccos(np.clip(np.abs(turned[..., 0]), 0.0, 1.0))
    assert angle.max() / DT < 20.0
    assert np.nanmax(take.foot_slide()) < 1e-3


def test_a_stand_is_broken_off_at_once_and_a_step_is_not(adult, floor):
    planner = LiveFootsteps(floor)
    stood = planner.admit(0, adult, Place(None, np.zeros(3)), 0.0, 0.0)
    goal = Goal(Place(None, np.array([3.0, 0.0, 0.0])))
    asked = Asked(agent=0, plan=stood, begin=0.0, goal=goal, horizon=4, nodes=500)
    walks = planner.plan([asked], {0: stood}, 0.0)[0].plan
    assert walks is not None
    first, second = walks.actions[:2].tolist()
    assert walks.soonest(first + 0.1) == second
    assert stood.soonest(0.21) == 0.21
    # In the middle of its stand.
    urgent = Asked(agent=0, plan=stood, begin=0.21, goal=goal, horizon=4, nodes=500, urgent=True)
    answer = planner.plan([urgent], {0: stood}, 0.21)[0]
    assert answer.reaction
    assert answer.plan is not None
    assert answer.plan.start == 0.21
    before = planner.poses({0: stood}, 0.21 - 1e-4)
    after = planner.poses({0: answer.plan}, 0.21 + 1e-4)
    assert np.abs(after.root - before.root).max() < 1e-3
    assert np.abs(after.rotations - before.rotations).max() < 2e-3


def test_a_reaction_is_replayed_to_the_same_bits(adult, floor):
    crowd, _ = met(adult, floor, reactive=True, lead=1.5)
    *_, again = crowd.recording().replay()
    assert again.digest == crowd.digest
    assert again.report() == crowd.report()
