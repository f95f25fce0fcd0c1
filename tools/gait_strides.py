"""Steps of motion capture: cut, mirrored to the left, and measured as the gait model sees them.

A step is from one foot's contact to the other's. Half a stride is enough: what the body does in
the other half is the mirror image of it, and clips of runs are often too short for more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

import numpy as np
import numpy.typing as npt

from surefoot.character import kinematics
from surefoot.character.capability import GRAVITY
from surefoot.character.measures import Measures
from surefoot.errors import SurefootError
from surefoot.math import rotations
from surefoot.motion import Clip, Plant, find_plants
from surefoot.motion.curves import smoothed
from surefoot.motion.formats.bvh import read_bvh
from surefoot.motion.retargeting import to_humanoid

Array = npt.NDArray[np.float64]

STRAIGHT = 0.30
"""[rad] that the body may turn in a step, or go aside of where it faces."""

STEADY = 0.30
"""Of its speed, that a body may gain or lose in a step."""

_MOMENTS = 31
_SMOOTHING = 0.02  # [s]


@dataclass(frozen=True, eq=False)
class Step:
    """From a contact of the left foot to the right one's; those of right feet are mirrored.

    Attributes:
        clip: whose it is.
        ratio: v*.
        time: of the whole stride, in sqrt(L/g).
        duty: share of it that the foot is on the ground.
        phase: `(n,)` 0..0.5.
        curves: by the names of the gait model's, `(n,)` each.
        numbers: likewise, at the moments that they are about.
        swing: of the foot after its stance, if it is in the clip: ankle ahead of the hip and above
            it [L] and pitch [rad] over the swing `(n, 3)`.
        swing_speeds: `(2, 3)` of that at both ends, per swing.
        knee_speed: [deg/s], the fastest, to the end of the swing.
        change: of its speed, that the body gains or loses.
    """

    clip: str
    ratio: float
    time: float
    duty: float
    phase: Array
    curves: dict[str, Array]
    numbers: dict[str, float]
    swing: Array | None
    swing_speeds: Array | None
    knee_speed: float
    change: float

    @property
    def runs(self) -> bool:
        """Whether there is a time without a foot on the ground."""
        return self.duty < 0.5


def steps(folder: Path) -> Iterator[Step]:
    """All straight and steady steps in the clips of a folder; says what was left out."""
    for file in sorted(folder.glob("*.bvh")):
        try:
            clip, measures = to_humanoid(read_bvh(file))
            plants = list(find_plants(clip))
        except SurefootError as error:
            print(f"left out: {error}")
            continue
        yield from _of(clip, measures, plants)


def _of(clip: Clip, measures: Measures, plants: list[Plant]) -> Iterator[Step]:
    seen = {"left": clip, "right": clip.mirrored()}
    for plant in plants:
        later = [other for other in plants if other.start > plant.start]
        across = next((other for other in later if other.foot != plant.foot), None)
        if plant.starts_before or plant.ends_after or across is None:
            continue
        again = next((other for other in later if other.foot == plant.foot), None)
        step = _step(
            seen[plant.foot], measures, plant.start, plant.end, across.start,
            None if again is None else again.start,
        )  # fmt: skip
        if step is not None:
            yield step


def _step(
    clip: Clip, measures: Measures, start: float, lift: float, end: float, again: float | None
) -> Step | None:
    leg, duration = measures.leg_length, end - start
    if not 0.2 < duration < 0.9:
        return None
    way, speed, change = _way(clip, start, end)
    if change > STEADY or speed < 0.35:
        return None
    straight = clip.moved(rotations.from_yaw(-way), np.zeros(3))
    times = np.linspace(start, end, _MOMENTS)
    poses = straight.at(times)
    positions, world = poses.forward()
    index = clip.skeleton.index
    curves = _body(clip, world, poses.rotations)
    curves |= _shifts(straight, times, leg)
    floor = _floor(straight, measures, start, lift)
    curves["HEIGHT"] = (positions[:, 0, 2] - floor) / leg
    at, turns = straight.at(np.array([start, (start + lift) / 2, lift, end])).forward()
    away = at[:, index("left_thigh")] - at[:, index("left_foot")]
    pitch = _pitch(turns[:, index("left_foot")])
    apart = at[1, index("left_foot"), 1] - at[3, index("right_foot"), 1]
    bones = measures.thigh + measures.shin
    numbers = {
        "trail": float(away[1, 0]) / leg,
        "width": float(apart) / leg,
        "contact pitch": float(pitch[0]),
        "push-off pitch": float(pitch[2]),
        "contact extension": float(np.linalg.norm(away[0])) / bones,
        "push-off extension": float(np.linalg.norm(away[2])) / bones,
    }
    swing = speeds = None
    if again is not None and 0.2 < again - lift < 0.9 and again < clip.duration - 0.03:
        swing, speeds = _swing(straight, leg, lift, again)
    whole = np.arange(start, end if again is None else again, 1 / clip.rate)
    local = clip.at(whole).rotations
    knees = kinematics.joint_angles(local, clip.skeleton.twist_axes)[:, index("left_shin"), 1]
    knees = smoothed(np.degrees(knees), round(_SMOOTHING * clip.rate))
    return Step(
        clip=clip.name, ratio=speed / sqrt(GRAVITY * leg), time=2 * duration / sqrt(leg / GRAVITY),
        duty=(lift - start) / (2 * duration), phase=0.5 * (times - start) / duration,
        curves=curves, numbers=numbers, swing=swing, swing_speeds=speeds,
        knee_speed=float(np.abs(np.gradient(knees, 1 / clip.rate)).max()), change=change,
    )  # fmt: skip


def _way(clip: Clip, start: float, end: float) -> tuple[float, float, float]:
    """The direction [rad] and speed [m/s] of a step, and how much of that changes; inf in turns."""
    around = np.clip([start - 0.15, start + 0.15, end - 0.15, end + 0.15], 0.0, clip.duration)
    root = clip.at(np.concatenate([around, [start, end]])).root[:, :2]
    before, after = (
        float(np.linalg.norm(root[i + 1] - root[i]) / max(around[i + 1] - around[i], 1e-6))
        for i in (0, 2)
    )
    velocity = (root[5] - root[4]) / (end - start)
    speed, way = float(np.linalg.norm(velocity)), float(np.arctan2(velocity[1], velocity[0]))
    facing = np.interp(np.linspace(start, end, 9), clip.times, clip.headings())
    aside = float(np.arctan2(np.sin(facing - way), np.cos(facing - way)).mean())
    turned = abs(float(facing[-1] - facing[0]))
    if turned > STRAIGHT or abs(aside) > STRAIGHT:
        return way, speed, np.inf
    return way, speed, abs(after - before) / max(speed, 1e-6)


def _floor(clip: Clip, measures: Measures, start: float, lift: float) -> float:
    """[m] of the ground under the stance, from its lowest ankle."""
    inside = clip.at(np.linspace(start, lift, 15)).forward()[0]
    return float(inside[:, clip.skeleton.index("left_foot"), 2].min()) - measures.ankle_height


def _body(clip: Clip, world: Array, local: Array) -> dict[str, Array]:
    """The curves of pelvis, chest and head, of the left arm and of the right one, mirrored."""
    index = clip.skeleton.index
    curves: dict[str, Array] = {}
    for joint, name in ((0, "PELVIS"), (index("chest"), "CHEST"), (index("head"), "HEAD")):
        for axis, angle in zip(("YAW", "PITCH", "ROLL"), _angles(world[:, joint]), strict=True):
            curves[f"{name}_{axis}"] = angle
    for side, sign, suffix in (("left", 1.0, ""), ("right", -1.0, " right")):
        arm = rotations.multiply(
            local[:, index(f"{side}_shoulder")], local[:, index(f"{side}_upper_arm")]
        )
        # X(out) Y(-forward) Z(-inward), mirrored on the right.
        m = rotations.to_matrix(arm)
        forward = -np.arcsin(np.clip(m[:, 0, 2], -1, 1))
        outward = np.arctan2(-m[:, 1, 2], m[:, 2, 2])
        inward = np.arctan2(m[:, 0, 1], m[:, 0, 0])
        elbow = rotations.to_rotation_vector(local[:, index(f"{side}_forearm")])
        for name, value in (
            ("ARM_FORWARD", forward), ("ARM_OUTWARD", sign * outward), ("INWARD", sign * inward),
            ("ELBOW", np.linalg.norm(elbow, axis=1)),
        ):  # fmt: skip
            curves[name + suffix] = value
    return curves


def _shifts(clip: Clip, times: Array, leg: float) -> dict[str, Array]:
    """How far [L] the pelvis is ahead of steady motion, to its left and above it.

    Steady is a parabola through this step and what there is of those before and after it.
    """
    step = times[-1] - times[0]
    around = np.linspace(max(times[0] - step, 0.0), min(times[-1] + step, clip.duration), 61)
    root, middle = clip.at(around).root, times.mean()
    here = clip.at(times).root
    shifts: dict[str, Array] = {}
    for axis, name in enumerate(("AHEAD", "LEFT", "UP")):
        steady = np.polyfit(around - middle, root[:, axis], 2)
        shifts[f"PELVIS_{name}"] = (here[:, axis] - np.polyval(steady, times - middle)) / leg
    return shifts


def _angles(turned: Array) -> tuple[Array, Array, Array]:
    """Yaw, pitch and roll of rotations yaw * pitch * roll."""
    m = rotations.to_matrix(turned)
    return (
        np.arctan2(m[:, 1, 0], m[:, 0, 0]),
        np.arcsin(np.clip(-m[:, 2, 0], -1, 1)),
        np.arctan2(m[:, 2, 1], m[:, 2, 2]),
    )


def _pitch(turned: Array) -> Array:
    """[rad] of feet, toes down positive, beyond a quarter turn as well."""
    ahead = rotations.rotate(turned, [1.0, 0.0, 0.0])
    return np.arctan2(-ahead[:, 2], ahead[:, 0])


def _swing(clip: Clip, leg: float, lift: float, end: float) -> tuple[Array, Array]:
    """Ankle from the hip [L] and pitch over the swing, and its speeds at both ends."""
    step = 1 / clip.rate
    times = np.arange(lift - 4 * step, end + 4 * step, step)
    positions, world = clip.at(np.clip(times, 0, clip.duration)).forward()
    index = clip.skeleton.index
    away = (positions[:, index("left_foot")] - positions[:, index("left_thigh")]) / leg
    pitch = np.unwrap(_pitch(world[:, index("left_foot")]))
    rows = smoothed(np.column_stack([away[:, 0], away[:, 2], pitch]), round(_SMOOTHING * clip.rate))
    inside = np.linspace(lift, end, _MOMENTS)
    swing = np.column_stack([np.interp(inside, times, rows[:, k]) for k in range(3)])
    slopes = np.gradient(rows, step, axis=0) * (end - lift)
    speeds = np.array([[np.interp(t, times, slopes[:, k]) for k in range(3)] for t in (lift, end)])
    return swing, speeds
