"""Bodies that walk: feet locked, knees forward, joints within limits, nothing jumps."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from surefoot.character import kinematics
from surefoot.character.humanoid import JOINTS
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.motion import Motion, Stretch, Walker
from surefoot.motion.footholds import SIDES
from surefoot.motion.quality import foot_slide, knee_bend
from surefoot.world import World

RATE = 60.0
EVERY = ["very slow", "slow", "walk", "fast", "corner", "there and back", "turn left", "turn round",
         "stand", "slope up", "slope down", "stairs up", "stairs down", "carousel",
         "lift"]  # fmt: skip
LEVEL = [
    "very slow",
    "slow",
    "walk",
    "fast",
    "corner",
    "turn left",
    "turn round",
    "carousel",
    "lift",
]


def _moved(walker: Walker) -> Motion:
    return walker.at(np.arange(walker.track.start, walker.track.until, 1 / RATE))


@pytest.fixture(scope="module")
def motions(walks: dict[str, Walker]) -> dict[str, Motion]:
    return {name: _moved(walker) for name, walker in walks.items()}


@pytest.mark.parametrize("name", EVERY)
def test_feet_do_not_slide(walks: dict[str, Walker], motions: dict[str, Motion], name: str) -> None:
    walker = walks[name]
    slide = foot_slide(motions[name], walker.track.world, walker.skeleton, walker.measures)
    assert np.isfinite(slide).any()
    assert np.nanmax(slide) < 1e-3


@pytest.mark.parametrize("name", EVERY)
def test_feet_in_contact_are_on_their_footholds(
    walks: dict[str, Walker], motions: dict[str, Motion], name: str
) -> None:
    walker, motion = walks[name], motions[name]
    positions, turned = walker.skeleton.forward(motion.root, motion.rotations)
    for side, foot in zip(SIDES, range(2), strict=True):
        ankle = walker.skeleton.index(f"{side}_foot")
        heel = positions[:, ankle] + rotations.rotate(turned[:, ankle], walker.measures.heel)
        tip = walker.skeleton.tip_position(f"{side}_toe_tip", positions, turned)
        for points, part in ((heel, 0), (tip, 1)):
            at = motion.contacts[:, foot, part]
            if name.startswith("stairs"):
                continue  # heels and toes may hang over an edge
            ground = walker.track.world.support(points[at], motion.times[at], up=0.02, down=0.04)
            assert ground.hit.all()
            assert np.abs(ground.height - points[at, 2]).max() < 0.02


@pytest.mark.parametrize("name", EVERY)
def test_knees_never_bend_backward(
    walks: dict[str, Walker], motions: dict[str, Motion], name: str
) -> None:
    bend = knee_bend(walks[name].skeleton, motions[name].rotations)
    assert bend.min() > np.radians(3)
    assert bend.max() < np.radians(135)
    # Also in space: the knee lies before the line from hip to ankle, seen along the way it faces.
    skeleton = walks[name].skeleton
    positions, turned = skeleton.forward(motions[name].root, motions[name].rotations)
    for side in SIDES:
        hip, knee, ankle = skeleton.indices(
            [f"{side}_{bone}" for bone in ("thigh", "shin", "foot")]
        )
        middle = (positions[:, hip] + positions[:, ankle]) / 2
        ahead = rotations.rotate(turned[:, hip], [1.0, 0.0, 0.0])
        assert ((positions[:, knee] - middle) * ahead).sum(axis=-1).min() > 0.0


@pytest.mark.parametrize("name", EVERY)
def test_joints_stay_within_their_limits(
    walks: dict[str, Walker], motions: dict[str, Motion], name: str
) -> None:
    beyond = walks[name].skeleton.beyond_limits(motions[name].rotations)
    # Nobody can turn right round at walking speed without twisting an ankle a little.
    assert np.degrees(beyond.max()) < (5.0 if name == "there and back" else 2.0)


@pytest.mark.parametrize("name", EVERY)
def test_nothing_jumps(walks: dict[str, Walker], motions: dict[str, Motion], name: str) -> None:
    motion = motions[name]
    turns = rotations.multiply(rotations.inverse(motion.rotations[:-1]), motion.rotations[1:])
    speed = np.linalg.norm(rotations.to_rotation_vector(turns), axis=-1) * RATE
    knees = walks[name].skeleton.indices(["left_shin", "right_shin"])
    assert np.degrees(speed[:, knees].max()) < (900 if name.startswith("stairs") else 700)
    assert np.degrees(speed.max()) < 1000
    trunk = walks[name].skeleton.indices(["spine", "chest", "neck", "head"])
    assert np.degrees(speed[:, trunk].max()) < 120
    velocity = np.diff(motion.root, axis=0) * RATE
    carried = 2.0 if name in ("carousel", "lift") else 0.0
    assert np.linalg.norm(velocity, axis=1).max() < 2.6 + carried


@pytest.mark.parametrize("name", LEVEL)
def test_soles_stay_above_level_ground(
    walks: dict[str, Walker], motions: dict[str, Motion], name: str
) -> None:
    walker, motion = walks[name], motions[name]
    for feet in walker.feet:
        points = feet.sole_points(feet.at(motion.times))
        ground = walker.track.world.support(points, motion.times[:, None], up=0.1, down=1.0)
        assert np.where(ground.hit, ground.height - points[..., 2], -1.0).max() < 0.003


def test_ankles_stay_above_the_ground(walks: dict[str, Walker], motions: dict[str, Motion]) -> None:
    skeleton = walks["walk"].skeleton
    positions, _ = skeleton.forward(motions["walk"].root, motions["walk"].rotations)
    ankles = positions[:, skeleton.indices(["left_foot", "right_foot"]), 2]
    assert ankles.min() > 0.9 * walks["walk"].measures.ankle_height


def test_the_body_goes_up_and_down_as_people_do(motions: dict[str, Motion]) -> None:
    steady = (motions["walk"].times > 3.0) & (motions["walk"].times < 4.5)
    assert 0.02 < np.ptp(motions["walk"].root[steady, 2]) < 0.06


def test_arms_swing_against_the_legs(walks: dict[str, Walker], motions: dict[str, Motion]) -> None:
    skeleton, motion = walks["walk"].skeleton, motions["walk"]
    positions, _ = skeleton.forward(motion.root, motion.rotations)
    steady = (motion.times > 2.5) & (motion.times < 5.0)
    ahead = positions[steady, :, 0] - motion.root[steady, :1]
    for side, across in (("left", "right"), ("right", "left")):
        hand = ahead[:, skeleton.index(f"{side}_hand")]
        for other, sign in ((side, -1), (across, 1)):
            foot = ahead[:, skeleton.index(f"{other}_foot")]
            assert sign * np.corrcoef(hand, foot)[0, 1] > 0.7


def test_the_head_is_steady(walks: dict[str, Walker], motions: dict[str, Motion]) -> None:
    skeleton, motion = walks["walk"].skeleton, motions["walk"]
    _, turned = skeleton.forward(motion.root, motion.rotations)
    ahead = rotations.rotate(turned[:, skeleton.index("head")], [1.0, 0.0, 0.0])
    assert np.degrees(np.arccos(np.clip(ahead[:, 0], -1, 1))).max() < 8.0


def test_left_and_right_mirror_each_other(
    flat: World, walk: Callable[..., Walker], along: Callable[..., Stretch]
) -> None:
    way = along(flat, [(0.0, 0.0), (5.0, 0.0)], 1.2)
    right, left = walk(flat, way, lead="right"), walk(flat, way, lead="left")
    times = np.arange(0.0, right.track.until, 0.02)
    one, two = right.at(times), left.at(times)
    # Standing people are not symmetric; walking ones are.
    walking = (right.flows.rhythm.activity(times) > 0.999) & (times > 2.0) & (times < 4.5)
    root, turned = kinematics.mirror(JOINTS, two.root, two.rotations)
    assert np.allclose(one.root[walking], root[walking], atol=2e-3)
    apart = rotations.multiply(rotations.inverse(one.rotations), turned)
    angle = np.linalg.norm(rotations.to_rotation_vector(apart), axis=-1)
    assert np.degrees(angle[walking].max()) < 1.0


def test_any_moment_can_be_asked(walks: dict[str, Walker]) -> None:
    walker = walks["corner"]
    times = np.array([1.234, 2.345, 3.456])
    together = walker.at(times)
    for i, t in enumerate(times):
        alone = walker.at([t])
        assert np.allclose(alone.root[0], together.root[i], atol=1e-12)
        assert np.allclose(alone.rotations[0], together.rotations[i], atol=1e-12)


def test_standing_people_breathe(walks: dict[str, Walker], motions: dict[str, Motion]) -> None:
    chest = walks["stand"].skeleton.index("chest")
    moved = np.ptp(motions["stand"].rotations[:, chest], axis=0).max()
    assert 1e-4 < moved < 0.05
    assert np.ptp(motions["stand"].root[:, :2], axis=0).max() < 0.05


def test_feet_must_be_there_from_the_start(walks: dict[str, Walker]) -> None:
    walker = walks["walk"]
    with pytest.raises(InputError, match="left foot must be on the ground at the start"):
        Walker(
            walker.track,
            [hold for hold in walker.footholds if hold.foot == "right"],
            walker.skeleton,
            walker.measures,
        )


def test_a_path_too_fast_for_legs_still_locks_its_feet(
    flight: World, walk: Callable[..., Walker], along: Callable[..., Stretch]
) -> None:
    walker = walk(flight, along(flight, [(0.5, 0.0), (6.0, 0.0)], 2.2))
    motion = _moved(walker)
    slide = foot_slide(motion, walker.track.world, walker.skeleton, walker.measures)
    assert np.nanmax(slide) < 1e-3
    assert knee_bend(walker.skeleton, motion.rotations).min() > -1e-6
