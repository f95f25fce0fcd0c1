from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from surefoot.animation import Animation
from surefoot.errors import InputError
from surefoot.math import Pose
from surefoot.studio.content import MARGIN, content_of, span
from surefoot.world import Attached, Body, Function, Keyframed, Observed, Static, Trajectory, World
from surefoot.world.primitives import box
from surefoot.world.scenes import load


def shift(start: float, end: float, repeat: str = "once") -> Keyframed:
    return Keyframed(
        np.array([start, end]),
        np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]),
        repeat=repeat,  # pyright: ignore[reportArgumentType]
    )


def moved(*trajectories: Trajectory) -> World:
    cube = box((1.0, 1.0, 1.0))
    return World(
        Body(name=f"{i}", mesh=cube, trajectory=motion) for i, motion in enumerate(trajectories)
    )


WATCHED = Observed.first(1.0, Pose(), velocity=(1.0, 0.0, 0.0))


@pytest.mark.parametrize(
    ("motion", "ends"),
    [
        (shift(1.0, 3.0), (0.0, 3.0)),
        (shift(-2.0, 3.0, "loop"), (-2.0, 3.0)),
        (shift(0.0, 4.0, "ping-pong"), (0.0, 8.0)),
        (Function(lambda t: Pose.at(t), horizon=5.0, max_speed=1.5), (0.0, 5.0)),
        (WATCHED, (0.0, WATCHED.horizon)),
        (Attached(shift(0.0, 2.0), shift(0.0, 6.0)), (0.0, 6.0)),
        (Attached(Static(), shift(0.0, 6.0)), (0.0, 6.0)),
    ],
)
def test_a_world_is_shown_until_its_motion_comes_round(
    motion: Trajectory, ends: tuple[float, float]
) -> None:
    assert span(moved(Static(), motion)) == ends


def test_the_longest_motion_decides() -> None:
    assert span(moved(shift(0.0, 2.0), shift(-1.0, 1.0), Static())) == (-1.0, 2.0)


@pytest.mark.parametrize("world", [World(), moved(Static())])
def test_worlds_at_rest_have_one_moment(world: World) -> None:
    content = content_of(world)
    assert (content.start, content.end) == (0.0, 0.0)
    assert np.isfinite(content.extent).all()
    assert math.prod(np.ptp(content.extent, axis=0)) > 0


def test_a_scene_marks_its_places() -> None:
    scene = load("yard")
    content = content_of(scene)
    assert content.name == "yard"
    assert content.places == scene.places
    assert content.end == 22.0


def test_everything_is_in_view_wherever_it_moves() -> None:
    extent = content_of(moved(shift(0.0, 2.0))).extent
    assert extent.min(axis=0).tolist() == [-0.5, -0.5, -0.5]
    assert extent.max(axis=0).tolist() == [1.5, 0.5, 0.5]


def test_an_animation_with_its_plan_and_feet(ride: Animation) -> None:
    content = content_of(ride)
    assert (content.start, content.end) == (ride.start, ride.end)
    assert content.world is ride.world
    (actor,) = content.actors
    assert actor.plan is ride.plan
    assert [step.start for step in actor.footprints] == [step.start for step in ride.footsteps]
    assert {step.body for step in actor.footprints} == {"floor", "lift"}


def test_several_animations_have_a_name_each(ride: Animation) -> None:
    late = replace(ride, motion=replace(ride.motion, times=ride.times + 5.0))
    content = content_of([ride, late, ride])
    names = [actor.figure.name for actor in content.actors]
    assert names == ["adult", "adult 2", "adult 3"]
    assert (content.start, content.end) == (ride.start, ride.end + 5.0)


@pytest.mark.parametrize("shown", [3, "yard", [], [3], None])
def test_other_things_are_refused(shown: object) -> None:
    with pytest.raises(InputError, match="the studio shows animations, scenes and worlds, got"):
        content_of(shown)  # pyright: ignore[reportArgumentType]


def test_a_page_opens_on_the_paths_of_the_characters(ride: Animation) -> None:
    """However large the world is: the ground of a train yard is 300 m long."""
    assert np.array_equal(content_of(ride.world).opening, content_of(ride.world).extent)
    opening, root = content_of(ride).opening, np.asarray(ride.motion.root)
    assert np.allclose(opening.min(axis=0), root.min(axis=0) - MARGIN)
    assert np.allclose(opening.max(axis=0), root.max(axis=0) + MARGIN)
