"""Footholds first: which foot goes where and when, so that the body can follow its track.

A foothold lies beside where the body is in the middle of the stance. That needs no special cases:
forward, backward, sideways, turning on the spot, starting and stopping all follow from it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from surefoot.arrays import Floats, number
from surefoot.character.measures import Measures
from surefoot.math import rotations
from surefoot.motion.curves import wrapped
from surefoot.motion.footholds import SIDES, Foothold, Side
from surefoot.motion.gait import crouch, leaping, pace, walk
from surefoot.motion.gait.course import PUSH, SETTLING, Course, Leap
from surefoot.motion.gait.landing import SHORTEST_SWING, Landings, Swing
from surefoot.motion.gait.similarity import size, slowness
from surefoot.motion.gait.soles import middle_ahead
from surefoot.motion.gait.stance import Stance, along, beside, other
from surefoot.motion.gait.track import Ground, Track

SETTLED = (0.045, 0.16)
"""[m for a leg of 0.93 m, rad]: a foot this near to where it belongs need not step."""

STIRRED = (0.025, 0.10)
"""[m likewise, rad]: a standing body that goes this far has to step."""

FORESIGHT = 0.14
"""[s for a leg of 0.93 m] that a standing body knows in advance where it will go."""

TURN_PER_STEP = 0.85
"""[rad] of turning that one step makes good."""

LONGEST_STEP = (1.05, 2.2)
"""[L], walking and running."""

LONGEST_SIDESTEP = 0.40
"""[L] that the body goes to a side in one step: legs spread, and feet tilt, no farther."""

SHORTEST_STEP_TIME = 0.26
"""[s for a leg of 0.93 m]"""

SHORTEST_STANCE = 0.08
"""[s likewise] that a foot stays on the ground, at least."""

LEFT_BEHIND = (0.6, 0.64)
"""[L] that the body goes from a foot before the foot has to follow, walking and running."""

SHORTEST_FLIGHT = 0.03
"""[s likewise] that a runner is in the air, at least; for less, the feet stay on the ground."""

HASTY = 0.2
"""[s likewise] that a foot swings, at least, which comes down for a take-off."""

STEADY = 0.2
"""[s likewise] before a take-off with both feet, at least, that they must have been on the
ground."""


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


@dataclass(frozen=True)
class _Rhythm:
    """Stride time [s], the share of it on the ground, and how much of a run it is."""

    stride: float
    duty: float
    runs: float

    @property
    def stance(self) -> float:
        """[s] that a foot is on the ground."""
        return self.duty * self.stride


class _Stepper:
    """Takes one step after the other."""

    def __init__(self, track: Track, measures: Measures, reach: float, lead: Side) -> None:
        self.course, self.measures = Course(track, measures), measures
        self.lead: Side = lead
        self.leg = measures.leg_length
        self.size, self.slow = size(self.leg), slowness(self.leg)
        self.shortest_stance = self.slow * SHORTEST_STANCE
        self.landings = Landings(self.course, measures, reach)
        self.stance = Stance(track.world)
        self.left: list[Foothold] = []
        self.until = self.horizon = track.until
        # Feet in the air, and since when.
        self.aloft: dict[Side, float] = {}

    def walk(self) -> tuple[Foothold, ...]:
        t = self.course.start
        for side in SIDES:
            self.stance.put(self.landings.stand(side, t))
        last: Side | None = None
        for leap in self.course.leaps:
            took_off = self._towards(leap, t, last)
            t, last = self._land(leap, took_off)
        self.until, self.horizon = self.course.until, np.inf
        while t < self.until:
            step = self._out_of_stand(t) if last is None else self._after(last, t)
            if step is None and last is None:
                break
            if step is None:
                last = None
                continue
            t, last = self._step(*step, t), step[0]
        everything = [*self.left, *self.stance.holds.values()]
        return tuple(sorted(everything, key=lambda hold: hold.start))

    def _step(self, side: Side, swing: Swing, t: float) -> float:
        """Takes a step that begins at `t`; returns when it has ended [s]."""
        swing, landed = self.landings.find(side, swing, self.stance, t)
        self._lift(side, swing.lift)
        self._put(landed)
        return landed.start

    def _lift(self, side: Side, t: float) -> None:
        """Ends a foothold, unless its foot is in the air already."""
        if side not in self.aloft:
            before = self.stance.holds[side]
            self.left.append(replace(before, end=max(t, before.start + self.shortest_stance)))
            self.aloft[side] = self.left[-1].end

    def _put(self, hold: Foothold) -> None:
        self.stance.put(hold)
        self.aloft.pop(hold.foot, None)

    def _towards(self, leap: Leap, t: float, last: Side | None) -> Side | None:
        """Steps up to a take-off, and takes off; returns the foot if it is only one."""
        self.until = self.horizon = leap.start - (0.0 if leap.one_off else self.slow * PUSH)
        while t < self.until:
            step = self._out_of_stand(t) if last is None else self._after(last, t)
            if step is None:
                if last is None:
                    break
                last = None
                continue
            side, swing = step
            rhythm = self._rhythm(max(t, swing.lift))
            if leap.one_off:
                stance = leaping.stance_time(rhythm.stride, rhythm.duty, self.slow)
                begun = t if last is not None else swing.contact - rhythm.stride / 2
                if leap.start - stance - begun < self.slow * leaping.QUICKEST_STEP:
                    break
                contact, final = self._run_up(begun, leap.start - stance)
                # The first step out of a stand is as it is; the others are fitted in.
                if last is not None or final:
                    swing = _moved(swing, contact)
                if final:
                    self._lift(side, swing.lift)
                    heading = float(self.course.at(np.array([leap.start])).heading[0])
                    self._put(leaping.take_off(self.course.world, self.measures, leap, side,
                                               heading, contact))  # fmt: skip
                    last = side
                    break
            elif swing.contact > leap.start - self.slow * STEADY:
                break
            t, last = self._step(side, swing, t), side
        return self._take_off(leap, last)

    def _run_up(self, t: float, last: float) -> tuple[float, bool]:
        """When the next contact is [s], with a final one at `last`; and whether it is that one.

        The steps that fit in are made a little longer or shorter, so that the last one is right.
        """
        times = np.linspace(t, last, 32)
        ground = self._ahead(times)
        ratio = walk.speed_ratio(ground.speed, self.leg)
        stride = pace.stride_time(ratio, pace.run_share(ratio, ground.gait), self.leg)
        beats: Floats = np.zeros(len(times))
        beats[1:] = np.cumsum(1 / stride[1:] + 1 / stride[:-1]) * (times[1] - times[0])
        count = max(round(float(beats[-1])), 1)
        contact = np.interp(float(beats[-1]) / count, beats, times)
        return float(contact), count == 1

    def _take_off(self, leap: Leap, last: Side | None) -> Side | None:
        """Lifts what is still on the ground; returns the foot that takes off alone, if any."""
        for side, hold in self.stance.holds.items():
            # Who takes off at once has stood there before, or came down earlier.
            if side not in self.aloft and hold.start > leap.start - self.shortest_stance:
                left = max((held.end for held in self.left if held.foot == side), default=-np.inf)
                start = max(leap.start - 1.0, left + self.slow * HASTY)
                self.stance.put(replace(hold, start=min(hold.start, start)))
        if not leap.one_off or last is None:
            for side in SIDES:
                self._lift(side, leap.start)
            return None
        free = other(last)
        if free not in self.aloft:
            contact = self.stance.holds[last].start
            rhythm = self._rhythm(contact)
            lift = contact + (rhythm.duty - 0.5) * rhythm.stride
            lift = min(lift, self._left_behind(free, lift, rhythm.runs))
            self._lift(free, min(lift, leap.start - 0.06 * self.slow))
        self._lift(last, leap.start)
        return last

    def _land(self, leap: Leap, took_off: Side | None) -> tuple[float, Side | None]:
        """Lands; returns when, and on which foot if it is only one."""
        heading = float(self.course.at(np.array([leap.end])).heading[0])
        first = leaping.first_down(took_off, self.lead)
        for side in (first,) if leap.one_down else SIDES:
            self._put(leaping.touch_down(self.course.world, self.measures, leap, side, heading))
        if leap.one_down:
            return leap.end, first
        # Who has landed on both feet comes over them first.
        return leap.end + self.slow * SETTLING, None

    def _after(self, last: Side, t: float) -> tuple[Side, Swing] | None:
        """The step after a contact of foot `last` at `t`; none when both feet can stay."""
        side = other(last)
        swing = self._swing(side, t)
        if side in self.aloft or not self._settled(side, swing.middle):
            return side, swing
        # The other foot may still be where a longer step has left it.
        return None if self._settled(last, swing.middle) else (last, swing)

    def _ahead(self, times: Floats) -> Ground:
        """The course at `times`, but not beyond the next take-off."""
        return self.course.at(np.minimum(times, self.horizon))

    def _rhythm(self, t: float) -> _Rhythm:
        """The rhythm of the step that begins about `t`."""
        ground = self._ahead(t + self.slow * np.array([0.0, 0.25, 0.5]))
        # Turning on the spot moves the feet too.
        speed = float(np.hypot(ground.speed, 0.25 * self.leg * ground.turning).mean())
        turning = float(np.abs(ground.turning).max())
        ratio = float(walk.speed_ratio(speed, self.leg))
        # Who is about to run begins as one.
        soon = float(self._ahead(np.array([t + self.slow * pace.FORESIGHT])).speed[0])
        eager = walk.speed_ratio(max(speed, pace.SOON * soon), self.leg)
        runs = float(pace.run_share(eager, ground.gait.mean()))
        longest = float(pace.blended(runs, *LONGEST_STEP)) * self.leg
        step = float(pace.stride_time(ratio, runs, self.leg)) / 2
        step *= 1 + crouch.SLOWER * float(ground.crouch.mean())
        step = min(step, TURN_PER_STEP / max(turning, 1e-6))
        step = min(step, longest / max(speed, 1e-6))
        aside = float(np.abs(ground.sideways).max())
        step = min(step, self._longest_sidestep(t) / max(aside, 1e-6))
        step /= 1 + 2 * self._steepness(t)[0] ** 2
        quickest = float(SHORTEST_STEP_TIME * self.slow)
        return _Rhythm(2 * max(step, quickest), float(pace.duty(ratio, runs)), runs)

    def _longest_sidestep(self, t: float) -> float:
        """[m]: legs spread less where the ground tilts the feet already."""
        across = min(abs(self._steepness(t)[1]), 0.35)
        return (LONGEST_SIDESTEP - 0.5 * across) * self.leg

    def _steepness(self, t: float) -> tuple[float, float]:
        """How much the ground rises along the feet and across them: steps are shorter there."""
        times = np.array([t])
        sides = [self.stance.soles(side, times)[1] for side in SIDES]
        ways = [
            np.sum([rotations.rotate(turned[0], axis) for turned in sides], axis=0)
            for axis in np.eye(3)[:2]
        ]
        rises = [float(way[2] / max(np.hypot(way[0], way[1]), 1e-6)) for way in ways]
        return rises[0], rises[1]

    def _swing(self, side: Side, t: float) -> Swing:
        """The swing of one foot that follows a contact of the other at `t`."""
        rhythm = self._rhythm(t)
        contact = t + rhythm.stride / 2
        lift = contact - (1 - rhythm.duty) * rhythm.stride
        # Speeding up or slowing down, the body may leave the foot behind before that.
        earliest = t + 0.02 * self.slow
        if side not in self.aloft:
            parted = self._left_behind(side, lift, rhythm.runs)
            sooner = max(lift - parted, 0.0)
            # Runners lift a foot before the other one is down.
            if rhythm.duty < 0.5 or parted < t:
                earliest = min(earliest, self.stance.holds[side].start + self.shortest_stance)
            # A walker then steps sooner; a runner flies longer.
            hasty = (1 - rhythm.runs) * min(sooner, max(lift - t, 0.0))
            lift, contact = lift - sooner, contact - hasty
        lift = max(min(lift, contact - self.slow * SHORTEST_SWING), earliest)
        # Nobody flies for a moment only.
        if t - self.slow * SHORTEST_FLIGHT < lift < t:
            lift = t
        lift = self.aloft.get(side, lift)
        return Swing(lift, contact, contact + self._half_stance(rhythm, contact))

    def _half_stance(self, rhythm: _Rhythm, contact: float) -> float:
        """[s] from a contact to mid-stance: runners soon have another rhythm than before it."""
        then = self._rhythm(contact)
        new = max(rhythm.runs, then.runs)
        return float(pace.blended(new, rhythm.stance, then.stance)) / 2

    def _left_behind(self, side: Side, until: float, runs: float) -> float:
        """When in its stance the body gets too far from a foot; `until` when it does not."""
        begin = min(self.stance.holds[side].start + self.shortest_stance, until)
        begin = max(begin, until - self.slow)
        times = np.linspace(begin, max(until, begin + 0.001), 24)
        position, _ = self.stance.soles(side, times)
        ankle = position - middle_ahead(self.measures) * self.stance.facing(side, times)
        away = np.linalg.norm((self._ahead(times).position - ankle)[:, :2], axis=1)
        far = float(pace.blended(runs, *LEFT_BEHIND)) * self.leg
        parting = np.flatnonzero((away[1:] > far) & (np.diff(away) > 0))
        if len(parting) == 0:
            return until
        at = slice(int(parting[0]), int(parting[0]) + 2)
        return float(np.interp(far, away[at], times[at]))

    def _settled(self, side: Side, t: float) -> bool:
        """Whether a foot is where it belongs at `t`."""
        times = np.array([t])
        points, headings = beside(side, self._ahead(times), self.measures)
        position, _ = self.stance.soles(side, times)
        facing = self.stance.facing(side, times)[0]
        turned = abs(float(wrapped(np.arctan2(facing[1], facing[0]) - headings[0])))
        off = float(np.linalg.norm((points - position)[0, :2]))
        return off < SETTLED[0] * self.size and turned < SETTLED[1]

    def _out_of_stand(self, t: float) -> tuple[Side, Swing] | None:
        """The first step out of a stand at `t`: which foot, and when; none if there is none."""
        times = np.arange(t + self.shortest_stance, self.until, 1 / 60)
        ahead = np.minimum(np.append(t, times + self.slow * FORESIGHT), self.horizon)
        stirred = np.zeros(len(times), dtype=np.bool_)
        for side in SIDES:
            points, headings = beside(side, self._ahead(ahead), self.measures)
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
        rhythm = self._rhythm(lift + self.slow * FORESIGHT)
        # The first step of a run is one of a walk: it begins with both feet on the ground.
        duty = max(rhythm.duty, 0.5)
        contact = lift + (1 - duty) * rhythm.stride
        side = self._leading(lift)
        # It is down before the body has left the other foot.
        parted = self._left_behind(other(side), contact, 0.0)
        contact = max(parted, min(contact, lift + self.slow * SHORTEST_SWING))
        return side, Swing(lift, contact, contact + self._half_stance(rhythm, contact))

    def _leading(self, t: float) -> Side:
        """Which foot goes first: the one on the side that the body turns or goes to."""
        soon = self._ahead(t + self.slow * np.array([0.25, 0.5]))
        turning, sideways = float(soon.turning.mean()), float(soon.sideways.mean())
        if abs(turning) > 0.3 / self.slow:
            return "left" if turning > 0 else "right"
        if abs(sideways) > abs(float(soon.forward.mean())):
            return "left" if sideways > 0 else "right"
        return self.lead


def _moved(swing: Swing, contact: float) -> Swing:
    """The same swing with its contact at another time, and everything else with it."""
    shift = contact - swing.contact
    return Swing(swing.lift + min(shift, 0.0), contact, swing.middle + shift)
