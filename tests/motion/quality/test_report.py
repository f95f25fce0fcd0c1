"""The report tells good motion from bad, and says what is bad."""

from __future__ import annotations

from dataclasses import replace
from math import isnan, radians

import numpy as np
import pytest

from surefoot.character import Character, Skeleton, people
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.motion import Clip, Foothold, Motion
from surefoot.motion.quality import KNEE_ACCELERATION, KNEE_SPEED, assess, knee_bounds
from surefoot.world import Body, Keyframed, World
from surefoot.world.primitives import slab


def as_clip(motion: Motion, character: Character) -> Clip:
    return Clip(
        name="walk",
        skeleton=character.skeleton,
        rate=60.0,
        root=motion.root,
        rotations=motion.rotations,
    )


def test_a_walk_of_the_gait_model_is_in_order(
    strolled: Motion, floor: World, adult: Character
) -> None:
    quality = assess(strolled, adult.measures, world=floor)
    assert quality.problems == ()
    assert quality.slide < 1e-6
    assert quality.penetration < 1e-3
    assert quality.beyond_limits == 0.0
    assert quality.limit_joint == ""
    assert quality.knee_pops == 0
    assert 3.0 < quality.knee_speed < 15.0
    assert quality.root_jerk < quality.foot_jerk
    assert "no pops" in str(quality)
    assert "respected" in str(quality)
    assert quality.figures()["knee_speed"] == quality.knee_speed


def test_feet_that_slide_are_measured(strolled: Motion, floor: World, adult: Character) -> None:
    drift = np.array([0.05, 0.0, 0.0]) * strolled.times[:, None]
    quality = assess(replace(strolled, root=strolled.root + drift), adult.measures, world=floor)
    assert quality.slide == pytest.approx(0.05, rel=1e-6)
    assert quality.mean_slide == pytest.approx(0.05, rel=1e-6)
    assert quality.problems == ("feet slide at up to 50.0 mm/s",)
    assert "50.00 mm/s" in str(quality)


def test_slide_is_relative_to_what_carries_the_feet(adult: Character) -> None:
    """A statue on a platform that moves and turns does not slide; one beside it does."""
    turn = Keyframed(
        [0.0, 2.0],
        [[0.0, 0.0, 0.0], [3.0, 1.0, 0.5]],
        [rotations.IDENTITY, rotations.from_yaw(1.5)],
    )
    world = World([Body(name="deck", mesh=slab((4.0, 4.0, 0.2)), trajectory=turn)])
    times = np.linspace(0.0, 2.0, 121)
    origins, turns = turn.poses(times)
    skeleton = adult.skeleton
    local = np.tile(skeleton.rest_rotations, (len(times), 1, 1))
    local[:, 0] = turns
    stood = Motion(
        times=times,
        root=rotations.rotate(turns, skeleton.offsets[0]) + origins,
        rotations=local,
        contacts=np.ones((len(times), 2, 2), dtype=bool),
        holds=np.tile(np.array([0, 1]), (len(times), 1)),
        footholds=tuple(
            Foothold(
                foot=side, body="deck", position=[0, 0, 0], rotation=[1, 0, 0, 0], start=0, end=2
            )
            for side in ("left", "right")
        ),
    )
    assert assess(stood, adult.measures, world=world).slide < 1e-6
    loose = replace(stood, footholds=tuple(replace(h, body=None) for h in stood.footholds))
    assert assess(loose, adult.measures, world=world).slide > 1.0
    with pytest.raises(InputError, match="give it"):
        assess(stood, adult.measures)


def test_soles_under_the_ground_are_measured(
    strolled: Motion, floor: World, adult: Character
) -> None:
    sunk = replace(strolled, root=strolled.root - [0.0, 0.0, 0.03])
    quality = assess(sunk, adult.measures, world=floor)
    assert quality.penetration == pytest.approx(0.03, abs=1e-3)
    assert "30 mm inside the ground" in quality.problems[0]


def test_a_toe_in_a_riser_is_as_deep_as_the_way_out(adult: Character) -> None:
    """Half a centimetre into the front of a high step is not as deep as the step is high."""
    edge = adult.measures.toe_ahead - 0.005
    step = Body(name="step", mesh=slab((1.0, 2.0, 0.17), (edge + 0.5, 0.0, 0.17)))
    clip = Clip(
        name="stand",
        skeleton=adult.skeleton,
        rate=60.0,
        root=np.tile(adult.skeleton.offsets[0], (4, 1)),
        rotations=np.tile(adult.skeleton.rest_rotations, (4, 1, 1)),
    )
    world = World([Body(name="ground", mesh=slab((9.0, 9.0, 0.2))), step])
    assert assess(clip, adult.measures, world=world).penetration == pytest.approx(0.005, abs=1e-6)


def test_joints_beyond_their_limits_are_named(
    strolled: Motion, floor: World, adult: Character
) -> None:
    bent = strolled.rotations.copy()
    knee = adult.skeleton.index("left_shin")
    bent[100:110, knee] = rotations.from_axis_angle([0.0, 1.0, 0.0], radians(-20))
    quality = assess(replace(strolled, rotations=bent), adult.measures, world=floor)
    assert quality.limit_joint == "left_shin"
    assert quality.beyond_limits == pytest.approx(radians(20))
    assert "left_shin 20.0 deg beyond" in str(quality)


def test_a_knee_that_pops_is_counted(strolled: Motion, floor: World, adult: Character) -> None:
    popped = strolled.rotations.copy()
    knee = adult.skeleton.index("right_shin")
    # A kink of eight degrees for a sixtieth of a second: no eye misses it.
    kink = rotations.from_axis_angle([0.0, 1.0, 0.0], radians(8))
    popped[120, knee] = rotations.multiply(popped[120, knee], kink)
    quality = assess(replace(strolled, rotations=popped), adult.measures, world=floor)
    assert quality.knee_pops >= 1
    assert any("pop" in problem for problem in quality.problems)


@pytest.mark.parametrize("height", [1.1, 1.95, 2.6])
def test_the_same_motion_of_another_size_pops_as_often(
    strolled: Motion, adult: Character, height: float
) -> None:
    """At equal Froude numbers: the same poses, in times that go with the root of the leg length."""
    rotated = strolled.rotations.copy()
    knee = adult.skeleton.index("right_shin")
    # Kinks from far below the bound to far above it.
    for frame, kink in zip(range(100, 260, 20), np.linspace(0.01, 0.25, 8), strict=True):
        turn = rotations.from_axis_angle([0.0, 1.0, 0.0], kink)
        rotated[frame, knee] = rotations.multiply(rotated[frame, knee], turn)
    clip = as_clip(replace(strolled, rotations=rotated), adult)
    other = people.person("other", height)
    size = other.measures.leg_length / adult.measures.leg_length
    scaled = Clip(name="scaled", skeleton=other.skeleton, rate=clip.rate / np.sqrt(size),
                  root=size * clip.root, rotations=clip.rotations)  # fmt: skip
    one, two = assess(clip, adult.measures), assess(scaled, other.measures)
    assert 0 < one.knee_pops == two.knee_pops
    assert two.knee_speed == pytest.approx(one.knee_speed / np.sqrt(size))
    assert two.knee_acceleration == pytest.approx(one.knee_acceleration / size)


def test_small_knees_may_be_quicker() -> None:
    assert knee_bounds(0.93) == (KNEE_SPEED, KNEE_ACCELERATION)
    assert knee_bounds(0.93 / 4) == pytest.approx((2 * KNEE_SPEED, 4 * KNEE_ACCELERATION))


def test_clips_need_contacts_to_know_whether_they_slide(strolled: Motion, adult: Character) -> None:
    clip = as_clip(strolled, adult)
    unknown = assess(clip, adult.measures)
    assert isnan(unknown.slide)
    assert isnan(unknown.penetration)
    assert str(unknown).count("not known") == 2
    assert assess(clip, adult.measures, contacts=strolled.contacts).slide < 1e-6
    flat = strolled.contacts.all(axis=-1)
    assert assess(clip, adult.measures, contacts=flat).slide < 1e-6
    with pytest.raises(InputError, match="contacts must have shape"):
        assess(clip, adult.measures, contacts=flat[1:])


def test_finer_samples_give_the_same_figures(strolled: Motion, adult: Character) -> None:
    """Differences are taken at 60 Hz, whatever the rate of the clip."""
    clip = as_clip(strolled, adult)
    fine = Clip(
        name="fine",
        skeleton=adult.skeleton,
        rate=120.0,
        root=np.repeat(clip.root, 2, axis=0),
        rotations=np.repeat(clip.rotations, 2, axis=0),
    )
    coarse = assess(clip, adult.measures)
    assert assess(fine, adult.measures).knee_speed == pytest.approx(coarse.knee_speed, rel=1e-6)


def test_other_skeletons_are_sent_to_be_retargeted(adult: Character) -> None:
    stick = Skeleton(joints=("hips",), parents=(-1,), offsets=np.zeros((1, 3)))
    clip = Clip(name="stick", skeleton=stick, rate=30.0, root=np.zeros((2, 3)),
                rotations=np.tile([1.0, 0, 0, 0], (2, 1, 1)))  # fmt: skip
    with pytest.raises(InputError, match="canonical skeleton"):
        assess(clip, adult.measures)


def test_one_moment_has_no_speeds(strolled: Motion, adult: Character) -> None:
    first = Clip(name="pose", skeleton=adult.skeleton, rate=60.0, root=strolled.root[:1],
                 rotations=strolled.rotations[:1])  # fmt: skip
    quality = assess(first, adult.measures)
    assert quality.knee_speed == 0.0
    assert quality.root_jerk == 0.0
