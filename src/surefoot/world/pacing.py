"""A world as somebody lives it who is slower than others: everything around goes faster.

What a character does at a share of its usual pace takes place in the same world on a slower clock.
So a way for somebody slow is found by planning at the usual pace in a world that was made faster,
and by stretching the times of what was found.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from surefoot.arrays import Floats, number
from surefoot.world.keyframes import Keyframed
from surefoot.world.trajectory import Attached, Static, Trajectory
from surefoot.world.world import World

_RATE = 60.0  # [1/s] of keys, for motions that have none of their own


def lived_at(world: World, pace: float, until: float) -> World:
    """The world on a clock that shows `pace` times the time that has passed.

    Args:
        world: as it is; left so.
        pace: above 0, at most 1.
        until: [s] on the world's own clock: motions without keys are known as far as that.
    """
    pace = number(pace, "pace", above=0.0, at_most=1.0)
    return world.copy(body.moved(_faster(body.trajectory, pace, until)) for body in world)


def _faster(trajectory: Trajectory, pace: float, until: float) -> Trajectory:
    if isinstance(trajectory, Static) or pace == 1.0:
        return trajectory
    if isinstance(trajectory, Attached):
        parent, child = (
            _faster(each, pace, until) for each in (trajectory.parent, trajectory.child)
        )
        return Attached(parent, child)
    if not isinstance(trajectory, Keyframed):
        return _faster(trajectory.sampled(0.0, until, _RATE), pace, until)
    turning, span = trajectory.rotation_times, trajectory.span
    return replace(
        trajectory,
        times=trajectory.times * pace,
        rotation_times=None if turning is None else turning * pace,
        tangents=_steeper(trajectory.tangents, pace),
        rotation_tangents=_steeper(trajectory.rotation_tangents, pace),
        span=None if span is None else (span[0] * pace, span[1] * pace),
    )


def _steeper(tangents: tuple[Floats, Floats] | None, pace: float) -> tuple[Floats, Floats] | None:
    """Rates of change in less time."""
    if tangents is None:
        return None
    return np.asarray(tangents[0]) / pace, np.asarray(tangents[1]) / pace
