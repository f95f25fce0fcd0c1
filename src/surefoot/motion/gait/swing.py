"""Swings: the way of a foot through the air, over whatever lies between two footholds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.measures import Measures
from surefoot.math import rotations
from surefoot.motion.curves import Indices, hermite, over, smoothstep
from surefoot.motion.footholds import Holds
from surefoot.motion.gait import walk
from surefoot.motion.gait.heels import Heels
from surefoot.motion.gait.rolling import (
    Rolls,
    pitched,
    rise,
    rolled_ankle,
    rolling_bend,
    rolling_speed,
    sole_points,
)
from surefoot.motion.gait.similarity import size, slowness
from surefoot.motion.gait.soles import STEP_OVER

CLEARANCE = 0.018
"""[m for a leg of 0.93 m] that the sole keeps above the ground in mid-swing, at least."""

NEAR = 0.004
"""[m likewise] around where it stands that a foot may go without clearing what is beside it."""

LEVEL = 0.01
"""[m likewise] between footholds that are level with each other."""

DIP = 0.06
"""[m likewise] that a swing on the level may need to be lifted before something must be in its
way."""

QUICKEST = 55.0
"""[m/s^2] with which a foot changes its way up and down to clear something."""

_KNOTS = 65
_COARSE = 25
# What is tried of each.
UNDECIDED = 0.3
"""Difference in effort between two ways of which a swing takes the middle."""

_LATE = np.array([0.0, 0.4, 0.75, 1.0])
_EARLY = np.array([0.0, 0.4, 0.75, 1.0])
_TUCK = np.array([0.0, 0.06, 0.14])


@dataclass(frozen=True, eq=False)
class Way:
    """How each of `n` swings goes ahead; zeros are the walk on level ground.

    Attributes:
        late: `(n,)` 0..1, how much it waits to go ahead until it has risen.
        early: `(n,)` 0..1, how much it has gone ahead before it comes down.
        tuck: `(n,)` of the way, that the bending knee draws it back first, away from a step.
    """

    late: Floats
    early: Floats
    tuck: Floats

    def __getitem__(self, which: Indices) -> Way:
        return Way(self.late[which], self.early[which], self.tuck[which])


@dataclass(frozen=True, eq=False)
class Flown:
    """A foot in the air at `n` moments.

    Attributes:
        ankle: `(n, 3)` [m], in the world.
        rotation: `(n, 4)`, of the foot in the world.
        toes: `(n,)` [rad], turn of the toes against the foot; up is negative.
    """

    ankle: Floats
    rotation: Floats
    toes: Floats


class Swings:
    """The swings of one foot, one after each of its footholds but the last.

    Args:
        holds: of this foot.
        rolls: one for each of them.
        heels: what is added to their pitch.
        measures: of the body.
        side: 1 for the left foot, -1 for the right.
    """

    def __init__(
        self, holds: Holds, rolls: Rolls, heels: Heels, measures: Measures, side: float
    ) -> None:
        self.holds, self.rolls, self.heels = holds, rolls, heels
        self.measures, self.side = measures, side
        self._size, self._slow = size(measures.leg_length), slowness(measures.leg_length)
        count = max(len(holds) - 1, 0)
        self._way = Way(np.zeros(count), np.zeros(count), np.zeros(count))
        self._extra = np.zeros((_KNOTS, count))

    def at(self, hold: Indices, progress: Floats, times: Floats) -> Flown:
        """The foot after footholds `hold` `(n,)`, `progress` 0..1 through the swing, at `times`."""
        flown = self._bare(hold, progress, times, self._way[hold])
        at = progress * (_KNOTS - 1)
        below = np.clip(at.astype(np.intp), 0, _KNOTS - 2)
        knots = [self._extra[np.clip(below + shift, 0, _KNOTS - 1), hold] for shift in range(-1, 3)]
        first, first_slope, second, second_slope = hermite(at - below)
        slopes = first_slope * (knots[2] - knots[0]) + second_slope * (knots[3] - knots[1])
        flown.ankle[:, 2] += first * knots[1] + second * knots[2] + 0.5 * slopes
        return flown

    def _bare(self, hold: Indices, progress: Floats, times: Floats, way: Way) -> Flown:
        """The swing over level ground: Hermite curves with the speeds of the stances they join."""
        after = hold + 1
        duration = (self.holds.starts[after] - self.holds.ends[hold])[:, None]
        start, start_turn = self.holds.frames(hold, times)
        end, end_turn = self.holds.frames(after, times)
        measures, heels = self.measures, self.heels
        lift, lift_rate, lift_bend = self.rolls.leaving(hold)
        land, land_rate = self.rolls.meeting(after)
        ends, starts = self.holds.ends[hold], self.holds.starts[after]
        left_at, left_rate = lift + heels.at(ends), lift_rate + heels.rate(ends)
        met_at, met_rate = land + heels.at(starts), land_rate + heels.rate(starts)
        leave = start + rotations.rotate(start_turn, rolled_ankle(measures, left_at))
        reach = end + rotations.rotate(end_turn, rolled_ankle(measures, met_at))
        ahead = reach - leave
        level = ahead * np.array([1.0, 1.0, 0.0])
        leaving = rotations.rotate(start_turn, rolling_speed(measures, left_at, left_rate))
        landing = rotations.rotate(end_turn, rolling_speed(measures, met_at, met_rate))
        landing = landing + (walk.LANDING * (1 - way.early))[:, None] * level / duration

        # Upward the foot rises before it goes ahead; downward it goes ahead before it sinks.
        height = rise(*self.holds.grounds(hold, times), *self.holds.grounds(after, times))
        climb = climbing(height / measures.leg_length)
        left = 1 - progress
        along = progress - way.late * progress * left**2 + way.early * progress**2 * left
        upward = progress + climb * progress * left
        done = hermite(np.stack([along, along, upward], axis=-1))[2]
        _, slope_start, smooth, slope_end = hermite(progress)
        bump = 16 * progress**2 * left**2
        leg = measures.leg_length
        high = np.clip(np.linalg.norm(level, axis=1) / (1.45 * leg), 0.0, 1.0)
        high = leg * high * (1 + np.minimum(climb, 0.0))
        arc = high * bump * (walk.SWING_LIFT[0] + walk.SWING_LIFT[1] * (progress - 0.5))
        hurry = bump * (walk.SWING_AHEAD[0] + walk.SWING_AHEAD[1] * (progress - 0.5))
        hurry -= way.tuck * progress**3 * left**6 / (1 / 3) ** 3 / (2 / 3) ** 6
        # A foot that waits soon stops where its roll has sent it.
        stopping = 2 + 8 * way.late
        coasting = np.stack([progress * left**stopping] * 2 + [slope_start], axis=-1)
        ankle = (
            leave + done * ahead + hurry[:, None] * level
            + duration * (coasting * leaving + slope_end[:, None] * landing)
        )  # fmt: skip
        ankle[:, 2] += arc
        # The heel rises ever faster before the toes leave; the foot goes on like that at first.
        bend = rotations.rotate(start_turn, rolling_bend(measures, left_at, left_rate, lift_bend))
        begins = 6 * np.stack([1 - way.late, 1 - way.late, 1 + climb], axis=-1) ** 2 * ahead
        begins -= 2 * duration * np.stack([stopping, stopping, 0 * climb + 2], axis=-1) * leaving
        begins -= 2 * duration * landing
        begins += 32 * (walk.SWING_AHEAD[0] - 0.5 * walk.SWING_AHEAD[1]) * level
        begins[:, 2] += 32 * high * (walk.SWING_LIFT[0] - 0.5 * walk.SWING_LIFT[1])
        fading = 0.5 * progress**2 * left**6
        ankle += fading[:, None] * (duration**2 * bend - begins)
        # Past the standing leg on its outer side.
        turned = rotations.slerp(start_turn, end_turn, smooth)
        outward = self.side * (0.012 * bump * high)
        ankle += rotations.rotate(turned, [0.0, 1.0, 0.0]) * outward[:, None]

        # Toes that point down would catch the step: upward they come up early, downward between.
        sooner = progress + 0.4 * np.maximum(climb, 0.0) * progress * left
        _, slope_start, smooth, slope_end = hermite(sooner)
        pitch = (
            lift + smooth * (land - lift)
            + duration[:, 0] * (slope_start * lift_rate + slope_end * land_rate)
            + bump * lift * (walk.SWING_PITCH[0] + walk.SWING_PITCH[1] * (progress - 0.5))
            + bump * np.minimum(climb, 0.0) * lift
        )  # fmt: skip
        pitch = pitch + heels.at(times)
        # The toes let go of the ground's plane, and take it up again where they land first.
        keep = 1 - smoothstep(progress / 0.55) + smoothstep(5 * progress - 4) * (met_at > 0)
        return Flown(
            ankle=ankle,
            rotation=rotations.multiply(turned, pitched(pitch)),
            toes=-np.maximum(pitch, 0.0) * keep,
        )

    def clear(self, hips: Callable[[Floats], Floats]) -> None:
        """Leads each swing over what is really there: steps' edges, kerbs, slopes.

        Args:
            hips: the joint `(n, 3)` [m] that the leg hangs on, at times `(n,)` [s].
        """
        every = np.arange(len(self._way.late))
        if len(every) == 0:
            return
        needed, _ = self._needed(every, _KNOTS, self._way)
        # On the level a swing may dip low by itself; it is lifted, but waits for nothing.
        heights = self.holds.frames(np.arange(len(self.holds)), self.holds.starts)[0][:, 2]
        level = np.abs(np.diff(heights)) < LEVEL * self._size
        free = self._size * (CLEARANCE + np.where(level, DIP, 0.0))
        obstructed = np.flatnonzero(needed.max(axis=0) > free)
        if len(obstructed):
            way = self._best_way(obstructed, hips)
            for name in ("late", "early", "tuck"):
                getattr(self._way, name)[obstructed] = getattr(way, name)
            needed[:, obstructed], _ = self._needed(obstructed, _KNOTS, way)
        self._extra = self._arch(every, needed)

    def _best_way(self, swings: Indices, hips: Callable[[Floats], Floats]) -> Way:
        """For each swing, the way ahead on which it clears everything with the calmest knee."""
        choices = Way(*(choice.reshape(-1) for choice in np.meshgrid(_LATE, _EARLY, _TUCK)))
        count = len(choices.late)
        many = np.repeat(swings, count)
        tried = choices[np.tile(np.arange(count), len(swings))]
        needed, ankle = self._needed(many, _COARSE, tried)
        arch = self._arch(many, needed)
        ankle[..., 2] += arch
        duration = self.holds.starts[swings + 1] - self.holds.ends[swings]
        grid = np.linspace(0.0, 1.0, _COARSE)[:, None]
        hip = hips((self.holds.ends[swings] + grid * duration).reshape(-1))
        hip = np.repeat(hip.reshape(_COARSE, len(swings), 3), count, axis=1)
        bend = self._knee(np.linalg.norm(ankle - hip, axis=-1))
        step = np.repeat(duration, count) / (_COARSE - 1)
        speed = np.abs(np.diff(bend, axis=0)).max(axis=0) / step
        jerk = np.abs(np.diff(bend, 2, axis=0)).max(axis=0) / step**2
        short = (needed - arch).max(axis=0) / self._size
        effort = speed * self._slow / 10.0 + jerk * self._size / 400.0 + 60 * short
        # Not the best choice alone, which would change at once, but the best ones between them.
        effort = effort.reshape(len(swings), -1)
        weight = np.exp((effort.min(axis=1, keepdims=True) - effort) / UNDECIDED)
        weight /= weight.sum(axis=1, keepdims=True)
        return Way(weight @ choices.late, weight @ choices.early, weight @ choices.tuck)

    def _knee(self, distance: Floats) -> Floats:
        """How far [rad] a knee bends when its ankle is at a `distance` [m] from the hip."""
        thigh, shin = self.measures.thigh, self.measures.shin
        reach = np.clip(distance, abs(thigh - shin), 0.997 * (thigh + shin))
        return np.pi - np.arccos((thigh**2 + shin**2 - reach**2) / (2 * thigh * shin))

    def _arch(self, swings: Indices, needed: Floats) -> Floats:
        """How much `(knots, n)` [m] swings are lifted: what is needed, without a jerk."""
        grid = np.linspace(0.0, 1.0, len(needed))[:, None]
        duration = self.holds.starts[swings + 1] - self.holds.ends[swings]
        steps = duration / (len(needed) - 1)
        arch = over(np.maximum(needed, 0.0), steps, peaks=QUICKEST, valleys=0.25 * QUICKEST)
        return arch * smoothstep(grid / 0.12) * smoothstep((1 - grid) / 0.12)

    def _needed(self, swings: Indices, count: int, way: Way) -> tuple[Floats, Floats]:
        """How far `(count, n)` [m] the sole is below what it has to clear, and the ankles."""
        grid = np.linspace(0.0, 1.0, count)
        hold = np.repeat(swings, count)
        progress = np.tile(grid, len(swings))
        begun = self.holds.ends[hold]
        times = begun + progress * (self.holds.starts[hold + 1] - begun)
        each = np.repeat(np.arange(len(swings)), count)
        flown = self._bare(hold, progress, times, way[each])
        points = sole_points(self.measures, flown.ankle, flown.rotation, flown.toes)
        first, _ = self.holds.frames(hold, times)
        second, _ = self.holds.frames(hold + 1, times)
        asked, step_over = points.copy(), self._size * STEP_OVER
        asked[..., 2] = np.maximum(first[:, 2], second[:, 2])[:, None] + step_over
        ground = self.holds.world.support(asked, times[:, None], down=step_over + 1.0)
        heights = np.where(ground.hit, ground.height, -np.inf).reshape(len(swings), count, -1)
        points = points.reshape(len(swings), count, -1, 3)
        # Close to where it stands a foot may touch what rises before its toes or behind its heel.
        for end in (0, -1):
            near = np.linalg.norm((points - points[:, [end]])[..., :2], axis=-1) < self._size * NEAR
            heights = np.where(near, np.minimum(heights, heights[:, [end]]), heights)
        room = self._size * CLEARANCE * np.sin(np.pi * grid) ** 2
        missing = (heights - points[..., 2]).max(axis=2) + room
        # An edge may be passed between two moments: the higher need of both counts.
        missing[:, 1:-1] = np.maximum(np.maximum(missing[:, :-2], missing[:, 2:]), missing[:, 1:-1])
        ankle = flown.ankle.reshape(len(swings), count, 3)
        return np.clip(missing, -1.0, step_over + 0.5 * self._size).T, np.swapaxes(ankle, 0, 1)


def climbing(height: Floats) -> Floats:
    """How much a swing is one up stairs, or, negative, down; `height` `(n,)` [L] is its rise."""
    climb = np.tanh(height / 0.16)
    return np.where(climb > 0, 0.95 * climb, 0.35 * climb)
