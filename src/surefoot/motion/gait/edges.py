"""Edges: feet stand on one where an ankle cannot tilt as far as the ground or the leg asks."""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats
from surefoot.character import humanoid
from surefoot.character.measures import Measures
from surefoot.math import rotations
from surefoot.motion.footholds import Side
from surefoot.motion.gait.soles import middle_ahead

STEEPEST = 0.26
"""[rad] that a foot stands on an edge, at most."""

SPARE = 0.09
"""[rad] of an ankle's range that is not used, for what the body sways."""

_STRETCHED = 0.97  # of thigh and shin, in most of a stance
_AHEAD = np.array([1.0, 0.0, 0.0])


def on_edge(
    measures: Measures, side: Side, position: Floats, rotation: Floats, body: Floats,
    headings: Floats,
) -> tuple[Floats, Floats, float]:  # fmt: skip
    """The sole `(3,)` [m] and `(4,)`, tilted about an edge as far [rad] as the ankle needs.

    Args:
        measures: of the body.
        side: which foot.
        position: `(3,)` [m], the middle of the sole as it rests.
        rotation: `(4,)`, likewise.
        body: `(k, 3)` [m], the point between the feet at moments of the stance.
        headings: `(k,)` [rad], then.
    """
    out = 1.0 if side == "left" else -1.0
    left = np.stack([-np.sin(headings), np.cos(headings), np.zeros_like(headings)], axis=-1)
    hip = body + out * measures.hip_width / 2 * left
    up = rotations.rotate(rotation, np.array([0.0, 0.0, measures.ankle_height]))
    ankle = position - middle_ahead(measures) * rotations.rotate(rotation, _AHEAD) + up
    away = hip - ankle
    straight = _STRETCHED * (measures.thigh + measures.shin)
    away[:, 2] = np.sqrt(
        np.maximum(straight**2 - (away[:, :2] ** 2).sum(axis=1), 0.2 * straight**2)
    )
    seen = rotations.rotate(rotations.inverse(rotation), away)
    tilts = np.arctan2(seen[:, 1], seen[:, 2])
    low, high = humanoid.limits()[humanoid.JOINTS.index(f"{side}_foot"), 0]
    short = max(low + SPARE - float(tilts.min()), 0.0) - max(float(tilts.max()) - high + SPARE, 0.0)
    turn = float(np.clip(short, -STEEPEST, STEEPEST))
    if turn == 0.0:
        return position, rotation, 0.0
    raised = np.array([0.0, 0.0, 0.5 * measures.foot_width * np.sin(abs(turn))])
    tilted = rotations.multiply(rotation, rotations.from_axis_angle(_AHEAD, np.array(turn)))
    return position + rotations.rotate(rotation, raised), tilted, turn
