"""Trajectories as the keys of an animation file: exactly where they have keys, else sampled."""

from __future__ import annotations

from dataclasses import replace
from math import ceil, floor

import numpy as np

from surefoot.arrays import samples
from surefoot.errors import InputError
from surefoot.limits import MAX_SAMPLES
from surefoot.math import rotations
from surefoot.world import Keyframed, Trajectory
from surefoot.world.savers.keys import Keys

SEAM = 1e-4
"""[s] that a jump takes in a file, whose keys must follow each other in time."""

SAME = 1e-9
"""[s] Moments nearer than this are one: times of later rounds are sums, and sums are rounded. Keys
this near to each other would make one key of the file, whose times are in single precision."""


def trajectory_keys(
    trajectory: Trajectory, start: float, end: float, rate: float
) -> tuple[Keys, Keys]:
    """Keys of position and rotation that give the motion from `start` to `end` [s].

    Keyframed motions keep their keys and their way of interpolating; repeated ones are written
    out. Others are sampled at `rate` [1/s] and linear in between.
    """
    if isinstance(trajectory, Keyframed):
        turn_times = trajectory.times if trajectory.rotations is not None else np.zeros(1)
        if trajectory.rotation_times is not None:
            turn_times = trajectory.rotation_times
        turned = rotations.IDENTITY[None] if trajectory.rotations is None else trajectory.rotations
        position = Keys(
            trajectory.times, trajectory.positions, trajectory.interpolation, trajectory.tangents
        )
        rotation = Keys(
            turn_times[: len(turned)], turned, trajectory.turn_interpolation,
            trajectory.rotation_tangents,
        )  # fmt: skip
        exact = [
            _clipped(_unrolled(keys, trajectory, start, end), start, end)
            for keys in (position, rotation)
        ]
        if not (exact[1].interpolation == "cubic" and _was_cut(exact[1], rotation)):
            return exact[0], exact[1]
    count = samples(end - start, rate, "a moving body")
    times = np.linspace(start, end, max(count, 2))
    positions, turns = trajectory.poses(times)
    return Keys(times, positions, "linear"), Keys(times, turns, "linear")


def _was_cut(keys: Keys, original: Keys) -> bool:
    """Whether keys were made between others; cut quaternion splines would not be exact."""
    return not np.isin(keys.times, original.times).all()


def _unrolled(keys: Keys, source: Keyframed, start: float, end: float) -> Keys:
    """One round after the other, from before `start` until after `end`."""
    span = source.end - source.start
    if len(keys.times) == 1 or span <= 0:
        return Keys(keys.times[:1], keys.values[:1], "step")
    keys = _clipped(keys, source.start, source.end)
    if source.repeat == "once" or len(keys.times) == 1:
        return keys
    keys = _filled(keys, source.start, source.end)
    first, last = floor((start - source.start) / span), ceil((end - source.start) / span)
    if (last - first) * len(keys.times) > MAX_SAMPLES:
        raise InputError(
            f"a motion that repeats every {span:g} s has more than {MAX_SAMPLES:,} keys from"
            f" {start:,.0f} s to {end:,.0f} s"
        )
    whole: Keys | None = None
    for number in range(first, max(last, first + 1)):
        turned = source.repeat == "ping-pong" and number % 2 == 1
        following = (_reversed(keys) if turned else keys).shifted(number * span)
        whole = following if whole is None else _joined(whole, following)
    assert whole is not None
    return whole


def _filled(keys: Keys, start: float, end: float) -> Keys:
    """With keys at the ends of the span, where the motion rests until and after its own keys."""
    early, late = int(keys.times[0] > start + SEAM), int(keys.times[-1] < end - SEAM)
    times = np.concatenate([[start][:early], keys.times, [end][:late]])
    values = np.concatenate([keys.values[:early], keys.values, keys.values[-1:][:late]])
    tangents = keys.tangents
    if tangents is not None:
        arriving, leaving = tangents[0].copy(), tangents[1].copy()
        arriving[:early], leaving[len(leaving) - late :] = 0.0, 0.0
        rest = np.zeros((1, values.shape[1]))
        tangents = (
            np.concatenate([rest[:early], arriving, rest[:late]]),
            np.concatenate([rest[:early], leaving, rest[:late]]),
        )
    return Keys(times, values, keys.interpolation, tangents)


def _reversed(keys: Keys) -> Keys:
    """Played backward in the same span."""
    values = keys.values[::-1]
    if keys.interpolation == "step":
        # What held until a key now holds from it on.
        values = np.concatenate([keys.values[-2::-1], keys.values[:1]])
    tangents = keys.tangents
    if tangents is not None:
        tangents = -tangents[1][::-1], -tangents[0][::-1]
    times = keys.times[0] + keys.times[-1] - keys.times[::-1]
    return Keys(times, values, keys.interpolation, tangents)


def _joined(first: Keys, second: Keys) -> Keys:
    """One after the other; where they meet without a jump they share a key."""
    meets = np.allclose(first.values[-1], second.values[0], atol=1e-9)
    if not meets and first.interpolation != "step":
        first = _cut(first, float(first.times[-1]) - SEAM)
    tangents = first.tangents
    if tangents is not None and second.tangents is not None:
        arriving = second.tangents[0].copy()
        if meets:
            arriving[0] = tangents[0][-1]
        tangents = (
            np.concatenate([tangents[0][:-1], arriving]),
            np.concatenate([tangents[1][:-1], second.tangents[1]]),
        )
    return Keys(
        np.concatenate([first.times[:-1], second.times]),
        np.concatenate([first.values[:-1], second.values]),
        first.interpolation,
        tangents,
    )


def _clipped(keys: Keys, start: float, end: float) -> Keys:
    """The part from `start` to `end`, cut there if need be."""
    for moment in (start, end):
        nearest = int(np.abs(keys.times - moment).argmin())
        if abs(keys.times[nearest] - moment) <= SAME:
            times = keys.times.copy()
            times[nearest] = moment
            keys = replace(keys, times=times)
        elif keys.times[0] < moment < keys.times[-1]:
            keys = _cut(keys, moment)
    inside = (keys.times >= start) & (keys.times <= end)
    if not inside.any():
        # At rest all the time: before the first key or after the last.
        inside[0 if start < keys.times[0] else -1] = True
        held = keys.values[inside]
        return Keys(np.array([start]), held, "step")
    tangents = keys.tangents
    if tangents is not None:
        tangents = tangents[0][inside], tangents[1][inside]
    return Keys(keys.times[inside], keys.values[inside], keys.interpolation, tangents)


def _cut(keys: Keys, moment: float) -> Keys:
    """With one more key, which changes nothing."""
    after = int(np.searchsorted(keys.times, moment))
    before = after - 1
    gap = keys.times[after] - keys.times[before]
    x = (moment - keys.times[before]) / gap
    first, second = keys.values[before], keys.values[after]
    tangents = keys.tangents
    if keys.interpolation == "step":
        value = first
    elif tangents is None and keys.values.shape[1] == 4:
        value = rotations.slerp(first, second, x)
    elif tangents is None:
        value = first + x * (second - first)
    else:
        leaving, arriving = gap * tangents[1][before], gap * tangents[0][after]
        value = (
            (2 * x**3 - 3 * x**2 + 1) * first + (x**3 - 2 * x**2 + x) * leaving
            + (3 * x**2 - 2 * x**3) * second + (x**3 - x**2) * arriving
        )  # fmt: skip
        slope = (
            (6 * x**2 - 6 * x) * (first - second) + (3 * x**2 - 4 * x + 1) * leaving
            + (3 * x**2 - 2 * x) * arriving
        ) / gap  # fmt: skip
        tangents = (
            np.insert(tangents[0], after, slope, axis=0),
            np.insert(tangents[1], after, slope, axis=0),
        )
    return Keys(
        np.insert(keys.times, after, moment),
        np.insert(keys.values, after, value, axis=0),
        keys.interpolation,
        tangents,
    )
