"""Poses of beats, one at a time, step by step: the twin of native/motion/playing.cpp."""

from __future__ import annotations

from math import atan2, cos, exp, hypot, isnan, sin, sqrt
from typing import Any

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.legs import place_feet
from surefoot.math import rotations
from surefoot.motion.curves import smootherstep, wrapped
from surefoot.motion.gait.rolling import rolled_ankle
from surefoot.motion.playing.footage import DEEPEST, Footage

REACH, STRAIGHT, SOFT = 0.997, 0.9995, 0.004


def clip_time(clip: Any, t: float) -> float:
    if clip["halts"] == 0 or t <= clip["end"]:
        return clip["from"] + clip["speed"] * (t - clip["start"])
    slowing = 0.12 * (1 - exp(-(t - clip["end"]) / 0.12))
    return clip["from"] + clip["speed"] * (clip["end"] - clip["start"] + slowing)


def sampled(footage: Footage, clip: Any, t: float) -> tuple[Floats, Floats]:
    """Catmull-Rom through four frames."""
    count, first = int(clip["frames"]), int(clip["first"])
    at = min(max(clip_time(clip, t) * clip["rate"], 0.0), count - 1)
    i = min(int(at), max(count - 2, 0))
    x = at - i
    weights = 0.5 * np.array(
        [
            -(x**3) + 2 * x**2 - x,
            3 * x**3 - 5 * x**2 + 2,
            -3 * x**3 + 4 * x**2 + x,
            x**3 - x**2,
        ]
    )
    frames = first + np.clip(np.arange(i - 1, i + 3), 0, count - 1)
    root, local = footage.frames
    return weights @ root[frames], rotations.normalize(
        np.einsum("k,kji->ji", weights, local[frames])
    )


def laid(clip: Any, t: float, carriers: Floats, point: Floats) -> tuple[Floats, float]:
    """A point of the clip's own space in the world, and where that space faces."""
    ends = []
    for name, carrier in (("begin", carriers[0]), ("finish", carriers[1])):
        frame = clip[name]
        place = rotations.rotate(rotations.from_yaw(frame["yaw"]), point) + frame["position"]
        ahead = np.array([cos(frame["yaw"]), sin(frame["yaw"]), 0.0])
        if frame["body"] >= 0:
            place = rotations.rotate(carrier[3:], place) + carrier[:3]
            ahead = rotations.rotate(carrier[3:], ahead)
        ends.append((place, atan2(ahead[1], ahead[0])))
    span = clip["frame_end"] - clip["frame_start"]
    share = float(smootherstep((t - clip["frame_start"]) / span)) if span > 0 else 0.0
    (first, yaw), (second, then) = ends
    return (1 - share) * first + share * second, yaw + share * float(wrapped(then - yaw))


def ease(foot: Any, t: float) -> Floats:
    total = np.zeros(10)
    for name in ("leave", "land"):
        one = foot[name]
        if one["duration"] <= 0:
            continue
        since = t - one["start"] if name == "leave" else one["start"] + one["duration"] - t
        sign = 1.0 if name == "leave" else -1.0
        total += (1 - smootherstep(since / one["duration"])) * one["value"]
        soon = min(float(one["duration"]), 0.15)
        y = min(max(since / soon, 0.0), 1.0)
        total += sign * soon * (y - 6 * y**3 + 8 * y**4 - 3 * y**5) * one["rate"]
    return total


def soft_positive(x: float, soft: float) -> float:
    return 0.0 if x <= -soft else x if x >= soft else (x + soft) ** 2 / (4 * soft)


def pose(
    footage: Footage, beat: Any, t: float, carriers: Floats
) -> tuple[Floats, Floats, np.ndarray, Floats]:
    """Root, local rotations, contacts and foot offsets of one beat at one moment."""
    skeleton, size = footage.skeleton, footage.measures
    root, local = sampled(footage, beat["in"], t)
    root, yaw = laid(beat["in"], t, carriers[:2], root)
    local[0] = rotations.multiply(rotations.from_yaw(yaw), local[0])
    share = 1.0
    if beat["blend_duration"] > 0:
        share = float(smootherstep((t - beat["blend_start"]) / beat["blend_duration"]))
        before, turned = sampled(footage, beat["out"], t)
        before, yaw = laid(beat["out"], t, carriers[2:4], before)
        turned[0] = rotations.multiply(rotations.from_yaw(yaw), turned[0])
        root = (1 - share) * before + share * root
        local = rotations.slerp(turned, local, np.full(len(local), share))
    positions, world = skeleton.forward(root, local)
    contacts, offsets = np.zeros((2, 2), dtype=bool), np.zeros((2, 10))
    ankles, feet, axes, toes, free = (
        np.empty((2, 3)),
        np.empty((2, 4)),
        np.empty((2, 3)),
        [0, 0],
        [],
    )
    shifts = []
    for side, name in enumerate(("left", "right")):
        foot = beat["feet"][side]
        shin, ankle, toe = skeleton.indices([f"{name}_shin", f"{name}_foot", f"{name}_toe"])
        axes[side] = rotations.rotate(world[shin], [0.0, 1.0, 0.0])
        bend = float(wrapped(2 * atan2(local[toe, 2], local[toe, 0])))
        if foot["stands"]:
            carrier = carriers[4 + side]
            hold, sole = foot["position"], foot["rotation"]
            if foot["body"] >= 0:
                hold = rotations.rotate(carrier[3:], hold) + carrier[:3]
                sole = rotations.multiply(carrier[3:], sole)
            ahead = rotations.rotate(world[ankle], [1.0, 0.0, 0.0])
            flat = (1 - share) * foot["flat_out"] + share * foot["flat_in"]
            pitch = atan2(-ahead[2], hypot(ahead[0], ahead[1])) - flat
            if beat["slack"] > 0:
                pitch *= float(smootherstep(abs(pitch) / beat["slack"]))
            roll = rolled_ankle(size, np.array([pitch]))[0]
            ankles[side] = hold + rotations.rotate(sole, roll)
            feet[side] = rotations.multiply(sole, rotations.from_axis_angle([0.0, 1.0, 0.0], pitch))
            toes[side] = -max(pitch, 0.0)
            anchor, _ = laid(beat["in"], t, carriers[:2], foot["anchor_in"])
            if share < 1 and not isnan(foot["anchor_out"][0]):
                out, _ = laid(beat["out"], t, carriers[2:4], foot["anchor_out"])
                anchor = (1 - share) * out + share * anchor
            turn = rotations.multiply(feet[side], rotations.inverse(world[ankle]))
            offsets[side] = [
                *(ankles[side] - positions[ankle]),
                *rotations.to_rotation_vector(turn),
                float(wrapped(toes[side] - bend)),
                *(hold - anchor),
            ]
            contacts[side] = pitch <= 1e-9, pitch >= -1e-9
            free.append(0.0)
        else:
            offsets[side] = by = ease(foot, t)
            feet[side] = rotations.multiply(rotations.from_rotation_vector(by[3:6]), world[ankle])
            toes[side] = bend + by[6]
            ankles[side] = positions[ankle] + by[:3]
            if foot["arch_duration"] > 0:
                x = (t - foot["arch_start"]) / foot["arch_duration"]
                y = 1 - x if foot["arch_fall"] < foot["arch_rise"] else x
                back = smootherstep(y / 0.25) * smootherstep((0.8 - y) / 0.55)
                ankles[side, :2] += foot["held_back"] * back
                up = smootherstep(x / foot["arch_rise"]) * smootherstep((1 - x) / foot["arch_fall"])
                ankles[side, 2] += foot["arch_height"] * up
            near = [0.0]
            if foot["leave"]["duration"] > 0:
                near.append(1 - float(smootherstep((t - foot["leave"]["start"]) / 0.1)))
            if foot["land"]["duration"] > 0:
                until = foot["land"]["start"] + foot["land"]["duration"] - t
                near.append(1 - float(smootherstep(until / 0.1)))
            free.append(1 - max(near))
        known = foot["stands"] or foot["leave"]["duration"] > 0 or foot["land"]["duration"] > 0
        if known:
            shifts.append(offsets[side, 7:] * [beat["follow"], beat["follow"], 1.0])
    if shifts:
        root = root + np.mean(shifts, axis=0)
    straight = size.thigh + size.shin
    hips = [skeleton.offsets[skeleton.index(f"{name}_thigh")] for name in ("left", "right")]

    def drop(reach: float, soft: float) -> float:
        each = []
        for side in range(2):
            hip = root + rotations.rotate(local[0], hips[side])
            away = hypot(*(hip - ankles[side])[:2])
            most = hip[2] - ankles[side, 2] - sqrt(max((reach * straight) ** 2 - away**2, 0.0))
            each.append(most - free[side] * (abs(most) + 2 * soft))
        both = each[1] + soft_positive(each[0] - each[1], soft)
        return min(soft_positive(both, soft), DEEPEST * size.leg_length)

    span = beat["end"] - beat["start"]
    x = min(max((t - beat["start"]) / span, 0.0), 1.0) * 9 if 0 < span < np.inf else 0.0
    i = min(int(x), 8)
    u, p = x - i, beat["drops"][i : i + 4]
    basis = np.array([-u + 2 * u**2 - u**3, 2 - 5 * u**2 + 3 * u**3, u + 4 * u**2 - 3 * u**3,
                      u**3 - u**2]) / 2  # fmt: skip
    root = root - [0.0, 0.0, basis @ p]
    root = root - [0.0, 0.0, drop(STRAIGHT, SOFT / 8)]
    for side in range(2):
        # In the air a foot gives way softly.
        hip = root + rotations.rotate(local[0], hips[side])
        full, zone = REACH * straight, 0.03 * REACH * straight
        away = ankles[side] - hip
        distance = float(np.linalg.norm(away))
        over = distance - (full - zone)
        if over > 0:
            reached = full - zone * exp(-over / zone)
            ankles[side] += away * free[side] * (reached / distance - 1)
    local, _ = place_feet(skeleton, root, local, ankles, feet, axes=axes)
    for side, name in enumerate(("left", "right")):
        local[skeleton.index(f"{name}_toe")] = rotations.from_axis_angle(
            [0.0, 1.0, 0.0], toes[side]
        )
    return root, local, contacts, offsets
