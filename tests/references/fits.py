"""Fits of levine2011's Appendix A, slowly: by trying a fine grid of obstacles."""

from __future__ import annotations

import numpy as np


def cylinder_offsets(samples, start, target, radius, grid=0.02):
    """How far to the left and to the right of the way a centre can be that holds all samples."""
    samples, start, target = (np.asarray(a, dtype=float)[..., :2] for a in (samples, start, target))
    low, high = samples.min(axis=0) - radius, samples.max(axis=0) + radius
    xs, ys = (np.arange(a, b + grid, grid) for a, b in zip(low, high, strict=True))
    centres = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    away = np.linalg.norm(centres[:, None] - samples, axis=-1).max(axis=1)
    inside = centres[away <= radius]
    if len(inside) == 0:
        return None
    ahead = (target - start) / np.linalg.norm(target - start)
    offset = (inside - start) @ np.array([-ahead[1], ahead[0]])
    return offset.max(), offset.min()


def ditch_distance(samples, start):
    """How far away the farthest edge is that has all samples behind it, and its normal."""
    angles = np.linspace(-np.pi, np.pi, 7201)
    normals = np.column_stack([np.cos(angles), np.sin(angles)])
    nearest = ((np.asarray(samples)[:, :2] - np.asarray(start)[:2]) @ normals.T).min(axis=0)
    return nearest.max(), angles[np.argmax(nearest)]


def narrowest_edge(samples, start):
    """How far away the edge is that samples lie along best, all behind it, and its normal."""
    angles = np.linspace(-np.pi, np.pi, 7201)
    normals = np.column_stack([np.cos(angles), np.sin(angles)])
    along = (np.asarray(samples)[:, :2] - np.asarray(start)[:2]) @ normals.T
    spread = np.where(along.min(axis=0) > 0, np.ptp(along, axis=0), np.inf)
    best = np.argmin(spread)
    return along[:, best].min(), angles[best]
