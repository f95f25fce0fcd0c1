"""Floors that move under feet, in numpy: what native/motion/moving_floor must agree with."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from references.series import smooth, velocity

Array = npt.NDArray[np.float64]


def floor_velocity(points: Array, rate: float, scale: float, floor: str) -> Array:
    """`(n, 2)` [m/s]: zero, or how the belt under a treadmill walker moves."""
    n = len(points)
    none = np.zeros((n, 2))
    if floor == "still" or n < 8:
        return none
    swift = np.sqrt(scale)
    radius = 0.18 * swift
    smoothed = smooth(points, rate, 0.025)
    speed = velocity(smoothed, rate)
    change = velocity(speed, rate)
    # Feet that neither rise, fall nor change their velocity, in the lower half of their heights.
    height = smoothed[..., 2]
    low = height < np.sort(height, axis=0)[(n - 1) // 2] + 0.002
    steady = low & (np.abs(speed[..., 2]) < 0.15 * swift)
    steady &= np.hypot(change[..., 0], change[..., 1]) < 3.0
    frames = np.nonzero(steady)[0]
    velocities = speed[steady][:, :2]
    if floor == "auto":
        resting = np.hypot(*velocities.T) < radius
        if len(velocities) < 0.03 * n * points.shape[1] * points.shape[2] or resting.mean() > 0.8:
            return none
    if len(velocities) == 0:
        return none
    grid = np.linspace(0, n - 1, max(2, int(n / rate / 0.25) + 1))
    nodes = np.array([_mode_near(frame, frames, velocities, rate, radius) for frame in grid])
    belt = np.stack([np.interp(np.arange(n), grid, nodes[:, axis]) for axis in (0, 1)], axis=1)
    if floor == "auto":
        close = np.hypot(*(velocities - belt[frames]).T) < radius
        center = points.mean(axis=(1, 2))
        gone = float(np.hypot(*(center[-1] - center[0])[:2]))
        carried = float(np.hypot(*belt.T).mean()) * (n - 1) / rate
        if close.mean() < 0.6 or gone > 0.6 * carried + 0.5 * scale:
            return none
    return belt


def _mode_near(frame: float, frames: Array, velocities: Array, rate: float, radius: float) -> Array:
    """The commonest of velocities around a frame: by mean shift from their median."""
    away = np.abs(frames - frame) / rate
    width = 0.4
    while not (away < 2.5 * width).any():
        width *= 2
    used = away < 2.5 * width
    weights = np.exp(-0.5 * (away[used] / width) ** 2)
    near = velocities[used]
    mode = np.array([_weighted_median(near[:, axis], weights) for axis in (0, 1)])
    for size in (2 * radius, 2 * radius, radius, radius, radius):
        inside = np.hypot(*(near - mode).T) < size
        if inside.any():
            mode = (weights[inside, None] * near[inside]).sum(axis=0) / weights[inside].sum()
    return mode


def _weighted_median(values: Array, weights: Array) -> float:
    order = np.argsort(values, kind="stable")
    total = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(total, total[-1] / 2)])
