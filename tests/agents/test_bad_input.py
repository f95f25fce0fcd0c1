"""What people do wrong, with feet: one clear error, or as much as can be done."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from agents.conftest import wall
from surefoot.agents import Crowd, CrowdSettings, Entrant
from surefoot.errors import ProblemError
from surefoot.motion.default import default_library
from surefoot.motion.steps import MODES
from surefoot.planning import Region
from surefoot.planning.footsteps import LiveFootsteps
from surefoot.world import Body, primitives

DT = 1 / 30


def walked(crowd: Crowd, seconds: float) -> Crowd:
    end = crowd.t + seconds
    while crowd.t < end and not crowd.done:
        crowd.step(DT)
    return crowd


@pytest.fixture(scope="module")
def library(adult):
    return default_library(adult)


def test_steps_of_one_leg_are_mirrored_for_the_other(floor, adult, library):
    steps = library.steps
    keep = (steps.swing == 0) | (steps.mode == MODES.index("stand"))
    assert 0 < keep.sum() < len(keep)
    one_leg = replace(library, steps=steps.taken(keep))
    crowd = Crowd(
        floor,
        [Entrant(adult, (0.0, 0.0, 0.0), goal=(4.0, 1.0, 0.0))],
        planner=lambda world: LiveFootsteps(world, library=one_leg),
    )
    walked(crowd, 3.0)
    assert {step.foot for step in crowd.footsteps(0)} == {"left", "right"}
    assert walked(crowd, 15.0).done


def test_a_library_in_which_nobody_walks_is_refused(floor, adult, library):
    stands = library.steps.taken(library.steps.mode == MODES.index("stand"))
    with pytest.raises(ProblemError, match="entrant 0: footsteps: no step of the library"):
        Crowd(
            floor,
            [Entrant(adult, (0.0, 0.0, 0.0))],
            planner=lambda world: LiveFootsteps(world, library=replace(library, steps=stands)),
        )


def test_overlapping_starts_name_both(floor, adult):
    with pytest.raises(ProblemError, match=r"entrant 1: .* is taken: agent 0 is there"):
        Crowd(floor, [Entrant(adult, (0, 0, 0)), Entrant(adult, (0.3, 0, 0))])
    with pytest.raises(ProblemError, match=r"entrant 0: place: .* is in mid-air"):
        Crowd(floor, [Entrant(adult, (50, 0, 0))])


def test_names_and_regions(floor, adult):
    floor.add(wall("crate", 6.0, 0.0, size=(2.0, 2.0, 0.3)))
    crowd = Crowd(floor, [Entrant(adult, (0, 0, 0), goal="crate")])
    place = crowd._goal("crate", adult).place
    assert place.body == "crate"
    assert floor.position(place, 0.0) == pytest.approx([6.0, 0.0, 1.15])
    with pytest.raises(ProblemError, match="goal: unknown place or body 'crat'; did you mean 'cra"):
        crowd.goal(0, "crat")
    with pytest.raises(ProblemError, match="place: expected a Place, a point of three numbers"):
        crowd.add(adult, 3)
    with pytest.raises(ProblemError, match="a crowd's goals are places, got anywhere on 'crate'"):
        crowd.goal(0, Region(body="crate"))


def test_a_goal_inside_an_obstacle_is_gone_near_and_said(floor, adult):
    floor.add(wall("wall", 3.0, 0.0, size=(1.0, 4.0, 2.0)))
    crowd = Crowd(floor, [Entrant(adult, (0.0, 0.0, 0.0))])
    crowd.goal(0, (3.0, 0.0, 0.0))
    walked(crowd, 10.0)
    assert not crowd.arrived(0)
    assert crowd.why(0)
    # Nobody is in the wall, and no frame is spent on it again and again.
    assert crowd.spots()[0][0, 0] < 2.5
    assert sum(len(frame.asked) for frame in crowd.frames[-90:]) < 20


def test_a_goal_that_cannot_be_reached_is_said(floor, adult):
    for name, x, y, size in (
        ("a", 4.0, 2.0, (4.0, 0.3, 2.0)),
        ("b", 4.0, -2.0, (4.0, 0.3, 2.0)),
        ("c", 2.0, 0.0, (0.3, 4.3, 2.0)),
        ("d", 6.0, 0.0, (0.3, 4.3, 2.0)),
    ):
        floor.add(wall(name, x, y, size=size))
    crowd = Crowd(floor, [Entrant(adult, (0.0, 0.0, 0.0), goal=(4.0, 0.0, 0.0))])
    walked(crowd, 5.0)
    assert not crowd.done
    assert "no way joins it and its goal" in crowd.why(0)
    floor.remove("c")
    assert walked(crowd, 25.0).done


def test_a_goal_without_a_floor_is_refused(floor, adult):
    floor.add(Body(name="pole", mesh=primitives.box((0.2, 0.2, 2.0), (30.0, 0.0, 1.0))))
    crowd = Crowd(floor, [Entrant(adult, (0.0, 0.0, 0.0))])
    with pytest.raises(ProblemError, match=r"goal: .* mid-air"):
        crowd.goal(0, (15.0, 0.0, 0.0))
    # It is as it was: without a goal.
    assert walked(crowd, 2.0).done


def test_somebody_removed_while_others_plan_around_it(floor, adult):
    crowd = Crowd(
        floor,
        [
            Entrant(adult, (-3.0, 0.0, 0.0), goal=(3.0, 0.0, 0.0)),
            Entrant(adult, (3.0, 0.0, 0.0), heading=np.pi, goal=(-3.0, 0.0, 0.0)),
            Entrant(adult, (0.0, 0.2, 0.0)),
        ],
        settings=CrowdSettings(threads=2),
    )
    walked(crowd, 1.5)
    crowd.remove(2)
    assert crowd.agents == (0, 1)
    assert len(crowd.poses().root) == 2
    crowd.step(DT)
    assert 2 not in crowd.plans()
    assert walked(crowd, 25.0).done
