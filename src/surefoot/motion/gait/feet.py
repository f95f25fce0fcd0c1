"""Feet over time: locked to their footholds in stance, over whatever lies between in swing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Bools, Floats
from surefoot.character.measures import Measures
from surefoot.math import rotations
from surefoot.motion.curves import Indices, covering, hermite, smoothstep
from surefoot.motion.footholds import Holds
from surefoot.motion.gait import walk
from surefoot.motion.gait.rolling import Rolls, rise, rolled_ankle, rolling_speed

CLEARANCE = 0.018
"""[m] that the sole keeps above the ground in mid-swing, at least."""

STEP_OVER = 0.25
"""[m] above the higher of its two footholds that a swinging foot looks for things to clear."""

NEAR = 0.03
"""[m] around where it stands that a foot may go without clearing what is beside it."""

_SAMPLES = 32
_FLAT = 1e-9


@dataclass(frozen=True, eq=False)
class FootPath:
    """One foot at many moments.

    Attributes:
        ankle: `(n, 3)` [m], in the world.
        rotation: `(n, 4)`, of the foot in the world.
        toes: `(n,)` [rad], turn of the toes against the foot; up is negative.
        hold: `(n,)` the foothold it is on or comes from.
        swing: `(n,)` 0..1 in the air; NaN on the ground.
        heel: `(n,)` whether the heel is on its foothold.
        ball: `(n,)` whether the toes are.
    """

    ankle: Floats
    rotation: Floats
    toes: Floats
    hold: Indices
    swing: Floats
    heel: Bools
    ball: Bools

    @property
    def stance(self) -> Bools:
        """`(n,)`: whether the foot is on the ground."""
        return np.isnan(self.swing)


class Feet:
    """The motion of one foot through its footholds.

    Args:
        holds: of this foot.
        rolls: one for each of them.
        measures: of the body.
        side: 1 for the left foot, -1 for the right.
    """

    def __init__(self, holds: Holds, rolls: Rolls, measures: Measures, side: float) -> None:
        self.holds, self.rolls, self.measures, self.side = holds, rolls, measures, side
        count = max(len(holds) - 1, 0)
        self._arch = np.zeros(count)
        self._climb = np.zeros(count)
        self._extra = np.zeros((count, _SAMPLES + 1))
        if count:
            self._clear_ground()

    def at(self, times: Floats) -> FootPath:
        """The foot at `times` `(n,)` [s]."""
        holds = self.holds
        hold = np.clip(np.searchsorted(holds.starts, times, side="right") - 1, 0, None)
        flying = (times > holds.ends[hold]) & (hold < len(holds) - 1)
        path = self._stance(hold, times)
        at = np.flatnonzero(flying)
        if len(at):
            done = times[at] - holds.ends[hold[at]]
            progress = done / (holds.starts[hold[at] + 1] - holds.ends[hold[at]])
            swung = self._swing(hold[at], progress, times[at])
            for name in ("ankle", "rotation", "toes", "swing"):
                getattr(path, name)[at] = getattr(swung, name)
            path.heel[at] = path.ball[at] = False
        return path

    def _stance(self, hold: Indices, times: Floats) -> FootPath:
        position, turned = self.holds.frames(hold, times)
        left = np.maximum(self.holds.ends[hold] - times, 0.0)
        pitch = self.rolls.pitch(hold, times - self.holds.starts[hold], left)
        ankle = position + rotations.rotate(turned, rolled_ankle(self.measures, pitch))
        return FootPath(
            ankle=ankle,
            rotation=rotations.multiply(turned, _pitched(pitch)),
            toes=-np.maximum(pitch, 0.0),
            hold=hold,
            swing=np.full(len(times), np.nan),
            heel=pitch <= _FLAT,
            ball=pitch >= -_FLAT,
        )

    def _swing(self, hold: Indices, progress: Floats, times: Floats) -> FootPath:
        path = self._bare_swing(hold, progress, times)
        plateau = self._plateau(hold, progress) * self._arch[hold]
        at = progress * _SAMPLES
        below = np.clip(at.astype(np.intp), 0, _SAMPLES - 1)
        table = self._extra[hold]
        rows = np.arange(len(hold))
        extra = table[rows, below] + (at - below) * (table[rows, below + 1] - table[rows, below])
        path.ankle[:, 2] += plateau + extra
        return path

    def _bare_swing(self, hold: Indices, progress: Floats, times: Floats) -> FootPath:
        """The swing over level ground: Hermite curves with the speeds of the stances they join."""
        after = hold + 1
        duration = (self.holds.starts[after] - self.holds.ends[hold])[:, None]
        start, start_turn = self.holds.frames(hold, times)
        end, end_turn = self.holds.frames(after, times)
        rolls = self.rolls
        lift, land = rolls.push_off[hold], rolls.contact[after]
        lift_rate, land_rate = rolls.push_off_rate[hold], rolls.contact_rate[after]
        leave = start + rotations.rotate(start_turn, rolled_ankle(self.measures, lift))
        reach = end + rotations.rotate(end_turn, rolled_ankle(self.measures, land))
        way = reach - leave
        level = way * np.array([1.0, 1.0, 0.0])
        leaving = rotations.rotate(start_turn, rolling_speed(self.measures, lift, lift_rate))
        landing = rotations.rotate(end_turn, rolling_speed(self.measures, land, land_rate))
        landing = landing + walk.LANDING * level / duration

        # Upward the foot rises before it goes ahead; downward it goes ahead before it sinks.
        climb = _climbing(rise(start, start_turn, end, end_turn))
        early = climb * progress * (1 - progress)
        done = hermite(np.stack([progress - early, progress - early, progress + early], axis=-1))[2]
        _, slope_start, smooth, slope_end = hermite(progress)
        bump = 16 * progress**2 * (1 - progress) ** 2
        leg = self.measures.leg_length
        size = np.clip(np.linalg.norm(level, axis=1) / (1.45 * leg), 0.0, 1.0)
        size = size * (1 + np.minimum(climb, 0.0))
        arc = leg * size * bump * (walk.SWING_LIFT[0] + walk.SWING_LIFT[1] * (progress - 0.5))
        hurry = bump * (walk.SWING_AHEAD[0] + walk.SWING_AHEAD[1] * (progress - 0.5))
        ankle = (
            leave + done * way + hurry[:, None] * level
            + duration * (slope_start[:, None] * leaving + slope_end[:, None] * landing)
        )  # fmt: skip
        ankle[:, 2] += arc
        # Past the standing leg on its outer side.
        turned = rotations.slerp(start_turn, end_turn, smooth)
        outward = self.side * (0.012 * leg * bump * size)
        ankle += rotations.rotate(turned, [0.0, 1.0, 0.0]) * outward[:, None]

        # Toes that point down would catch the step: upward they come up early.
        _, slope_start, smooth, slope_end = hermite(progress + 0.4 * np.maximum(early, 0.0))
        pitch = (
            lift + smooth * (land - lift)
            + duration[:, 0] * (slope_start * lift_rate + slope_end * land_rate)
            + bump * lift * (walk.SWING_PITCH[0] + walk.SWING_PITCH[1] * (progress - 0.5))
        )  # fmt: skip
        # The toes let go of the ground's plane, and take it up again where they land first.
        keep = 1 - smoothstep(progress / 0.55) + smoothstep(5 * progress - 4) * (land > 0)
        return FootPath(
            ankle=ankle,
            rotation=rotations.multiply(turned, _pitched(pitch)),
            toes=-np.maximum(pitch, 0.0) * keep,
            hold=hold,
            swing=progress,
            heel=np.zeros(len(hold), dtype=np.bool_),
            ball=np.zeros(len(hold), dtype=np.bool_),
        )

    def _clear_ground(self) -> None:
        """Raises each swing over what is really there: steps' edges, kerbs, slopes."""
        count = len(self.holds) - 1
        ends = np.arange(count)
        first = self.holds.frames(ends, self.holds.starts[1:])
        second = self.holds.frames(ends + 1, self.holds.starts[1:])
        self._climb = _climbing(rise(*first, *second))
        grid = np.linspace(0.0, 1.0, _SAMPLES + 1)
        hold = np.repeat(np.arange(count), len(grid))
        progress = np.tile(grid, count)
        begun = self.holds.ends[hold]
        times = begun + progress * (self.holds.starts[hold + 1] - begun)
        path = self._bare_swing(hold, progress, times)
        points = self.sole_points(path)
        first, _ = self.holds.frames(hold, times)
        second, _ = self.holds.frames(hold + 1, times)
        asked = points.copy()
        asked[..., 2] = np.maximum(first[:, 2], second[:, 2])[:, None] + STEP_OVER
        ground = self.holds.world.support(asked, times[:, None], down=STEP_OVER + 1.0)
        heights = np.where(ground.hit, ground.height, -np.inf).reshape(count, len(grid), -1)
        points = points.reshape(count, len(grid), -1, 3)
        # Close to where it stands a foot may touch what rises before its toes or behind its heel.
        for end in (0, -1):
            near = np.linalg.norm((points - points[:, [end]])[..., :2], axis=-1) < NEAR
            heights = np.where(near, np.minimum(heights, heights[:, [end]]), heights)
        room = CLEARANCE * np.sin(np.pi * grid) ** 2
        missing = (heights - points[..., 2]).max(axis=2) + room
        missing = np.clip(missing, 0.0, STEP_OVER + 0.5)
        # One smooth arch does most of it, and what is left near the ends is added as it is.
        plateau = self._plateau(hold, progress).reshape(count, -1)
        self._arch = np.where(plateau > 0.98, missing, 0.0).max(axis=1)
        left = np.maximum(missing - self._arch[:, None] * plateau, 0.0)
        self._extra = covering(left.T, 2).T * np.minimum(8 * grid * (1 - grid), 1.0)

    def _plateau(self, hold: Indices, progress: Floats) -> Floats:
        """An arch over the swing, quick to fall on a step down."""
        end = 0.3 - 0.2 * np.maximum(-self._climb[hold], 0.0)
        return smoothstep(progress / 0.3) * smoothstep((1 - progress) / end)

    def sole_points(self, path: FootPath) -> Floats:
        """`(n, 3, 3)` [m]: heel, ball and toe tip of the sole, in the world."""
        size = self.measures
        heel = rotations.rotate(path.rotation, size.heel)
        ball = rotations.rotate(path.rotation, size.ball)
        joint = np.array([size.ball_ahead, 0.0, size.ball_height - size.ankle_height])
        toes = rotations.multiply(path.rotation, _pitched(path.toes))
        tip = np.array([size.toe_ahead - size.ball_ahead, 0.0, -size.ball_height])
        tip = rotations.rotate(path.rotation, joint) + rotations.rotate(toes, tip)
        return path.ankle[:, None] + np.stack([heel, ball, tip], axis=1)


def _pitched(pitch: Floats) -> Floats:
    return rotations.from_axis_angle([0.0, 1.0, 0.0], pitch)


def _climbing(height: Floats) -> Floats:
    """How much a swing is one up stairs, or, negative, down; `height` `(n,)` [m] is its rise."""
    climb = np.tanh(height / 0.15)
    return np.where(climb > 0, 0.95 * climb, 0.35 * climb)
