"""Arms of jumps: back, then forward and up, and down again; the rest of the body as without."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from surefoot.arrays import Floats
from surefoot.character import CHILD, Character, people
from surefoot.math import rotations
from surefoot.motion import Stretch, Track, Walker, place_footsteps
from surefoot.motion.default import default_families
from surefoot.motion.families import Family, Made
from surefoot.motion.flight import Flight
from surefoot.motion.gait.airtimes import airtimes
from surefoot.motion.gait.similarity import slowness
from surefoot.world import Body, Place, World
from surefoot.world.primitives import slab

FASTEST = {"upper_arm": 15.0, "forearm": 13.0}
"""[rad/s for a leg of 0.93 m]: arms of the clips turn as fast (tools/measure_jump_arms.py)."""

BODIES = {
    "adult": people.adult,
    "child": people.child,
    "small child": lambda: people.person("small child", 1.05, proportions=CHILD),
}
SOME = ["adult", "child", pytest.param("small child", marks=pytest.mark.slow)]
JUMPS = [
    ("standing jump", 1.35, 0.0), ("standing jump", 0.8, 0.0), ("standing jump", 0.5, 0.3),
    ("standing jump", 0.65, -0.6),
]  # fmt: skip
LEAPS = [
    ("running jump", 1.4, 0.0), ("running jump", 2.3, 0.0), ("running jump", 1.4, 0.35),
    ("running jump", 1.8, -0.6),
]  # fmt: skip


@cache
def body(who: str) -> tuple[Character, dict[str, Family]]:
    character = BODIES[who]()
    return character, default_families(character)


@cache
def made(who: str, name: str, distance: float, rise: float) -> tuple[Character, Made, float, float]:
    """A clip of lengths for a leg of 0.93 m, and when its longest flight begins and ends [s]."""
    character, families = body(who)
    size = character.measures.leg_length / 0.93
    found = families[name].made(distance=size * distance, rise=size * rise)
    flights = airtimes(found.footholds, character.measures.leg_length)
    longest = int(np.argmax(flights.durations))
    return character, found, float(flights.starts[longest]), float(flights.ends[longest])


def forward(found: Made, times: Floats) -> Floats:
    """`(n, 2)` [rad] of the upper arms at their shoulders, left and right; back is negative."""
    skeleton = found.clip.skeleton
    _, local = found.clip.pose(times)
    angles = []
    for side in ("left", "right"):
        arm = rotations.multiply(
            local[:, skeleton.index(f"{side}_shoulder")],
            local[:, skeleton.index(f"{side}_upper_arm")],
        )
        along = rotations.rotate(arm, np.array([0.0, 0.0, -1.0]))
        angles.append(np.arctan2(along[:, 0], -along[:, 2]))
    return np.stack(angles, axis=1)


@pytest.mark.parametrize(("name", "distance", "rise"), JUMPS)
@pytest.mark.parametrize("who", SOME)
def test_arms_go_back_then_forward_and_come_down(
    who: str, name: str, distance: float, rise: float
) -> None:
    character, found, start, end = made(who, name, distance, rise)
    slow, air = slowness(character.measures.leg_length), end - start
    back = forward(found, start + slow * np.linspace(-0.6, -0.2, 20))
    thrown = forward(found, start + np.linspace(-0.05 * slow, 0.15 * air, 10))
    late = forward(found, start + air * np.linspace(0.7, 1.0, 10))
    after = forward(found, end + slow * np.array([0.9, 1.1]))
    # The clips have -0.4, 1.0 and 0.1 rad on average.
    assert (back.min(axis=0) < -0.35).all()
    assert (thrown.max(axis=0) > 0.6).all()
    assert (np.abs(late) < 0.45).all()
    assert (np.abs(after) < 0.05).all()


def test_arms_are_thrown_farther_for_a_farther_jump() -> None:
    tops = []
    for distance in (0.0, 0.5, 1.0, 1.45):
        _, found, start, end = made("adult", "standing jump", distance, 0.0)
        tops.append(forward(found, np.linspace(start - 0.05, end, 40)).max())
    assert (np.diff(tops) > 0.1).all()


@pytest.mark.parametrize(("name", "distance", "rise"), LEAPS)
@pytest.mark.parametrize("who", SOME)
def test_the_arm_against_the_leading_leg_is_thrown_in_a_leap(
    who: str, name: str, distance: float, rise: float
) -> None:
    _, found, start, end = made(who, name, distance, rise)
    # Families show the take-off of the left foot.
    took_off = forward(found, np.array([start, start + 0.12 * (end - start)])).mean(axis=0)
    assert took_off[0] > 0.5
    assert took_off[1] < -0.25
    assert (forward(found, np.array([end])) < -0.4).all()


def turning(local: Floats, rate: float) -> Floats:
    """`(n - 1,)` [rad/s] between frames `(n, 4)`."""
    same = np.abs((local[1:] * local[:-1]).sum(axis=1))
    return 2 * np.arccos(np.clip(same, 0.0, 1.0)) * rate


@pytest.mark.parametrize(("name", "distance", "rise"), [*JUMPS, *LEAPS])
@pytest.mark.parametrize("who", SOME)
def test_arms_are_no_faster_than_peoples_and_stay_out_of_the_torso(
    who: str, name: str, distance: float, rise: float
) -> None:
    character, found, _, _ = made(who, name, distance, rise)
    slow, skeleton = slowness(character.measures.leg_length), found.clip.skeleton
    for side in ("left", "right"):
        for bone, most in FASTEST.items():
            local = found.clip.rotations[:, skeleton.index(f"{side}_{bone}")]
            assert turning(local, found.clip.rate).max() < most / slow
    assert clearance(character, found) > 0.0


def clearance(character: Character, found: Made) -> float:
    """[m] between forearms or hands and the trunk: an ellipse at each height of its skin."""
    skeleton, skin = character.skeleton, character.skin
    assert skin is not None
    trunk = skeleton.indices(["pelvis", "spine", "chest"])
    owned = np.isin(skin.joints[np.arange(len(skin.joints)), skin.weights.argmax(axis=1)], trunk)
    chest = skeleton.index("chest")
    # Skins are made about the ground below the hips.
    hips = np.array([[0.0, 0.0, character.measures.leg_length]])
    rest, _ = skeleton.forward(hips, np.tile(rotations.IDENTITY, (1, len(skeleton), 1)))
    places, turns = skeleton.forward(*found.clip.pose(found.clip.times))
    # The trunk hardly bends: all of it in the frame of the chest.
    points = skin.vertices[owned] - rest[0, chest]
    least = np.inf
    for side in ("left", "right"):
        elbow, hand = (places[:, skeleton.index(f"{side}_{bone}")] for bone in ("forearm", "hand"))
        for share in (0.4, 0.7, 1.0, 1.3):
            at = elbow + share * (hand - elbow) - places[:, chest]
            at = rotations.rotate(rotations.inverse(turns[:, chest]), at)
            for x, y, z in at:
                slice_ = points[np.abs(points[:, 2] - z) < 0.06]
                if len(slice_) == 0:
                    continue
                middle = (slice_.max(axis=0) + slice_.min(axis=0)) / 2
                half = (slice_.max(axis=0) - slice_.min(axis=0)) / 2
                away = np.hypot((x - middle[0]) / half[0], (y - middle[1]) / half[1])
                least = min(least, float((away - 1.0) * half[:2].min()))
    return least


# Pelvis [m], and the left shin, the right foot and the chest, at a quarter, half and three quarters
# of clips: as they were before the arms of jumps were measured.
WITHOUT_ARMS = {
    ("standing jump", 1.3, 0.0): (
        (0.021049, 0.0, 0.674546, 1.237334, 0.0, 0.572056, 1.3, 0.008629, 0.9228),
        (0.694564, 0.0, 0.719431, 0.0, 0.931828, 0.002927, -0.361843, -0.027543,
         0.999988, -0.004749, 0.001174, -5e-06),
    ),
    ("standing jump", 0.5, -0.6): (
        (0.062526, 0.0, 0.766553, 0.397164, 0.0, -0.039104, 0.5, 0.00734, 0.322987),
        (0.807685, 0.0, 0.589614, 0.0, 0.933545, -0.000519, -0.35725, -0.029418,
         0.999991, -0.00404, 0.00097, -3e-06),
    ),
    ("running jump", 1.8, 0.0): (
        (3.560454, -0.01095, 0.751192, 6.553318, 0.007101, 0.732533,
         10.146892, -0.00955, 0.877062),
        (0.428616, 0.0, 0.903487, 0.0, 0.965537, -0.055128, -0.251409, -0.038638,
         0.99772, 0.0254, -0.007736, 0.062049),
    ),
}  # fmt: skip


@pytest.mark.parametrize("jump", list(WITHOUT_ARMS))
def test_legs_and_trunk_are_none_of_the_arms_business(jump: tuple[str, float, float]) -> None:
    name, distance, rise = jump
    clip = default_families(people.adult())[name].made(distance=distance, rise=rise).clip
    count = len(clip.root)
    moments = [count // 4, count // 2, 3 * count // 4]
    joints = clip.skeleton.indices(["left_shin", "right_foot", "chest"])
    root, turns = WITHOUT_ARMS[jump]
    assert clip.root[moments].ravel() == pytest.approx(np.array(root), abs=2e-6)
    assert clip.rotations[moments, joints].ravel() == pytest.approx(np.array(turns), abs=2e-6)


@pytest.mark.parametrize("gap", [0.12, 0.4, 0.8])
@pytest.mark.parametrize("run_up", [0.0, 2.4])
def test_jumps_in_a_row_do_not_jerk_the_arms(gap: float, run_up: float) -> None:
    """One swing ends in the next one, however little time is left."""
    character, air, far = people.adult(), 0.45, 1.1
    times, positions, flights = [0.0, 1.6], [-1.6 * run_up, 0.0], []
    for _ in range(3):
        start, at = times[-1], positions[-1]
        flights.append(
            Flight(
                take_off=Place(None, np.array([at, 0.0, 0.0])),
                landing=Place(None, np.array([at + far, 0.0, 0.0])),
                start=start, end=start + air,
            )
        )  # fmt: skip
        times += [start + air, start + air + gap]
        positions += [at + far, at + far + gap * run_up]
    times.append(times[-1] + 2.0)
    positions.append(positions[-1] + 2.0 * run_up)
    stretch = Stretch(
        times=np.array(times), flights=tuple(flights), headings=np.zeros(len(times)),
        positions=np.column_stack([positions, np.zeros((len(times), 2))]),
    )  # fmt: skip
    world = World([Body(name="ground", mesh=slab((60.0, 60.0, 0.2)))])
    track = Track(world, [stretch], linger=0.5)
    steps = place_footsteps(track, character.measures, step_height=0.35)
    walker = Walker(track, steps, character.skeleton, character.measures)
    motion = walker.at(np.arange(0.6, times[-1] - 1.0, 1 / 60))
    for side in ("left", "right"):
        for bone, most in FASTEST.items():
            local = motion.rotations[:, character.skeleton.index(f"{side}_{bone}")]
            assert turning(local, 60.0).max() < most
