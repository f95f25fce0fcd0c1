"""Landing: where exactly a foot comes down, on ground that will hold it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from surefoot.arrays import Bools, Floats
from surefoot.character.measures import Measures
from surefoot.math import rotations
from surefoot.motion.footholds import Foothold, Side, attached
from surefoot.motion.gait.course import Course
from surefoot.motion.gait.rolling import rise
from surefoot.motion.gait.similarity import size, slowness
from surefoot.motion.gait.soles import Soles, rest
from surefoot.motion.gait.stance import Stance, along, beside, other, outward

QUICKEST = 0.38
"""[s for a leg of 0.93 m] that a step takes at least, where there is a choice."""

SHORTEST_SWING = 0.32
"""[s likewise] that a foot is in the air, where the other foot lets it."""

LONGEST_STEP = 1.0
"""[L] from one foot to the other, where there is a choice."""

LONGEST_LEAP = 2.2
"""[L] likewise, of a run."""

WHOLE = 0.99
"""Share of the sole that must be held for a foothold to be taken as it is."""

HALF = 0.7
"""Share that is enough where treads are narrow; with less, a foot goes a little aside."""

PATIENCE = 1.5
"""Of a usual step's time: who would have to wait longer for good ground ahead steps aside."""

LEVEL = 0.06
"""[m for a leg of 0.93 m] that it may be higher or lower than the other foot, beyond the ground's
slope, for that."""

LONGEST_SWING = 0.62
"""[s for a leg of 0.93 m] that a foot is in the air when it has time; it stands rather."""

# What is tried where the ground under a foothold is not whole: longer and shorter steps, feet
# ahead of or behind where they belong and, if that is not enough, beside it [m for a leg of
# 0.93 m].
_SCALES = np.concatenate([np.arange(0.44, 1.5, 0.04), 1.5 * 1.09 ** np.arange(12)])
_SHIFTS = np.linspace(-0.1, 0.1, 17)
_ASIDE = np.linspace(-0.12, 0.12, 9)
_USUAL = np.arange(0.8, 1.21, 0.08)


@dataclass(frozen=True)
class Swing:
    """When a foot is in the air, and when its new stance will be half over [s]."""

    lift: float
    contact: float
    middle: float


class Landings:
    """Finds footholds along a track.

    Args:
        track: where the body goes.
        measures: of the body.
        reach: [m], how far from the track the ground may be above and below.
    """

    def __init__(self, track: Course, measures: Measures, reach: float) -> None:
        self.track, self.measures, self.reach = track, measures, reach
        self._size, self._slow = size(measures.leg_length), slowness(measures.leg_length)
        # How much longer or shorter than usual the last step was: on stairs so is the next.
        self._scale = 1.0

    def stand(self, side: Side, t: float) -> Foothold:
        """Where a foot stands at `t` [s] when the body stands."""
        times = np.array([t])
        points, headings = beside(side, self.track.at(times), self.measures)
        return self._hold(side, self._rest(points, headings, times), 0, t, t)

    def find(
        self, side: Side, swing: Swing, stance: Stance, begun: float
    ) -> tuple[Swing, Foothold]:
        """The foothold at the end of a swing; the step may become longer or shorter for it.

        Args:
            side: which foot.
            swing: as it would be on even ground.
            stance: what the feet stand on.
            begun: [s] when the step began: at the other foot's contact.
        """
        middles, contacts = np.array([swing.middle]), np.array([swing.contact])
        points, headings = self._wanted(side, middles, contacts)
        soles = self._rest(self._apart(side, points, contacts, stance), headings, contacts)
        beneath = stance.soles(other(side), contacts)
        step = float(rise(*beneath, soles.position, soles.rotation)[0])
        if soles.coverage[0] > WHOLE and abs(step) < LEVEL * self._size and not soles.forbidden[0]:
            self._scale = 1.0
            return swing, self._hold(side, soles, 0, swing.contact, swing.middle)
        begun = max(begun, swing.lift - 0.25 * self._slow)
        scales, shifts = (grid.reshape(-1) for grid in np.meshgrid(_SCALES, _SHIFTS))
        best, cost, soles, contacts, middles = self._best(
            side, swing, stance, begun, scales, shifts, np.zeros_like(scales)
        )
        if soles.coverage[best] < HALF or soles.forbidden[best] or scales[best] > PATIENCE:
            # Not ahead of or behind it, or only after a long wait: then beside it, with the steps
            # that are best otherwise, or usual ones.
            likely = np.unique([*scales[np.argsort(cost, kind="stable")[:60]], *_USUAL])
            beside_it = [grid.reshape(-1) for grid in np.meshgrid(likely, _SHIFTS[::2], _ASIDE)]
            found = self._best(side, swing, stance, begun, *beside_it)
            if found[1][found[0]] < cost[best]:
                scales = beside_it[0]
                best, cost, soles, contacts, middles = found
        self._scale = float(scales[best])
        contact, middle = float(contacts[best]), float(middles[best])
        standing, _ = stance.soles(other(side), contacts[best : best + 1])
        high = min(abs(float(soles.position[best, 2] - standing[0, 2])) / (0.15 * self._size), 1.0)
        lift = begun + float(scales[best]) * (swing.lift - begun)
        # Up and down stairs the foot has a long way to go and leaves as soon as it can.
        lift += high * min(begun + 0.08 * (contact - begun) - lift, 0.0)
        usual = max(LONGEST_SWING * self._slow, 1.2 * (swing.contact - swing.lift))
        earliest = max(min(begun + 0.02 * self._slow, swing.lift), contact - usual)
        lift = max(min(lift, contact - self._slow * SHORTEST_SWING), earliest)
        return Swing(lift, contact, middle), self._hold(side, soles, best, contact, middle)

    def _best(
        self, side: Side, swing: Swing, stance: Stance, begun: float, scales: Floats,
        shifts: Floats, aside: Floats,
    ) -> tuple[int, Floats, Soles, Floats, Floats]:  # fmt: skip
        """The best of several steps: its index, all costs, soles, contacts and mid-stances."""
        contacts = begun + scales * (swing.contact - begun)
        middles = contacts + scales * (swing.middle - swing.contact)
        points, headings = self._wanted(side, middles, contacts)
        points = points + along(headings, shifts * self._size)
        points = points + along(headings + np.pi / 2, aside * self._size)
        soles = self._rest(self._apart(side, points, contacts, stance), headings, contacts)
        standing, _ = stance.soles(other(side), contacts)
        away = np.linalg.norm((soles.position - standing)[:, :2], axis=1) / self.measures.leg_length
        height = np.abs(soles.position[:, 2] - standing[:, 2])
        farther = np.maximum(height - self.reach, 0.0) / self._size
        quicker = np.maximum(QUICKEST - (contacts - begun) / self._slow, 0.0)
        # An even rhythm (but waiting is easy), feet in their place, whole ground, low and short
        # steps: what matters, in numbers.
        cost = np.where(scales < 1, 3.0, 1.0) * np.log(scales) ** 2
        cost = cost + 2 * np.log(scales / self._scale) ** 2 + 90 * shifts**2 + 160 * aside**2
        cost = cost + 2.0 * self._joining(soles, standing, middles)
        cost = cost + 25 * (1 - soles.coverage) ** 2 + 20 * np.maximum(0.78 - soles.coverage, 0.0)
        cost = cost + 1.5 * soles.blocked + 50.0 * soles.forbidden
        cost = cost + 900 * quicker**2
        cost = cost + 40 * (height / self._size) ** 2 + 100 * farther
        # Runners, who lift a foot before the other one is down, take longer ones.
        longest = LONGEST_STEP if swing.lift > begun else LONGEST_LEAP
        cost = cost + 40 * np.maximum(away - longest, 0.0) + 100.0 * ~soles.hit
        return int(np.argmin(cost)), cost, soles, contacts, middles

    def _joining(self, soles: Soles, standing: Floats, middles: Floats) -> Bools:
        """Whether a step only comes beside the other foot, on its tread, while the body goes on."""
        ground = self.track.at(middles)
        level = np.abs(soles.position[:, 2] - standing[:, 2]) < 0.02 * self._size
        away = along(ground.heading, np.sign(ground.forward))
        ahead = ((soles.position - standing) * away).sum(axis=1)
        onward = np.abs(ground.forward) > np.maximum(np.abs(ground.sideways), 0.05 * self._slow)
        return level & onward & (ahead < 0.35 * self.measures.foot_length)

    def _wanted(self, side: Side, middles: Floats, contacts: Floats) -> tuple[Floats, Floats]:
        """Beside where the body is in mid-stance, carried to where that is at contact."""
        position, heading = self.track.carried(middles, contacts)
        ground = replace(self.track.at(middles), position=position, heading=heading)
        return beside(side, ground, self.measures)

    def _rest(self, points: Floats, headings: Floats, times: Floats) -> Soles:
        world = self.track.world
        return rest(world, self.measures, points, headings, times, reach=self.reach)

    def _apart(self, side: Side, points: Floats, times: Floats, stance: Stance) -> Floats:
        """Points moved outward where a foot would come down on the other one."""
        position, rotation = stance.soles(other(side), times)
        local = rotations.rotate(rotations.inverse(rotation), points - position)
        out = outward(side)
        near = np.abs(local[:, 0]) < 0.9 * self.measures.foot_length
        gap = 1.05 * self.measures.foot_width
        short = np.where(near, np.maximum(gap - out * local[:, 1], 0.0), 0.0)
        # A foot that has to go round the other one from far over steps in front of it instead.
        short = np.where(short > 2 * gap, 0.0, short)
        shift = np.zeros_like(points)
        shift[:, 1] = out * short
        return points + rotations.rotate(rotation, shift)

    def _hold(self, side: Side, soles: Soles, index: int, t: float, middle: float) -> Foothold:
        world = self.track.world
        # Where there is no ground (yet), the foot trusts what the plan says carries it.
        found = bool(soles.hit[index])
        body = world.names[int(soles.body[index])] if found else self.track.frame(middle)
        position, rotation = soles.position[index], soles.rotation[index]
        return attached(world, side, body, position, rotation, t, np.inf)
