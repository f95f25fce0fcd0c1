"""The arms of real jumps, as numbers: what `surefoot.motion.gait.jump_arms` was rounded from.

    python tools/measure_jump_arms.py FOLDER

FOLDER has clips of the CMU database (BVH, the cgspeed conversion); those of `JUMPS` and `LEAPS`
that are not there are left out. Angles are relative to the chest and in degrees: forward and
outward at the shoulder, inward twist of the upper arm, bend of the elbow.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

import numpy as np
import numpy.typing as npt

from surefoot.character.capability import GRAVITY
from surefoot.character.humanoid import SIDES
from surefoot.math import rotations
from surefoot.motion import Clip, find_plants
from surefoot.motion.formats.bvh import read_bvh
from surefoot.motion.gait.similarity import slowness
from surefoot.motion.retargeting import to_humanoid

Array = npt.NDArray[np.float64]

JUMPS = ("02_04", "13_11", "13_13", "13_19", "13_32", "13_39", "16_10", "91_48", "118_05",
         "118_15")  # fmt: skip
"""Off both feet, by people who swing their arms."""

LEAPS = ("36_37:6", "127_21", "127_22", "127_25", "127_26", "127_27", "127_28")
"""Off one foot, out of a run; after a colon the number of the flight, from 0."""

BEFORE = np.array([-0.74, -0.48, -0.36, -0.27, -0.15, -0.08, 0.0])  # [s for a leg of 0.93 m]
ALOFT = np.array([0.12, 0.2, 0.35, 0.5, 0.65, 0.8, 1.0])
AFTER = np.array([0.1, 0.2, 0.3, 0.45, 0.6])  # [s likewise]
CHANNELS = ("forward", "outward", "inward", "elbow")


@dataclass(frozen=True, eq=False)
class Jump:
    """A flight of a clip, and what the arms do for it.

    Attributes:
        name: of the clip.
        rising, level: v* at take-off, upward and across the ground.
        rise: [L] of the hips from take-off to landing.
        angles: `(2, moments, 4)` [rad]: left, right; at `BEFORE`, `ALOFT` and `AFTER`.
        speeds: `(2,)` [rad/s], the fastest turn of upper arm and forearm.
        leading: the side that took off, for a leap.
    """

    name: str
    rising: float
    level: float
    rise: float
    angles: Array
    speeds: Array
    leading: int | None


def arm_angles(clip: Clip) -> Array:
    """`(2, n, 4)` [rad] of the left and the right arm; see `CHANNELS`."""
    skeleton, down = clip.skeleton, np.array([0.0, 0.0, -1.0])
    result: list[Array] = []
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        shoulder, upper, fore = (
            clip.rotations[:, skeleton.index(f"{side}_{bone}")]
            for bone in ("shoulder", "upper_arm", "forearm")
        )
        arm = rotations.multiply(shoulder, upper)
        points = rotations.rotate(arm, down)
        forward = np.arctan2(points[:, 0], -points[:, 2])
        outward = np.arcsin(np.clip(sign * points[:, 1], -1.0, 1.0))
        straight = rotations.multiply(
            rotations.from_axis_angle([0.0, 1.0, 0.0], -forward),
            rotations.from_axis_angle([1.0, 0.0, 0.0], sign * outward),
        )
        bent = rotations.multiply(rotations.inverse(straight), rotations.multiply(arm, fore))
        bent = rotations.rotate(bent, down)
        inward = np.arctan2(-sign * bent[:, 1], bent[:, 0])
        elbow = np.arccos(np.clip(-bent[:, 2], -1.0, 1.0))
        result.append(np.stack([np.unwrap(forward), outward, inward, elbow], axis=1))
    return np.stack(result)


def turning(clip: Clip, joint: str) -> Array:
    """`(n - 1,)` [rad/s] of a joint against its parent."""
    local = clip.rotations[:, clip.skeleton.index(joint)]
    same = np.abs((local[1:] * local[:-1]).sum(axis=1))
    return 2 * np.arccos(np.clip(same, 0.0, 1.0)) * clip.rate


def jump_of(file: Path, which: int, *, leap: bool) -> Jump:
    """One flight of a recording."""
    clip, measures = to_humanoid(read_bvh(file))
    plants, leg = list(find_plants(clip)), measures.leg_length
    slow, pace = slowness(leg), sqrt(GRAVITY * leg)
    held = np.zeros(len(clip.times), dtype=np.bool_)
    for plant in plants:
        held |= (clip.times >= plant.start) & (clip.times <= plant.end)
    ups = np.flatnonzero(held[:-1] & ~held[1:])
    downs = [int(np.flatnonzero(held[up + 1 :])[0]) + up + 1 for up in ups if held[up + 1 :].any()]
    flights = [
        (float(clip.times[up]), float(clip.times[down]))
        for up, down in zip(ups, downs, strict=False)
        if clip.times[down] - clip.times[up] > 0.12
    ]
    start, end = flights[which]
    hips = clip.at(np.array([start, end])).root
    air = end - start
    moments = np.concatenate([start + slow * BEFORE, start + air * ALOFT, end + slow * AFTER])
    angles = arm_angles(clip)
    near = (clip.times[1:] > start - 0.8 * slow) & (clip.times[1:] < end + 0.6 * slow)
    speeds = [
        max(float(turning(clip, f"{side}_{bone}")[near].max()) for side in SIDES)
        for bone in ("upper_arm", "forearm")
    ]
    last = max((plant for plant in plants if plant.end < start + 0.05), key=lambda one: one.end)
    level, rise = np.linalg.norm((hips[1] - hips[0])[:2]) / air, (hips[1] - hips[0])[2]
    return Jump(
        name=f"{file.stem}:{which}" if which else file.stem,
        rising=float(rise / air + 0.5 * GRAVITY * air) / pace,
        level=float(level) / pace,
        rise=float(rise) / leg,
        angles=np.array(
            [[np.interp(moments, clip.times, arm[:, k]) for k in range(4)] for arm in angles]
        ).swapaxes(1, 2),
        speeds=slow * np.array(speeds),
        leading=SIDES.index(last.foot) if leap else None,
    )


def show(title: str, angles: Array) -> None:
    """Medians over `(n, moments, 4)`, a row for each channel."""
    print(title)
    middle = np.degrees(np.median(angles, axis=0))
    for name, row in zip(CHANNELS, middle.T, strict=True):
        parts = np.split(row, np.cumsum([len(BEFORE), len(ALOFT)]))
        print(f"  {name:8s}", " | ".join(" ".join(f"{one:5.0f}" for one in part) for part in parts))


def main(folder: Path) -> None:
    """Prints the tables."""
    found: list[Jump] = []
    for name in (*JUMPS, *LEAPS):
        stem, _, which = name.partition(":")
        file = folder / f"{stem}.bvh"
        if file.is_file():
            found.append(jump_of(file, int(which or 0), leap=name in LEAPS))
        else:
            print(f"{stem} is not in {folder}")
    thrown = len(BEFORE) - 1
    for jump in found:
        forward = np.degrees(jump.angles[:, thrown : thrown + 2, 0].max(axis=1))
        print(f"{jump.name:9s} v* {jump.rising:.2f} up {jump.level:.2f} across, rise"
              f" {jump.rise:+.2f} L, thrown forward {forward[0]:4.0f} {forward[1]:4.0f} degrees,"
              f" turning at most {jump.speeds[0]:.1f} and {jump.speeds[1]:.1f} rad/s"
              " (upper arm, forearm)")  # fmt: skip
    jumps = [jump for jump in found if jump.leading is None]
    leaps = [jump for jump in found if jump.leading is not None]
    moments = " | ".join(" ".join(f"{one:5.2f}" for one in part) for part in (BEFORE, ALOFT, AFTER))
    print(f"{'moments':10s} {moments}")
    if jumps:
        speeds = np.array([(jump.rising, jump.level) for jump in jumps])
        forward = np.array([jump.angles[:, thrown : thrown + 2, 0].max(axis=1).mean()
                            for jump in jumps])  # fmt: skip
        fitted = np.linalg.lstsq(speeds, forward, rcond=None)[0]
        print(f"thrown forward: {fitted[0]:.2f} rad per v* up, {fitted[1]:.2f} per v* across")
        scaled = np.concatenate([jump.angles for jump in jumps])
        show("jumps, both arms", scaled)
    if leaps:
        show("leaps, the arm of the foot that takes off",
             np.stack([jump.angles[jump.leading] for jump in leaps]))  # fmt: skip
        show("leaps, the other arm", np.stack([jump.angles[1 - jump.leading] for jump in leaps]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
