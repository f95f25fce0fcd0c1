"""Programs: steps follow each other without jumps, feet stay where they were put."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.character import Character
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.motion import Foothold, Motion
from surefoot.motion.curves import wrapped
from surefoot.motion.facing import facing
from surefoot.motion.locking import moved
from surefoot.motion.playing.footage import Footage
from surefoot.motion.playing.frames import LevelFrame
from surefoot.motion.playing.legs import Cue
from surefoot.motion.playing.program import Manner, Program
from surefoot.motion.quality import assess
from surefoot.world import Body, Keyframed, World
from surefoot.world.primitives import slab

FINE = 1 / 240


def moments(program: Program, after: float = 0.0) -> np.ndarray:
    return np.arange(program.begin, program.end + after, FINE)


def steepest(program: Program, step: float) -> tuple[float, float]:
    """The largest change of speed in `step` [s]: of the pelvis [m/s], of joints above [rad/s]."""
    motion = moved(program, np.arange(program.begin, program.end, step))
    speed = np.diff(motion.root, axis=0) / step
    turn = rotations.multiply(motion.rotations[1:], rotations.inverse(motion.rotations[:-1]))
    spin = rotations.to_rotation_vector(turn)[:, :13] / step
    return (
        float(np.linalg.norm(np.diff(speed, axis=0), axis=-1).max()),
        float(np.linalg.norm(np.diff(spin, axis=0), axis=-1).max()),
    )


def test_a_whole_clip_is_played_as_it_is(footage: Footage, strolled: Motion, floor: World) -> None:
    take = footage.take("walk")
    place, heading = take.frame(0.0)
    program = Program(footage, floor, LevelFrame(None, np.array([*place, 0.0]), heading), 0.0,
                      Manner())  # fmt: skip
    program.append(Cue(take, 0.0, take.duration, 0.0, 1.0))
    made = moved(program, strolled.times)
    assert np.abs(made.root - strolled.root).max() < 3e-3
    assert np.array_equal(made.contacts, strolled.contacts)
    between = rotations.multiply(made.rotations, rotations.inverse(strolled.rotations))
    assert np.linalg.norm(rotations.to_rotation_vector(between), axis=-1).max() < np.radians(3)


@pytest.mark.parametrize("speed", [0.7, 1.0, 1.3])
def test_steps_in_a_row_are_in_order(play, floor: World, adult: Character, speed: float) -> None:
    program = play(floor, [1, 2, 3, 4, 1, 2, 3, 2, 1], speed=speed)
    made = moved(program, np.arange(program.begin, program.end + 0.5, 1 / 60))
    assert assess(made, adult.measures, world=floor).problems == ()
    # It got as far as the steps are long.
    assert np.linalg.norm(made.root[-1] - made.root[0]) > 0.55 * 8
    way = made.root[-1] - made.root[0]
    assert np.arctan2(way[1], way[0]) == pytest.approx(0.3, abs=0.05)


@pytest.mark.parametrize("steps", [[1, 2, 3, 4], [1, 1, 2, 2], [4, 2, 3, 1], [3, 3, 3, 3]])
def test_nothing_jumps_where_steps_meet(
    play, floor: World, adult: Character, steps: list[int]
) -> None:
    """Also where a foot comes twice in a row, and must be caught or put down anew."""
    program = play(floor, steps)
    coarse, fine = steepest(program, 1 / 120), steepest(program, 1 / 960)
    # Speeds change less the closer one looks: they are continuous.
    assert fine[0] < 0.35 * coarse[0]
    assert fine[1] < 0.35 * coarse[1]
    quality = assess(moved(program, moments(program)), adult.measures, world=floor)
    assert quality.slide < 1e-3
    assert quality.knee_speed < 20.0


def test_what_was_played_stays_when_more_comes(play, footage: Footage, floor: World) -> None:
    program = play(floor, [1, 2])
    times = moments(program)
    before = moved(program, times)
    cue = Cue(footage.take("walk"), 2.0, 3.0, program.end, 1.0)
    program.append(cue)
    after = moved(program, times)
    assert np.array_equal(before.root, after.root)
    assert np.array_equal(before.rotations, after.rotations)
    joint = moved(program, np.array([cue.start - 1e-6, cue.start + 1e-6]))
    assert np.abs(np.diff(joint.root, axis=0)).max() < 1e-5
    assert np.abs(np.diff(joint.rotations, axis=0)).max() < 1e-4


def test_the_last_step_comes_to_rest_and_goes_on_later(
    play, footage: Footage, floor: World, adult: Character
) -> None:
    program = play(floor, [1, 2])
    still = moved(program, program.end + np.array([1.0, 1.5]))
    assert np.abs(np.diff(still.root, axis=0)).max() < 1e-4
    late = program.end + 2.0
    program.append(Cue(footage.take("walk"), 2.0, 3.0, late, 1.0))
    made = moved(program, np.arange(program.begin, program.end, 1 / 60))
    assert assess(made, adult.measures, world=floor).slide < 1e-3
    near = moved(program, np.arange(late - 0.3, late + 0.6, 1 / 60))
    assert np.abs(np.diff(near.root, 2, axis=0)).max() * 60 < 0.4
    with pytest.raises(InputError, match="before the last one ends"):
        program.append(Cue(footage.take("walk"), 2.0, 3.0, late, 1.0))


def test_feet_stay_on_a_platform_that_moves_turns_and_tilts(
    play, carousel: World, adult: Character
) -> None:
    program = play(carousel, [1, 2, 3, 4, 2, 3], body="platform")
    made = moved(program, np.arange(program.begin, program.end + 1.0, 1 / 60))
    quality = assess(made, adult.measures, world=carousel)
    assert quality.slide < 1e-3
    assert quality.knee_pops == 0
    assert {hold.body for hold in made.footholds} == {"platform"}
    # Long after the end it stands there still, carried along.
    far = moved(program, np.array([program.end + 5.0, program.end + 5.5]))
    local = [
        carousel["platform"].trajectory.pose(float(t)).unapply(root)
        for t, root in zip(far.times, far.root, strict=True)
    ]
    assert np.linalg.norm(far.root[1] - far.root[0]) > 0.3
    assert np.linalg.norm(local[1] - local[0]) < 0.03


def test_turns_are_spread_over_steps(play, floor: World, adult: Character) -> None:
    plain, turned = play(floor, [1, 2, 3, 4]), play(floor, [1, 2, 3, 4], turns=[0.2, 0.3, 0.0, 0.1])
    end = np.array([plain.end])
    headings = [
        facing(adult.skeleton, moved(program, end).rotations)[0] for program in (plain, turned)
    ]
    assert float(wrapped(headings[1] - headings[0])) == pytest.approx(0.6, abs=1e-6)
    assert turned.going().yaw - plain.going().yaw == pytest.approx(0.6)
    made = moved(turned, np.arange(turned.begin, turned.end, 1 / 60))
    assert assess(made, adult.measures, world=floor).problems == ()


def test_a_step_ends_where_it_is_told(play, footage: Footage, contacts, floor: World) -> None:
    program = play(floor, [1, 2])
    goal = LevelFrame(None, program.going().position + np.array([0.7, 0.45, 0.0]), 0.7)
    cue = Cue(footage.take("walk"), contacts[3], contacts[4], program.end, 1.0)
    program.append(cue, target=goal)
    assert program.going().position[:2] == pytest.approx(goal.position[:2])
    assert program.going().yaw == pytest.approx(0.7)
    # And the next one starts there.
    program.append(Cue(footage.take("walk"), contacts[2], contacts[3], program.end, 1.0))
    assert program.going().yaw == pytest.approx(0.7, abs=0.1)


def test_given_footholds_are_stepped_on(play, footage: Footage, contacts, floor: World) -> None:
    free = play(floor, [1, 2, 3])
    wanted = free.footholds()[-1]
    given = Foothold(foot=wanted.foot, body=wanted.body,
                     position=wanted.position + np.array([0.08, 0.05, 0.0]),
                     rotation=wanted.rotation, start=0.0, end=1.0)  # fmt: skip
    program = play(floor, [1, 2])
    cue = Cue(footage.take("walk"), contacts[3], contacts[4], program.end, 1.0)
    foot = 0 if wanted.foot == "left" else 1
    program.append(cue, places={(foot, 0): given})
    assert program.footholds()[-1].position == pytest.approx(given.position)
    assert program.footholds()[-1].start == pytest.approx(cue.until, abs=0.03)


def test_stepping_onto_something_that_moves_carries_the_character(
    footage: Footage, contacts: list[float]
) -> None:
    """From the floor onto a walkway that travels sideways at 0.5 m/s."""
    ride = Keyframed([0.0, 30.0], [[3.0, 0.0, 0.0], [3.0, 15.0, 0.0]])
    world = World(
        [
            Body(name="floor", mesh=slab((4.0, 30.0, 0.2), (-0.5, 0.0, 0.0))),
            Body(name="walkway", mesh=slab((3.0, 30.0, 0.2)), trajectory=ride),
        ]
    )
    program = Program(footage, world, LevelFrame(None, np.zeros(3), 0.0), 0.0, Manner())
    for step in (1, 2, 3, 2, 3, 2, 3):
        cue = Cue(footage.take("walk"), contacts[step], contacts[step + 1], program.end, 1.0)
        program.append(cue)
    bodies = [hold.body for hold in program.footholds()]
    assert bodies[0] == "floor"
    assert bodies[-2:] == ["walkway", "walkway"]
    assert program.going().body == "walkway"
    made = moved(program, np.arange(0.0, program.end + 1.0, 1 / 60))
    quality = assess(made, footage.measures, world=world)
    assert quality.slide < 1e-3
    assert quality.knee_pops == 0
    # Carried along after the end.
    drift = (made.root[-1] - made.root[-31]) / 0.5
    assert drift[1] == pytest.approx(0.5, abs=0.05)
