"""Footholds first: which foot goes where and when, so that the body can follow its track.

A foothold lies beside where the body is in the middle of the stance. That needs no special cases:
forward, backward, sideways, turning on the spot, starting and stopping all follow from it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from surefoot.arrays import number
from surefoot.character.measures import Measures
from surefoot.math import rotations
from surefoot.motion.curves import wrapped
from surefoot.motion.footholds import SIDES, Foothold, Side
from surefoot.motion.gait import walk
from surefoot.motion.gait.landing import SHORTEST_SWING, Landings, Swing
from surefoot.motion.gait.soles import middle_ahead
from surefoot.motion.gait.stance import Stance, along, beside, other
from surefoot.motion.gait.track import Track

SETTLED = (0.045, 0.16)
"""[m for a leg of 0.93 m, rad]: a foot this near to where it belongs need not step."""

STIRRED = (0.025, 0.10)
"""[m likewise, rad]: a standing body that goes this far has to step."""

FORESIGHT = 0.14
"""[s] that a standing body knows in advance where it will go."""

TURN_PER_STEP = 0.85
"""[rad] of turning that one step makes good."""

LONGEST_STEP = 1.05
"""[L]"""

LONGEST_SIDESTEP = 0.34
"""[L] that the body goes to a side in one step: legs spread, and feet tilt, no farther."""

SHORTEST_STEP_TIME = 0.26
"""[s for a leg of 0.93 m]"""

SHORTEST_STANCE = 0.08
"""[s] that a foot stays on the ground, at least."""

LEFT_BEHIND = 0.6
"""[L] that the body goes away from a standing foot before the foot has to follow."""


def place_footsteps(
    track: Track, measures: Measures, *, step_height: float, lead: Side = "right"
) -> tuple[Foothold, ...]:
    """The footholds of a walk along a track, in order of contact.

    It starts with both feet on the ground and ends so; feet alternate, except that after a stand
    either may go first.

    Args:
        track: where the body goes.
        measures: of the body.
        step_height: [m], > 0: how far from the track the ground may be above and below.
        lead: which foot goes first where nothing else decides.
    """
    reach = number(step_height, "step_height", above=0.0)
    return _Stepper(track, measures, reach, lead).walk()


class _Stepper:
    """Takes one step after the other."""

    def __init__(self, track: Track, measures: Measures, reach: float, lead: Side) -> None:
        self.track, self.measures = track, measures
        self.lead: Side = lead
        self.leg, self.size = measures.leg_length, measures.leg_length / 0.93
        self.landings = Landings(track, measures, reach)
        self.stance = Stance(track.world)
        self.left: list[Foothold] = []

    def walk(self) -> tuple[Foothold, ...]:
        t = self.track.start
        for side in SIDES:
            self.stance.put(self.landings.stand(side, t))
        last: Side | None = None
        while t < self.track.until:
            step = self._out_of_stand(t) if last is None else self._after(last, t)
            if step is None and last is None:
                break
            if step is None:
                last = None
                continue
            side, swing = step
            swing, landed = self.landings.find(side, swing, self.stance, t)
            t, last = self._take(side, swing, landed), side
        everything = [*self.left, *self.stance.holds.values()]
        return tuple(sorted(everything, key=lambda hold: hold.start))

    def _take(self, side: Side, swing: Swing, landed: Foothold) -> float:
        """Takes a step; returns when it has ended [s]."""
        before = self.stance.holds[side]
        self.left.append(replace(before, end=max(swing.lift, before.start + SHORTEST_STANCE)))
        self.stance.put(landed)
        return landed.start

    def _after(self, last: Side, t: float) -> tuple[Side, Swing] | None:
        """The step after a contact of foot `last` at `t`; none when both feet can stay."""
        side = other(last)
        swing = self._swing(side, t)
        if not self._settled(side, swing.middle):
            return side, swing
        # The other foot may still be where a longer step has left it.
        return None if self._settled(last, swing.middle) else (last, swing)

    def _rhythm(self, t: float) -> tuple[float, float]:
        """Stride time [s] and duty for the step that begins about `t`."""
        ground = self.track.at(np.array([t, t + 0.25, t + 0.5]))
        # Turning on the spot moves the feet too.
        pace = float(np.hypot(ground.speed, 0.25 * self.leg * ground.turning).mean())
        turning = float(np.abs(ground.turning).max())
        ratio = float(walk.speed_ratio(pace, self.leg))
        step = float(walk.stride_time(ratio, self.leg)) / 2
        step = min(step, TURN_PER_STEP / max(turning, 1e-6))
        step = min(step, LONGEST_STEP * self.leg / max(pace, 1e-6))
        aside = float(np.abs(ground.sideways).max())
        step = min(step, self._longest_sidestep(t) / max(aside, 1e-6))
        step /= 1 + 2 * self._steepness(t)[0] ** 2
        quickest = SHORTEST_STEP_TIME * np.sqrt(self.size)
        return 2 * max(step, float(quickest)), float(walk.duty(ratio))

    def _longest_sidestep(self, t: float) -> float:
        """[m]: legs spread less where the ground tilts the feet already."""
        across = min(abs(self._steepness(t)[1]), 0.35)
        return (LONGEST_SIDESTEP - 0.55 * across) * self.leg

    def _steepness(self, t: float) -> tuple[float, float]:
        """How much the ground rises along the feet and across them: steps are shorter there."""
        times = np.array([t])
        sides = [self.stance.soles(side, times)[1] for side in SIDES]
        ahead, left = (
            sum(rotations.rotate(turned[0], axis) for turned in sides) for axis in np.eye(3)[:2]
        )
        rises = [float(way[2] / max(np.hypot(way[0], way[1]), 1e-6)) for way in (ahead, left)]
        return rises[0], rises[1]

    def _swing(self, side: Side, t: float) -> Swing:
        """The swing of one foot that follows a contact of the other at `t`."""
        stride, duty = self._rhythm(t)
        contact = t + stride / 2
        lift = contact - (1 - duty) * stride
        # Speeding up or slowing down, the body may leave the foot behind before that.
        sooner = max(lift - self._left_behind(side, t, lift), 0.0)
        lift, contact = lift - sooner, contact - sooner
        lift = max(min(lift, contact - SHORTEST_SWING), t + 0.02)
        return Swing(lift, contact, contact + duty * stride / 2)

    def _left_behind(self, side: Side, t: float, until: float) -> float:
        """When in `t`..`until` the body gets too far from a foot; `until` when it does not."""
        times = np.linspace(t + 0.02, max(until, t + 0.021), 16)
        position, _ = self.stance.soles(side, times)
        ankle = position - middle_ahead(self.measures) * self.stance.facing(side, times)
        away = np.linalg.norm((self.track.at(times).position - ankle)[:, :2], axis=1)
        parting = np.flatnonzero((away[1:] > LEFT_BEHIND * self.leg) & (np.diff(away) > 0))
        if len(parting) == 0:
            return until
        at = slice(int(parting[0]), int(parting[0]) + 2)
        return float(np.interp(LEFT_BEHIND * self.leg, away[at], times[at]))

    def _settled(self, side: Side, t: float) -> bool:
        """Whether a foot is where it belongs at `t`."""
        times = np.array([t])
        points, headings = beside(side, self.track.at(times), self.measures)
        position, _ = self.stance.soles(side, times)
        facing = self.stance.facing(side, times)[0]
        turned = abs(float(wrapped(np.arctan2(facing[1], facing[0]) - headings[0])))
        off = float(np.linalg.norm((points - position)[0, :2]))
        return off < SETTLED[0] * self.size and turned < SETTLED[1]

    def _out_of_stand(self, t: float) -> tuple[Side, Swing] | None:
        """The first step out of a stand at `t`: which foot, and when; none if there is none."""
        times = np.arange(t + SHORTEST_STANCE, self.track.until, 1 / 60)
        ahead = np.append(t, times + FORESIGHT)
        stirred = np.zeros(len(times), dtype=np.bool_)
        for side in SIDES:
            points, headings = beside(side, self.track.at(ahead), self.measures)
            tips = points + along(headings, np.ones_like(headings))
            local = self.stance.to_carrier(side, points, ahead)
            facing = self.stance.to_carrier(side, tips, ahead) - local
            turned = np.arctan2(facing[:, 1], facing[:, 0])
            gone = np.linalg.norm((local - local[0])[1:, :2], axis=1)
            stirred |= gone > STIRRED[0] * self.size
            stirred |= np.abs(wrapped(turned - turned[0])[1:]) > STIRRED[1]
        if not stirred.any():
            return None
        lift = float(times[np.argmax(stirred)])
        stride, duty = self._rhythm(lift + FORESIGHT)
        contact = lift + (1 - duty) * stride
        return self._leading(lift), Swing(lift, contact, contact + duty * stride / 2)

    def _leading(self, t: float) -> Side:
        """Which foot goes first: the one on the side that the body turns or goes to."""
        soon = self.track.at(np.array([t + 0.25, t + 0.5]))
        turning, sideways = float(soon.turning.mean()), float(soon.sideways.mean())
        if abs(turning) > 0.3:
            return "left" if turning > 0 else "right"
        if abs(sideways) > abs(float(soon.forward.mean())):
            return "left" if sideways > 0 else "right"
        return self.lead
