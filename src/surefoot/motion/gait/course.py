"""Course: where the hips go over the ground, which is not quite where the feet go.

Whoever takes off is ahead of their feet, and whoever lands is behind them. A course is a track
with that in it; without flights it is the track itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.measures import Measures
from surefoot.motion.curves import quintic, smootherstep
from surefoot.motion.gait import walk
from surefoot.motion.gait.airborne import Airborne
from surefoot.motion.gait.similarity import slowness
from surefoot.motion.gait.soles import middle_ahead
from surefoot.motion.gait.track import Ground, Track

ONE_FOOT = 0.3
"""v* before a take-off, or after a landing, from which on it is made with one foot."""

PUSH = 0.32
"""[s for a leg of 0.93 m] before a take-off with both feet in which the hips go ahead of them."""

SETTLING = 0.5
"""[s likewise] after a landing with both feet in which the hips come over them."""

RUN_UP = 1.6
"""[s likewise] before a take-off with one foot, and after such a landing, in which they do."""

# [s likewise] from a flight, where its speed on the ground is looked at.
_NEAR = np.array([0.05, 0.2, 0.35])
_AHEAD, _BEHIND = 0.36, 0.22  # [L] of the ankles, with both feet, in a long jump
_LONG = 1.2  # [L]
_STANCE = 0.2  # [s likewise] with one foot
_MEETING = 0.18  # [L] that its ankle is ahead of the hips at contact
_LEAVING = (0.2, 0.6)  # [L] that it is behind them at take-off, at least and at most


@dataclass(frozen=True, eq=False)
class Leap:
    """How a flight is taken off to and landed from.

    Attributes:
        flight: the part of the track that it is.
        one_off: whether one foot takes off, and not both.
        one_down: whether one foot lands first, and not both.
        lead: `(2,)` [m] from the track to the hips at take-off.
        lag: `(2,)` [m] from the track to the hips at landing.
    """

    flight: Airborne
    one_off: bool
    one_down: bool
    lead: Floats
    lag: Floats

    @property
    def start(self) -> float:
        """[s] of the take-off."""
        return self.flight.start

    @property
    def end(self) -> float:
        """[s] of the landing."""
        return self.flight.end


class Course:
    """The way of the hips along a track.

    Args:
        track: where the body goes.
        measures: of the body.
    """

    def __init__(self, track: Track, measures: Measures) -> None:
        self.track, self.world = track, track.world
        self.slow = slowness(measures.leg_length)
        """Times of this body over an adult's."""
        self.start, self.end, self.until = track.start, track.end, track.until
        self.leaps = tuple(
            _leap(track, index, flight, measures) for index, flight in enumerate(track.flights)
        )
        self._shifts = [shift for index in range(len(self.leaps)) for shift in self._around(index)]

    def at(self, times: Floats) -> Ground:
        """The course at `times` `(n,)` [s]."""
        ground = self.track.at(times)
        if not self.leaps:
            return ground
        return replace(ground, position=self._shifted(times, ground.position))

    def carried(self, path_times: Floats, times: Floats) -> tuple[Floats, Floats]:
        """Positions and headings at `path_times`, on their bodies at `times`; see `Track`."""
        position, heading = self.track.carried(path_times, times)
        return (self._shifted(path_times, position) if self.leaps else position), heading

    def frame(self, t: float) -> str | None:
        """The moving body that carries the character at `t` [s], if any."""
        return self.track.frame(t)

    def next_leap(self, t: float) -> Leap | None:
        """The first flight that takes off after `t` [s], if any."""
        return next((leap for leap in self.leaps if leap.start > t), None)

    def _around(self, index: int) -> list[tuple[float, float, Floats, Floats]]:
        """Before and after a flight: when, for how long, by how much and how fast it leads."""
        leap, flight = self.leaps[index], self.leaps[index].flight
        before, after = self.track.passages[index], self.track.passages[index + 1]
        duration = flight.end - flight.start
        slowed = (leap.lag - leap.lead) / duration
        shifts: list[tuple[float, float, Floats, Floats]] = []
        for t, one, length, passage, shift, velocity, way in (
            (flight.start, leap.one_off, PUSH, before, leap.lead, flight.away, -1),
            (flight.end, leap.one_down, SETTLING, after, leap.lag, flight.towards, 1),
        ):
            longest = passage.end - passage.start
            # With both feet, the hips reach their speed while the feet stand.
            speed = np.zeros(2) if one else velocity + slowed
            length = min(self.slow * (RUN_UP if one else length), longest)
            shifts.append((t, way * max(length, 1e-3), shift, speed))
        return shifts

    def _shifted(self, times: Floats, position: Floats) -> Floats:
        position = position.copy()
        for index, leap in enumerate(self.leaps):
            for (t, length, shift, velocity), on in zip(
                self._shifts[2 * index : 2 * index + 2],
                (times <= leap.start, times >= leap.end),
                strict=True,
            ):
                near = np.flatnonzero(on & (np.abs(times - t) < abs(length)))
                if len(near) == 0:
                    continue
                past = (times[near] - t) / length
                if velocity.any():
                    there, slope, _ = quintic(past)
                    moved = there[:, None] * shift + (length * slope)[:, None] * velocity
                else:
                    moved = smootherstep(1 - past)[:, None] * shift
                position[near, :2] += moved
            aloft = np.flatnonzero((times > leap.start) & (times < leap.end))
            done = ((times[aloft] - leap.start) / (leap.end - leap.start))[:, None]
            position[aloft, :2] += (1 - done) * leap.lead + done * leap.lag
        return position


def _leap(track: Track, index: int, flight: Airborne, measures: Measures) -> Leap:
    leg, slow = measures.leg_length, slowness(measures.leg_length)
    before, after = track.passages[index], track.passages[index + 1]
    duration = flight.end - flight.start
    leads: list[Floats] = []
    ones: list[bool] = []
    for passage, times, velocity, share in (
        (before, flight.start - slow * _NEAR, flight.away, _AHEAD),
        (after, flight.end + slow * _NEAR, flight.towards, -_BEHIND),
    ):
        inside = np.clip(times, passage.start, passage.end)
        pace = float(passage.at(inside).speed.mean())
        speed = float(np.linalg.norm(velocity))
        one = float(walk.speed_ratio(pace, leg)) > ONE_FOOT
        way = velocity / max(speed, 1e-9)
        if one:
            reach = (
                np.clip(pace * slow * _STANCE / leg - _MEETING, *_LEAVING)
                if share > 0
                else -_MEETING
            )
            size = float(reach) * leg - middle_ahead(measures)
        else:
            size = share * leg * np.tanh(speed * duration / (_LONG * leg))
        leads.append(float(size) * way)
        ones.append(one)
    return Leap(flight, ones[0], ones[1], leads[0], leads[1])
