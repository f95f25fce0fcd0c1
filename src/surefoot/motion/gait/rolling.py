"""Foot roll: heel down, sole flat, heel up; and how much of it each foothold calls for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.capability import GRAVITY
from surefoot.character.measures import Measures
from surefoot.math import rotations
from surefoot.motion.curves import Indices
from surefoot.motion.footholds import Holds
from surefoot.motion.gait import jump, pace, run, walk
from surefoot.motion.gait.airtimes import airtimes
from surefoot.motion.gait.course import Course
from surefoot.motion.gait.similarity import slowness
from surefoot.motion.gait.soles import middle_ahead

STEEPEST_PUSH_OFF = 1.08
"""[rad]"""

STEEP = 0.24
"""[rad] of a slope from which on the heels do not come down, going up."""

FASTEST = (3.6, 8.0)
"""[rad/s for a leg of 0.93 m] of the mean roll, at most, walking and running."""

_FORWARD = np.array([1.0, 0.0, 0.0])


@dataclass(frozen=True, eq=False)
class Rolls:
    """How the foot turns about heel and toes at each of `m` footholds.

    Attributes:
        contact: `(m,)` [rad] pitch at first contact: toes up is negative.
        middle: `(m,)` [rad] pitch in mid-stance, >= 0: on steep slopes the heel stays up.
        push_off: `(m,)` [rad] pitch at last contact, >= middle.
        down: `(m,)` [s] from contact until the sole is flat.
        up: `(m,)` [s] in which the heel rises before the end.
        power: `(m,)` of the time with which it rises: the higher, the later.
    """

    contact: Floats
    middle: Floats
    push_off: Floats
    down: Floats
    up: Floats
    power: Floats

    def pitch(self, which: Indices, since: Floats, left: Floats) -> Floats:
        """Pitch `(n,)` [rad] at footholds, `since` [s] after contact and `left` [s] to go."""
        falling = np.clip(1 - since / self.down[which], 0.0, 1.0) ** 2
        rising = np.clip(1 - left / self.up[which], 0.0, 1.0) ** self.power[which]
        middle = self.middle[which]
        first, last = self.contact[which] - middle, self.push_off[which] - middle
        return middle + first * falling + last * rising

    def leaving(self, which: Indices) -> tuple[Floats, Floats, Floats]:
        """Pitch `(n,)` [rad] when the toes leave, its rate [rad/s] and the rate's [rad/s^2]."""
        rolled, up, power = (self.push_off - self.middle)[which], self.up[which], self.power[which]
        rate = power * rolled / up
        return self.push_off[which], rate, (power - 1) * rate / up

    def meeting(self, which: Indices) -> tuple[Floats, Floats]:
        """Pitch `(n,)` [rad] at first contact, and its rate [rad/s]."""
        rolled = (self.contact - self.middle)[which]
        return self.contact[which], -2 * rolled / self.down[which]


def rolls(track: Course, holds: Holds, others: Holds, measures: Measures) -> Rolls:
    """How much the foot rolls at its footholds `holds`, while the other foot has `others`."""
    leg, slow = measures.leg_length, slowness(measures.leg_length)
    index = np.arange(len(holds))
    starts = holds.starts
    ends = np.where(np.isfinite(holds.ends), holds.ends, starts + 60.0)
    ahead, _, stance, _ = _from_body(track, holds, starts, measures)
    behind, later, stance_later, runs = _from_body(track, holds, ends, measures)
    behind = -behind
    landed, leaves = _flights(holds, others, leg)
    position, turned = holds.grounds(index, starts)
    climb = _rise_over(position, turned, others, np.nextafter(starts, -np.inf))
    position, turned = holds.grounds(index, ends)
    next_rise = -_rise_over(position, turned, others, ends)
    # Level ground: the heel first. Up a step: the sole. Down a step: the toes.
    step = climb / (0.18 * leg)
    heel_first = np.clip(ahead / (0.3 * leg), 0.0, 1.1) * np.clip(1 - 2 * np.abs(step), 0.0, 1.0)
    toes_first = np.clip(-1.6 * step - 0.3, 0.0, 1.0)
    heel = pace.blended(runs, walk.CONTACT_PITCH, run.CONTACT_PITCH)
    contact = heel * heel_first + 0.35 * toes_first
    above = landed * np.clip(1 - ahead / (0.15 * leg), 0.0, 1.0)
    contact = pace.blended(above, contact, jump.TOUCH_DOWN_PITCH)
    # A foot that leaves the ground near the body has hardly rolled; stepping up, it pushes;
    # stepping down and up slopes, the heel rises early, as far as the ankle cannot bend.
    steepest = pace.blended(runs, walk.push_off_pitch(later), run.push_off_pitch(later))
    push = np.clip(np.minimum(steepest, 2.2 * behind / leg), 0.0, None)
    step = next_rise / (0.18 * leg)
    uphill = np.clip(_slopes(turned), 0.0, 0.6)
    push = push * (1 - 0.5 * np.clip(step, 0.0, 1.0))
    push = push + 0.45 * np.clip(-step, 0.0, 1.6) + 0.8 * uphill
    early = np.clip(0.25 * np.clip(-step, 0.0, 2.0) + 0.9 * uphill, 0.0, 0.4)
    actual = ends - starts
    down = walk.ROLL_DOWN * np.minimum(stance, actual) * (1 + 0.6 * toes_first)
    up = (pace.blended(runs, walk.ROLL_UP, run.ROLL_UP) + early) * np.minimum(stance_later, actual)
    # A runner's heel rises ever faster, until the ankle goes along with the hip.
    arm = np.hypot(measures.ball_ahead, measures.ankle_height - measures.ball_height)
    fast = run.push_off_speed(later) * later * np.sqrt(GRAVITY * leg) * up
    fast = np.clip(fast / (arm * np.maximum(push, 0.3)), 1.8, 3.4)
    power = pace.blended(runs, 3.0, fast)
    # Who jumps leaves the ground with stretched feet, whatever is before and after.
    push = np.maximum(push, leaves * jump.PUSH_OFF_PITCH)
    up = pace.blended(leaves, up, np.minimum(slow * jump.RISING[0], 0.8 * actual))
    power = pace.blended(leaves, power, jump.RISING[1])
    down = pace.blended(landed, down, np.minimum(slow * jump.FALLING, 0.4 * actual))
    # A short stance leaves no time for a whole roll.
    fastest = pace.blended(np.maximum(runs, np.maximum(leaves, landed)), *FASTEST) / slow
    push = np.clip(push, 0.0, np.minimum(STEEPEST_PUSH_OFF, fastest * up))
    middle = np.clip(uphill - STEEP, 0.0, 0.35)
    return Rolls(
        contact=np.clip(contact, -fastest * down, fastest * down) + middle,
        middle=middle,
        push_off=np.where(np.isfinite(holds.ends), np.maximum(push, middle), middle),
        down=down,
        up=up,
        power=power,
    )


def _from_body(
    track: Course, holds: Holds, times: Floats, measures: Measures
) -> tuple[Floats, Floats, Floats, Floats]:
    """How far ankles are ahead of the body [m], its v*, the usual stance time [s], how it runs."""
    ground = track.at(times)
    position, turned = holds.frames(np.arange(len(holds)), times)
    ankle = position - middle_ahead(measures) * rotations.rotate(turned, _FORWARD)
    away = ankle - ground.position
    ahead = np.cos(ground.heading) * away[:, 0] + np.sin(ground.heading) * away[:, 1]
    ratio = walk.speed_ratio(ground.speed, measures.leg_length)
    runs = pace.run_share(ratio, ground.gait)
    stance = pace.duty(ratio, runs) * pace.stride_time(ratio, runs, measures.leg_length)
    return ahead, ratio, stance, runs


def _flights(holds: Holds, others: Holds, leg: float) -> tuple[Floats, Floats]:
    """How much `(m,)` each foothold is landed on from a long flight, and left for one, 0..1."""
    flights = airtimes([*holds.footholds, *others.footholds], leg)
    shares: list[Floats] = []
    for times, ends in ((holds.starts, flights.ends), (holds.ends, flights.starts)):
        share = np.zeros(len(holds))
        for long, end in zip(flights.long, ends, strict=True):
            share = np.where(np.abs(times - end) < 1e-6, long, share)
        shares.append(share)
    return shares[0], shares[1]


def _slopes(turned: Floats) -> Floats:
    """How steeply [rad] soles `(n, 4)` point up along the foot."""
    ahead = rotations.rotate(turned, _FORWARD)
    return np.arctan2(ahead[:, 2], np.hypot(ahead[:, 0], ahead[:, 1]))


def _rise_over(position: Floats, turned: Floats, others: Holds, times: Floats) -> Floats:
    """How much higher [m] soles are than the other foot's; see `rise`."""
    other = np.clip(np.searchsorted(others.starts, times, side="right") - 1, 0, None)
    below, below_turned = others.grounds(other, times)
    return rise(below, below_turned, position, turned)


def rise(start: Floats, start_turned: Floats, end: Floats, end_turned: Floats) -> Floats:
    """How far up [m] it is from one sole to another, beyond what the ground's slope makes."""
    up = np.array([0.0, 0.0, 1.0])
    normal = rotations.rotate(start_turned, up) + rotations.rotate(end_turned, up)
    return (normal * (end - start)).sum(axis=-1) / np.maximum(normal[:, 2], 0.3)


def rolled_ankle(measures: Measures, pitch: Floats) -> Floats:
    """Where the ankle is `(n, 3)` [m] in the sole's frame when the foot has rolled by `pitch`.

    Toes up, the foot turns about its heel; toes down, about the axis of its toes, which stay flat.
    """
    middle = middle_ahead(measures)
    heel = np.array([-middle - measures.heel_behind, 0.0])
    toes = np.array([-middle + measures.ball_ahead, measures.ball_height])
    pivot = np.where((pitch < 0)[:, None], heel, toes)
    x, z = _arm(measures, pitch)
    return np.stack([pivot[:, 0] + x, np.zeros_like(x), pivot[:, 1] + z], axis=-1)


def rolling_speed(measures: Measures, pitch: Floats, rate: Floats) -> Floats:
    """The ankle's velocity `(n, 3)` [m/s] in the sole's frame while the foot rolls at `rate`."""
    x, z = _arm(measures, pitch)
    return np.stack([rate * z, np.zeros_like(x), -rate * x], axis=-1)


def rolling_bend(measures: Measures, pitch: Floats, rate: Floats, bend: Floats) -> Floats:
    """Its acceleration `(n, 3)` [m/s^2] while the rate changes by `bend` [rad/s^2]."""
    x, z = _arm(measures, pitch)
    inward = rate**2
    return np.stack([bend * z - inward * x, np.zeros_like(x), -bend * x - inward * z], axis=-1)


def _arm(measures: Measures, pitch: Floats) -> tuple[Floats, Floats]:
    """The ankle from what the foot rolls on: ahead and above `(n,)` [m], in the sole's frame."""
    on_heel = (pitch < 0)[:, None]
    from_heel = np.array([measures.heel_behind, measures.ankle_height])
    from_toes = np.array([-measures.ball_ahead, measures.ankle_height - measures.ball_height])
    arm = np.where(on_heel, from_heel, from_toes)
    x = arm[:, 0] * np.cos(pitch) + arm[:, 1] * np.sin(pitch)
    z = -arm[:, 0] * np.sin(pitch) + arm[:, 1] * np.cos(pitch)
    return x, z


def sole_points(measures: Measures, ankle: Floats, rotation: Floats, toes: Floats) -> Floats:
    """`(n, 3, 3)` [m]: heel, ball and toe tip of feet, in the world.

    Args:
        measures: of the foot.
        ankle: `(n, 3)` [m].
        rotation: `(n, 4)`, of the foot.
        toes: `(n,)` [rad], their turn against the foot.
    """
    heel = rotations.rotate(rotation, measures.heel)
    ball = rotations.rotate(rotation, measures.ball)
    joint = np.array([measures.ball_ahead, 0.0, measures.ball_height - measures.ankle_height])
    tip = np.array([measures.toe_ahead - measures.ball_ahead, 0.0, -measures.ball_height])
    turned = rotations.multiply(rotation, pitched(toes))
    tip = rotations.rotate(rotation, joint) + rotations.rotate(turned, tip)
    return ankle[:, None] + np.stack([heel, ball, tip], axis=1)


def pitched(pitch: Floats) -> Floats:
    """Rotations `(n, 4)` of a foot by `pitch` [rad]: toes down is positive."""
    return rotations.from_axis_angle([0.0, 1.0, 0.0], pitch)
