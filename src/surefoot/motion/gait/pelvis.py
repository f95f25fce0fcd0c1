"""The pelvis: over its feet, swaying and rising as in a walk, and never out of a leg's reach."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.measures import Measures
from surefoot.character.skeleton import Skeleton
from surefoot.math import rotations
from surefoot.motion.curves import over, sampled, smootherstep
from surefoot.motion.gait import crouch, pace, run, walk
from surefoot.motion.gait.airtimes import Airtimes
from surefoot.motion.gait.ballistics import Ballistics
from surefoot.motion.gait.feet import Feet
from surefoot.motion.gait.flow import Flow, Flows
from surefoot.motion.gait.gestures import Gesture, Gestures
from surefoot.motion.gait.idle import Idle, idle
from surefoot.motion.gait.jump_arms import ArmSwing, JumpArms
from surefoot.motion.gait.launching import flies, flight_ends

REACH = 0.997
"""Of thigh and shin: how far a standing leg stretches; straighter knees would jerk."""

STANDING_HEIGHT = 0.996
"""[L] of the hips, standing; also that of a very slow walk in mid-stance."""

_CATCHING = 12.0  # [m/s^2] with which the legs catch a pelvis lowered for a reach
_SINKING = 8.0  # [m/s^2] with which it sinks towards one
_CLOSE = 0.1  # [s for a leg of 0.93 m] to a flight
_BENT = 0.012  # of the leg, that it is shorter when it lands down a step, or leaves up one
_STEP = 0.16  # [L] of such a step
_SOON = 0.12  # [s for a leg of 0.93 m] before it leaves
_LEFT = 0.02  # of a flight, after which it is not on the ground for sure
_DEEPEST = 0.28  # [L] that it is lowered at most


@dataclass(frozen=True, eq=False)
class PelvisPath:
    """The pelvis at `n` moments.

    Attributes:
        position: `(n, 3)` [m], in the world.
        rotation: `(n, 4)`.
        idle: what standing adds.
        gesture: what jumps do to trunk and head.
    """

    position: Floats
    rotation: Floats
    idle: Idle
    gesture: Gesture


class Pelvis:
    """Makes pelvis paths of one walk.

    Args:
        flows: of the walk.
        feet: left and right.
        skeleton: of the body.
        measures: of the body.
    """

    def __init__(
        self, flows: Flows, feet: tuple[Feet, Feet], skeleton: Skeleton, measures: Measures
    ) -> None:
        self.flows, self.leg = flows, measures.leg_length
        hips = skeleton.offsets[skeleton.indices(["left_thigh", "right_thigh"])]
        straight = measures.thigh + measures.shin
        grid = flows.grid
        self._gestures = Gestures()
        lifts, landings = flight_ends(flows, self._placed, feet, hips, measures)
        self.ballistics = Ballistics(
            flows.airtimes,
            lambda times: self._wished(flows.at(times)).position,
            lambda times: _facing(flows.course.at(times).heading),
            lifts,
            landings,
            self.leg,
        )
        self._gestures = Gestures(self.ballistics, flows.holds.footholds)
        self._arms = JumpArms(self.ballistics, _across(flows), flows.holds.footholds)
        wished = self._flown(flows.at(grid))
        needed = np.zeros(len(grid))
        ways: list[Floats] = []
        for hip, foot in zip(hips, feet, strict=True):
            path = foot.at(grid)
            at = wished.position + rotations.rotate(wished.rotation, hip)
            away = np.linalg.norm((at - path.ankle)[:, :2], axis=1)
            # Down a step, a leg lands bent: it could not straighten in time. Up a step, it leaves
            # the ground bent.
            step = np.clip(foot.rises(path.hold) / _STEP, -1.0, 1.0)
            leaving = (path.swing < 0.5) | (foot.holds.ends[path.hold] - grid < flows.slow * _SOON)
            bent = np.where(path.swing > 0.5, -step, 0.0) + np.where(leaving, step, 0.0)
            bent = np.maximum(bent, 0.0)
            reach = (REACH - _BENT * bent) * straight
            above = np.sqrt(np.maximum(reach**2 - away**2, 0.0))
            # A foot that is about to land, or has just left, must be within reach as well.
            held = path.stance | (path.swing > 0.85) | (path.swing < 0.1)
            lower: Floats = at[:, 2] - path.ankle[:, 2] - above
            # One that hangs on a flying body goes where the body is.
            hangs = np.append(foot.flown(flows.airtimes), 0.0)[path.hold]
            lower = np.where(path.stance, lower, (1 - hangs) * lower)
            needed = np.maximum(needed, np.where(held, lower, 0.0))
            ways.append(np.where(path.stance[:, None], at - path.ankle, 0.0))
        needed = np.minimum(needed, _DEEPEST * self.leg)
        self._step = float(grid[1] - grid[0])
        self._lower = over(needed, self._step, peaks=_CATCHING, valleys=_SINKING)
        self._lower *= _grounded(flows.airtimes, grid)
        for way in ways:
            way[:, 2] -= self._lower
        self.out_of_reach = np.stack([np.linalg.norm(way, axis=1) > straight for way in ways])
        """`(2, grid)`: when a foot on the ground is farther away than its leg is long."""

    def at(self, flow: Flow) -> PelvisPath:
        """The pelvis for a flow."""
        path = self._flown(flow)
        path.position[:, 2] -= sampled(flow.times, self.flows.grid[0], self._step, self._lower)
        return path

    def arms(self, times: Floats) -> ArmSwing:
        """What jumps do to the arms at `times` `(n,)` [s]."""
        return self._arms.at(times)

    def _flown(self, flow: Flow) -> PelvisPath:
        """The wished pelvis, but flying when no foot is on the ground."""
        path = self._wished(flow)
        return replace(path, position=self.ballistics.at(flow.times, path.position))

    def _placed(self, flow: Flow) -> tuple[Floats, Floats]:
        path = self._wished(flow)
        return path.position, path.rotation

    def _wished(self, flow: Flow) -> PelvisPath:
        """The pelvis of the fitted walk, whether or not the legs are long enough for it."""
        phase, ratio, walks = flow.phase, flow.ratio, flow.activity
        heading = flow.track.heading
        gesture = self._gestures.at(flow.times)
        stands = idle(flow.times, flow.idles)
        forward = np.stack([np.cos(heading), np.sin(heading)], axis=-1)
        left = np.stack([-forward[:, 1], forward[:, 0]], axis=-1)

        def both(name: str) -> Floats:
            return pace.curve(name, phase, ratio, flow.runs)

        # Going sideways the body does not sway over each foot.
        straight = 1 - 0.8 * np.abs(flow.track.sideways) / (
            flow.track.speed + 0.1 * self.flows.slow
        )
        sway = self.leg * (walks * straight * both("PELVIS_LEFT") + stands.left)
        low = flow.track.crouch
        steady = 1 - crouch.STEADY * low
        surge = self.leg * (flow.vigour * both("PELVIS_AHEAD") - crouch.BACK * low)
        mean = STANDING_HEIGHT - walks * (0.01 + 0.035 * np.minimum(ratio, walk.FITTED[1]))
        # Sideways the legs spread at every step; people stay low rather than bob.
        mean = mean - 0.12 * walk.speed_ratio(flow.track.sideways, self.leg)
        mean = pace.blended(flow.runs, mean, run.HEIGHT) - crouch.LOWER * low
        bob = steady * (1 - flow.runs) * flow.vigour * walk.PELVIS_UP.at(phase, ratio)
        up = self.leg * (mean + bob + stands.up)
        position = flow.track.position.copy()
        position[:, :2] += surge[:, None] * forward + sway[:, None] * left
        position[:, 2] = flow.floor + up
        # Who brakes leans back with the trunk; hips could not stretch that far behind.
        surging = np.maximum(flow.surge, 0.5 * flow.surge)
        rotation = turned(
            heading + flow.vigour * both("PELVIS_YAW"),
            flow.vigour * both("PELVIS_PITCH")
            + 0.03 + 0.12 * np.maximum(flow.climb, 0.0) + 0.06 * flow.runs
            + (0.2 + 0.3 * flow.runs) * surging + gesture.tilt + crouch.PELVIS_LEAN * low,
            0.8 * steady * flow.vigour * both("PELVIS_ROLL") - 0.35 * flow.bank + stands.roll,
        )  # fmt: skip
        return PelvisPath(position, rotation, stands, gesture)


def _facing(headings: Floats) -> Floats:
    """Level unit vectors `(n, 3)`."""
    return np.stack([np.cos(headings), np.sin(headings), np.zeros_like(headings)], axis=-1)


def _across(flows: Flows) -> Floats:
    """`(k,)` [m/s]: how fast each flight goes over the ground that it leaves."""
    if len(flows.airtimes) == 0:
        return np.zeros(0)
    return flows.course.at(flows.airtimes.starts + _LEFT * flows.airtimes.durations).speed


def _grounded(airtimes: Airtimes, times: Floats) -> Floats:
    """`(n,)`: 1 on the ground, 0 in the air and close to it, where the path is given."""
    share = np.ones(len(times))
    for start, end, aloft in zip(airtimes.starts, airtimes.ends, flies(airtimes), strict=True):
        close = 1 - smootherstep(np.maximum(start - times, times - end) / (airtimes.slow * _CLOSE))
        share *= 1 - aloft * close
    return share


def turned(yaw: Floats, pitch: Floats, roll: Floats) -> Floats:
    """Rotations `(n, 4)`: a roll (left side up), then a pitch (forward), then a yaw [rad]."""
    lean = rotations.multiply(
        rotations.from_axis_angle([0.0, 1.0, 0.0], pitch),
        rotations.from_axis_angle([1.0, 0.0, 0.0], roll),
    )
    return rotations.multiply(rotations.from_yaw(yaw), lean)
