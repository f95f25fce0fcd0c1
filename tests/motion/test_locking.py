"""Soles exactly where they should be, and a body that goes along."""

from __future__ import annotations

from dataclasses import replace
from math import radians

import numpy as np
import pytest

from surefoot.character import Character
from surefoot.errors import InputError
from surefoot.math import Pose, rotations
from surefoot.motion import Clip, Foothold, Motion
from surefoot.motion.footholds import Holds
from surefoot.motion.locking import footfalls, lock_feet
from surefoot.motion.playing.footage import Footfall, footfalls_of
from surefoot.motion.quality import assess, sole_points
from surefoot.world import Body, Function, World
from surefoot.world.primitives import placed, slab, stairs

from .conftest import walked


def as_clip(motion: Motion, character: Character, name: str = "walk") -> Clip:
    return Clip(name=name, skeleton=character.skeleton, rate=60.0, root=motion.root,
                rotations=motion.rotations)  # fmt: skip


@pytest.fixture(scope="module")
def bad(strolled: Motion, adult: Character) -> Clip:
    """The walk as a bad capture would have it: skating, floating, drifting, noisy."""
    rng = np.random.default_rng(5)
    t = strolled.times
    root = strolled.root + np.stack([0.05 * t, 0.02 * np.sin(2 * t), np.full_like(t, 0.03)], axis=1)
    noise = rng.normal(size=strolled.rotations[..., 1:].shape) * radians(0.1)
    turned = rotations.multiply(strolled.rotations, rotations.from_rotation_vector(noise))
    return replace(as_clip(strolled, adult, "bad"), root=root, rotations=turned)


def test_what_was_locked_already_stays(strolled: Motion, adult: Character, floor: World) -> None:
    clip = as_clip(strolled, adult)
    made = lock_feet(clip, adult.measures, footfalls_of(strolled.footholds), world=floor, slack=0.0)
    assert np.abs(made.root - strolled.root).max() < 3e-3
    assert np.array_equal(made.contacts, strolled.contacts)


def test_plants_are_found_where_the_soles_are(
    strolled: Motion, bad: Clip, adult: Character
) -> None:
    clean = footfalls(as_clip(strolled, adult), adult.measures, strolled.footholds)
    for footfall, hold in zip(
        clean, sorted(strolled.footholds, key=lambda h: h.start), strict=True
    ):
        assert footfall.foot == hold.foot
        assert footfall.position == pytest.approx(hold.position, abs=2e-3)
        assert abs(footfall.flat) < 0.01
        assert rotations.yaw(footfall.rotation) == pytest.approx(hold.heading, abs=0.01)
    for footfall in footfalls(bad, adult.measures, strolled.footholds):
        assert footfall.position[2] == pytest.approx(0.03, abs=8e-3)


def test_captured_feet_are_locked_to_the_ground(
    strolled: Motion, bad: Clip, adult: Character, floor: World
) -> None:
    contacts = strolled.contacts
    before = assess(bad, adult.measures, world=floor, contacts=contacts)
    assert before.slide > 0.05
    found = footfalls(bad, adult.measures, strolled.footholds)
    made = lock_feet(bad, adult.measures, found, world=floor)
    after = assess(made, adult.measures, world=floor)
    assert after.slide < 1e-3
    assert after.penetration < 0.01
    assert after.knee_pops == 0
    # On the ground, not three centimetres above it, and the body has come down with the feet.
    points = sole_points(adult.skeleton, adult.measures, made.root, made.rotations)
    heel = made.contacts[..., 0]
    assert np.abs(points[..., 0, 2][heel]).max() < 1e-6
    assert (bad.root[:, 2] - made.root[:, 2]).mean() == pytest.approx(0.03, abs=0.01)
    # Jerk must not get worse for it.
    assert after.root_jerk < before.root_jerk + 250


@pytest.mark.parametrize("degrees", [10, -10])
def test_feet_lie_flat_on_a_slope(strolled: Motion, adult: Character, degrees: float) -> None:
    tilt = rotations.from_axis_angle([0.0, 1.0, 0.0], -radians(degrees))
    mesh = slab((60.0, 60.0, 0.2)).transformed(Pose(rotation=tilt))
    hill = World([Body(name="slope", mesh=mesh)])
    made = lock_feet(as_clip(strolled, adult), adult.measures, footfalls_of(strolled.footholds),
                     world=hill, reach=3.0, slack=0.0)  # fmt: skip
    quality = assess(made, adult.measures, world=hill)
    assert quality.slide < 1e-3
    assert quality.penetration < 0.01
    normal = rotations.rotate(tilt, [0.0, 0.0, 1.0])
    points = sole_points(adult.skeleton, adult.measures, made.root, made.rotations)
    flat = made.contacts.all(axis=-1)
    assert flat.any()
    assert np.abs(points[..., [0, 2], :][flat] @ normal).max() < 1e-3
    # The body climbs as far as the ground does, and stays upright.
    rise = np.tan(radians(degrees)) * (made.root[-1, 0] - made.root[0, 0])
    assert made.root[-1, 2] - made.root[0, 2] == pytest.approx(rise, abs=0.05)


def climbed(motion: Motion, rise: float, going: float) -> list[Foothold]:
    """The same feet one step higher each."""
    targets: list[Foothold] = []
    steps = 0
    for footfall in footfalls_of(motion.footholds):
        x, z = float(footfall.position[0]), 0.0
        if footfall.start > 0:
            x, z = 0.35 + going * (steps + 0.5), rise * (steps + 1)
            steps += 1
        place = [x, footfall.position[1], z]
        targets.append(
            Foothold(foot=footfall.foot, body="stairs" if footfall.start > 0 else "ground",
                     position=place, rotation=footfall.rotation, start=0.0, end=1.0)
        )  # fmt: skip
    return targets


def test_a_walk_on_the_level_climbs_stairs(floor: World, adult: Character) -> None:
    slow = walked(floor, adult, 0.6)
    going, rise = 0.29, 0.16
    flight = World(
        [
            Body(name="ground", mesh=slab((20.0, 20.0, 0.2))),
            Body(name="stairs", mesh=placed(stairs(12, 3.0, rise, going), 0.35)),
        ]
    )
    targets = climbed(slow, rise, going)
    made = lock_feet(as_clip(slow, adult), adult.measures, footfalls_of(slow.footholds), targets,
                     world=flight, slack=0.0)  # fmt: skip
    quality = assess(made, adult.measures, world=flight)
    assert quality.slide < 1e-3
    assert quality.penetration < 0.01
    assert quality.knee_pops == 0
    on = sorted(tuple(hold.position) for hold in made.footholds)
    assert np.array(on) == pytest.approx(np.array(sorted(tuple(h.position) for h in targets)))
    assert made.root[-1, 2] - made.root[0, 2] == pytest.approx(targets[-1].position[2], abs=0.2)


def test_a_clip_is_carried_by_what_it_is_put_on(strolled: Motion, adult: Character) -> None:
    """Onto a platform that travels, rises and turns: it walks there as it did on the floor."""

    def pose(t: float) -> Pose:
        return Pose.at(3 * np.cos(0.3 * t), 3 * np.sin(0.3 * t), 0.3 * np.sin(0.4 * t), 0.5 * t)

    motion = Function(pose, horizon=60.0, max_speed=20.0, max_turn_rate=0.6)
    world = World([Body(name="deck", mesh=slab((30.0, 6.0, 0.2)), trajectory=motion)])
    planted = footfalls_of(strolled.footholds)
    targets = [
        Foothold(foot=p.foot, body="deck", position=p.position, rotation=p.rotation, start=0, end=1)
        for p in planted
    ]
    made = lock_feet(as_clip(strolled, adult), adult.measures, planted, targets, world=world,
                     start=2.0, slack=0.0)  # fmt: skip
    quality = assess(made, adult.measures, world=world)
    assert quality.slide < 1e-3
    assert quality.knee_pops == 0
    origins, turns = motion.poses(made.times)
    local = rotations.rotate(rotations.inverse(turns), made.root - origins)
    assert np.abs(local - strolled.root).max() < 0.01
    # Every foothold is where it was put, on the deck, all the time.
    frames, _ = Holds(world, made.footholds).frames(made.holds[:, 0], made.times)
    points = sole_points(adult.skeleton, adult.measures, made.root, made.rotations)[:, 0]
    both = made.contacts[:, 0].all(axis=-1)
    middle = (points[:, 0] + points[:, 2]) / 2
    assert np.abs(middle - frames)[both].max() < 1e-6


def test_toes_bend_when_the_heel_rises(bad: Clip, strolled: Motion, adult: Character) -> None:
    found = footfalls(bad, adult.measures, strolled.footholds)
    made = lock_feet(bad, adult.measures, found)
    toe = adult.skeleton.index("left_toe")
    bend = adult.skeleton.joint_angles(made.rotations)[:, toe, 1]
    rolling = made.contacts[:, 0, 1] & ~made.contacts[:, 0, 0]
    assert rolling.any()
    assert bend[rolling].min() < -0.3
    assert np.abs(bend[made.contacts[:, 0].all(axis=-1)]).max() < 1e-6


def test_footholds_must_fit_what_is_planted(strolled: Motion, adult: Character) -> None:
    clip, planted = as_clip(strolled, adult), footfalls_of(strolled.footholds)
    holds = list(strolled.footholds)
    with pytest.raises(InputError, match="as many footholds"):
        lock_feet(clip, adult.measures, planted, holds[:-1])
    swapped = [replace(hold, foot="left" if hold.foot == "right" else "right") for hold in holds]
    with pytest.raises(InputError, match="its foothold"):
        lock_feet(clip, adult.measures, planted, swapped)
    with pytest.raises(InputError, match="slack"):
        lock_feet(clip, adult.measures, planted, slack=-1.0)


def test_a_clip_without_plants_is_left_alone(strolled: Motion, adult: Character) -> None:
    none: list[Footfall] = []
    made = lock_feet(as_clip(strolled, adult), adult.measures, none)
    assert not made.contacts.any()
    assert np.abs(made.root - strolled.root).max() < 1e-9
