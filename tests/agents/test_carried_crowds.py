"""Crowds on floors that move."""

import numpy as np
import pytest

import surefoot as sf
from surefoot.agents import CrowdSettings, Recording, scenes
from surefoot.agents.collisions import find_touches
from surefoot.agents.film import Film
from surefoot.agents.play import gather, play
from surefoot.math import Pose
from surefoot.world import Keyframed, Static
from surefoot.world.primitives import slab


@pytest.fixture(scope="module")
def adult():
    return sf.people.adult()


def drifting(speed=0.3):
    """A raft that drifts along a quay."""
    way = Keyframed(np.array([0.0, 100.0]), np.array([[0.0, 0.0, 0.0], [100 * speed, 0.0, 0.0]]))
    quay = sf.Body(
        name="quay", mesh=slab((40.0, 4.0, 0.2)), trajectory=Static(Pose(np.array([0, -4.06, 0])))
    )
    return sf.World([quay, sf.Body(name="raft", mesh=slab((8.0, 4.0, 0.2)), trajectory=way)])


@pytest.mark.parametrize(("name", "agents"), [("moving walkways", 3), ("ferry", 3)])
def test_they_are_carried_across_without_a_touch_or_a_slide(name, agents):
    played = play(scenes.load(name, seed=3, agents=agents), dt=1 / 60)
    assert played.arrived == agents
    assert find_touches(played.film).contacts == ()
    for agent in played.film.agents:
        take = played.film.take(agent)
        assert np.nanmax(take.foot_slide()) < 1e-3
        # Somebody stood on what moves: feet that were locked to the world would be left behind.
        assert np.isfinite(take.foot_slide()).any()


def test_slide_is_measured_against_what_carries(adult):
    world = drifting()
    crowd = sf.Crowd(world, [sf.Entrant(adult, sf.Place("raft", (0.0, 0.0, 0.0)))])
    film, still = Film(world), Film(sf.World([world["raft"].moved(Static())]))
    for _ in range(30):
        film.shoot(crowd)
        still.shoot(crowd)
        crowd.step(1 / 60)
    assert np.nanmax(film.take(0).foot_slide()) < 1e-6
    assert np.nanmax(still.take(0).foot_slide()) == pytest.approx(0.3, abs=1e-3)


def test_goals_on_what_moves_are_gone_to_and_kept(adult):
    world = drifting()
    goal = sf.Goal(sf.Place("raft", (1.0, 0.5, 0.0)))
    crowd = sf.Crowd(world, [sf.Entrant(adult, (0.0, -4.0, 0.0), goal=goal)])
    while crowd.t < 12.0:
        crowd.step(1 / 30)
    assert crowd.arrived(0)
    assert crowd.plans()[0].rides
    spot = crowd.spots()[0][0]
    assert np.linalg.norm(spot - world.position(goal.place, crowd.t)) < 0.3
    # It stands there and goes along: nothing is planned anew though the place moves on.
    before = sum(len(frame.taken) for frame in crowd.frames)
    while crowd.t < 20.0:
        crowd.step(1 / 30)
    assert sum(len(frame.taken) for frame in crowd.frames) == before
    assert np.linalg.norm(crowd.spots()[0][0] - spot) == pytest.approx(0.3 * 8.0, abs=0.05)
    footsteps = crowd.footsteps(0)
    assert {step.place.body for step in footsteps} <= {"raft", "quay"}


def test_who_is_carried_towards_somebody_makes_way(adult):
    """Two stand; the one on the raft is carried past the other at the very edge of the quay."""
    world = drifting()
    crowd = sf.Crowd(
        world,
        [
            sf.Entrant(adult, sf.Place("raft", (-2.0, -1.75, 0.0)), heading=1.57),
            sf.Entrant(adult, (1.0, -2.3, 0.0), heading=1.57),
        ],
    )
    film = Film(world)
    while crowd.t < 14.0:
        film.shoot(crowd)
        crowd.step(1 / 30)
    assert find_touches(film).contacts == ()
    # It went by: it was not turned back.
    assert crowd.spots()[0][0, 0] > 1.5


def test_runs_on_what_moves_are_replayed_and_the_same_on_any_number_of_threads(tmp_path):
    scene = scenes.load("moving walkways", seed=1, agents=2)
    one, many = gather(scene), gather(scene, settings=CrowdSettings(threads=2))
    for _ in range(90):
        one.step(1 / 30)
        many.step(1 / 30)
    assert one.digest == many.digest
    assert np.array_equal(one.poses().rotations, many.poses().rotations)
    one.recording().save(tmp_path / "run.json")
    *_, again = Recording.load(tmp_path / "run.json").replay()
    assert again.digest == one.digest
    assert np.array_equal(again.spots()[0], one.spots()[0])


def test_who_stands_on_what_is_stopped_stops(adult):
    world = drifting()
    crowd = sf.Crowd(world, [sf.Entrant(adult, sf.Place("raft", (0.0, 0.0, 0.0)))])
    for _ in range(60):
        crowd.step(1 / 30)
    here = world["raft"].trajectory.pose(crowd.t)
    world.move("raft", Static(here))
    shots = []
    for _ in range(30):
        crowd.step(1 / 30)
        shots.append(crowd.poses().root[0])
    assert np.ptp(np.array(shots)[:, :2], axis=0).max() < 0.05
    assert crowd.spots()[0][0, 0] == pytest.approx(here.position[0], abs=1e-6)


def test_what_carries_somebody_is_taken_away(adult):
    """The run goes on: it is said, and the others go on as well."""
    world = drifting()
    crowd = sf.Crowd(
        world,
        [
            sf.Entrant(adult, sf.Place("raft", (0.0, 0.0, 0.0))),
            sf.Entrant(adult, (0.0, -4.0, 0.0), goal=sf.Goal(sf.Place("raft", (1.0, 0.5, 0.0)))),
            sf.Entrant(adult, (-2.0, -4.0, 0.0), goal=(-6.0, -4.0, 0.0)),
        ],
    )
    for _ in range(10):
        crowd.step(1 / 30)
    world.remove("raft")
    crowd.goal(0, (0.0, -4.0, 0.0))
    for _ in range(240):
        crowd.step(1 / 30)
        crowd.poses()
    assert crowd.why(0) == "'raft', which carried it, is gone"
    assert crowd.why(1) == "its goal is on 'raft', which is gone"
    assert crowd.footsteps(0) == ()
    assert crowd.arrived(2)


def test_bodies_that_went_before_do_not_mix_up_those_that_carry(adult):
    """Ids are never used twice: the raft is not the third body any more, but has its id."""
    raft = drifting()
    world = sf.World([sf.Body(name="gone", mesh=slab((1.0, 1.0, 0.1)),
                              trajectory=Static(Pose(np.array([0.0, 30.0, 0.0]))))])  # fmt: skip
    for body in raft:
        world.add(body)
    world.remove("gone")
    goal = sf.Goal(sf.Place("raft", (1.0, 0.5, 0.0)))
    crowd = sf.Crowd(world, [sf.Entrant(adult, (0.0, -4.0, 0.0), goal=goal)])
    while crowd.t < 10.0 and not crowd.done:
        crowd.step(1 / 30)
    assert crowd.arrived(0)
