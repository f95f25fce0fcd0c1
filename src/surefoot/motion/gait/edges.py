"""Edges: feet stand on one where an ankle cannot tilt as far as the ground or the leg asks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from surefoot.character import humanoid
from surefoot.character.measures import Measures
from surefoot.math import rotations
from surefoot.motion.footholds import Foothold, Holds
from surefoot.motion.gait.course import Course
from surefoot.motion.gait.soles import middle_ahead

STEEPEST = 0.26
"""[rad] that a foot stands on an edge, at most."""

SPARE = 0.09
"""[rad] of an ankle's range that is not used, for what the body sways."""

_STRETCHED = 0.97  # of thigh and shin, in most of a stance
_LONGEST = 1.5  # [s] of a stance that are looked at
_AHEAD = np.array([1.0, 0.0, 0.0])


def on_edge(course: Course, hold: Foothold, measures: Measures) -> Foothold:
    """A foothold tilted about an edge of the sole, as far as the ankle needs in its stance.

    It is tilted from contact to lift, and not only when it has to be: a foot that rolled over its
    edge would slide.

    Args:
        course: where the body goes.
        hold: as the foot rests on the ground.
        measures: of the body.
    """
    last = max(min(hold.end, hold.start + _LONGEST, course.until), hold.start)
    times = np.linspace(hold.start, last, 6)
    then = np.full(len(times), hold.start)
    # Where the body will be in the stance, on what carries it at contact.
    body, headings = course.carried(times, then)
    position, rotation = (each[0] for each in Holds(course.world, [hold]).frames(
        np.zeros(1, dtype=np.intp), then[:1]))  # fmt: skip
    out = 1.0 if hold.foot == "left" else -1.0
    left = np.stack([-np.sin(headings), np.cos(headings), np.zeros_like(headings)], axis=-1)
    up = rotations.rotate(rotation, np.array([0.0, 0.0, measures.ankle_height]))
    ankle = position - middle_ahead(measures) * rotations.rotate(rotation, _AHEAD) + up
    away = body + out * measures.hip_width / 2 * left - ankle
    straight = _STRETCHED * (measures.thigh + measures.shin)
    above = straight**2 - (away[:, :2] ** 2).sum(axis=1)
    away[:, 2] = np.sqrt(np.maximum(above, 0.2 * straight**2))
    seen = rotations.rotate(rotations.inverse(rotation), away)
    tilts = np.arctan2(seen[:, 1], seen[:, 2])
    low, high = humanoid.limits()[humanoid.JOINTS.index(f"{hold.foot}_foot"), 0]
    short = max(low + SPARE - float(tilts.min()), 0.0) - max(float(tilts.max()) - high + SPARE, 0.0)
    turn = float(np.clip(short, -STEEPEST, STEEPEST))
    if turn == 0.0:
        return hold
    # In the frame of what carries it: up to the height of the edge's axis, and turned about it.
    raised = np.array([0.0, 0.0, 0.5 * measures.foot_width * np.sin(abs(turn))])
    return replace(
        hold,
        position=hold.position + rotations.rotate(hold.rotation, raised),
        rotation=rotations.multiply(
            hold.rotation, rotations.from_axis_angle(_AHEAD, np.array(turn))
        ),
        tilt=turn,
    )
