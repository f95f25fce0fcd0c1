"""The crouch, as numbers: what changes from upright (0) to as low as one still walks (1).

Judged by clips of people who walk crouched (hips at 0.85 L, trunk leaning by 27 degrees, as high as
0.84 of their height, near 0.5 here) and duck under something (0.6 L, 50 degrees, 0.6). At 1 a body
fits under 0.72 of its height, as the built-in people's capability to crouch says.
"""

from __future__ import annotations

from math import sqrt

LOWER = 0.35
"""[L] that the hips are lower."""

BACK = 0.18
"""[L] that they are farther back over the feet, since the trunk is ahead of them."""

PELVIS_LEAN = 0.36
"""[rad] forward."""

CHEST_LEAN = 0.88
"""[rad] forward, in the world."""

HEAD_LEAN = 0.42
"""[rad] forward, in the world: people look where they go."""

ARMS_FORWARD = 0.55
"""[rad] against the chest, so that they hang down."""

ELBOWS = 0.35
"""[rad] more bent."""

STEADY = 0.7
"""Of the walk's bob and of the hips' tilt that is missing: bent legs take it up."""

SLOWER = 0.10
"""Of a step's time that it takes longer."""

# How high the crown gets over the standing height: 1 less so much for each depth and its square.
_LINEAR, _SQUARE = 0.2, 0.083


def depth(height: float) -> float:
    """How deep, 0..1, one must crouch to be no higher than `height`, over the standing height."""
    if height >= 1.0:
        return 0.0
    # A walker bobs, and a little room is left above the head.
    gone = 1.0 - height + 0.004
    deep = (sqrt(_LINEAR**2 + 4 * _SQUARE * gone) - _LINEAR) / (2 * _SQUARE)
    return min(deep, 1.0)
