"""In the air: the part of a track between two passages on foot."""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats
from surefoot.motion.curves import hermite, wrapped
from surefoot.motion.flight import Flight
from surefoot.motion.gait.passages import Ground, Passage
from surefoot.world import World

TURNING = 0.3
"""[s] before take-off, and after landing, in which a body turns as well that turns in the air."""

FASTEST_TURN = 5.0
"""[rad/s] in the air; what is left of a turn is made on the ground."""

EASY_TURN = 1.6
"""[rad/s] at which that is made."""

_WIND_UP = 0.4  # of TURNING at the speed in the air: what makes the turn even
_INSTANT = 1e-3  # [s]


class Airborne:
    """A flight between two passages.

    Args:
        world: whose bodies the flight connects.
        flight: from where and when to where and when.
        before: the passage that ends in the take-off.
        after: the one that begins with the landing.
        turn: [rad] that the plan turns in the air, which may be more than half a turn.
    """

    def __init__(
        self, world: World, flight: Flight, before: Passage, after: Passage, turn: float
    ) -> None:
        self.flight, self.start, self.end = flight, flight.start, flight.end
        self._world = world
        duration = self.end - self.start
        launch, landing = before.at(np.array([self.start])), after.at(np.array([self.end]))
        first = float(landing.heading[0] - launch.heading[0])
        whole = turn + float(wrapped(first - turn))
        even = whole / (duration + 2 * _WIND_UP * TURNING)
        self.rate = float(np.clip(even, -FASTEST_TURN, FASTEST_TURN))
        """[rad/s] of the turn in the air."""
        ahead = self.rate * _WIND_UP * TURNING
        self._heading = float(launch.heading[0]) + ahead
        left = ahead + whole - 2 * ahead - self.rate * duration
        settling = max(TURNING, 1.5 * abs(left) / EASY_TURN if abs(self.rate - even) > 1e-9 else 0)
        self._turns = (
            (self.start, -TURNING, ahead, self.rate - _turning(before, self.start, -1)),
            (self.end, settling, -left, self.rate - _turning(after, self.end, 1)),
        )
        self._gaits = float(launch.gait[0]), float(landing.gait[0])
        self._crouch = float(launch.crouch[0]), float(landing.crouch[0])
        velocity = flight.launch(world)[:2]
        self.away = velocity - _carrier_velocity(world, flight.take_off.body, flight, "take_off")
        """`(2,)` [m/s] level velocity in the air, relative to the body taken off from."""
        self.towards = velocity - _carrier_velocity(world, flight.landing.body, flight, "landing")
        """`(2,)` [m/s] likewise, relative to the body landed on."""

    def at(self, times: Floats) -> Ground:
        """The flight at `times` `(n,)` [s] inside it."""
        done = np.clip((times - self.start) / (self.end - self.start), 0.0, 1.0)
        heading = self._heading + self.rate * (times - self.start)
        velocity = (1 - done)[:, None] * self.away + done[:, None] * self.towards
        cosine, sine = np.cos(heading), np.sin(heading)
        return Ground(
            position=self.flight.positions(self._world, times),
            heading=heading,
            forward=cosine * velocity[:, 0] + sine * velocity[:, 1],
            sideways=cosine * velocity[:, 1] - sine * velocity[:, 0],
            turning=np.full(len(times), self.rate),
            surge=np.zeros(len(times)),
            gait=(1 - done) * self._gaits[0] + done * self._gaits[1],
            crouch=(1 - done) * self._crouch[0] + done * self._crouch[1],
        )

    def turned(self, times: Floats) -> Floats:
        """[rad] that the turn in the air adds to headings on the ground before and after."""
        total = np.zeros(len(times))
        for (t, length, value, rate), on in zip(
            self._turns, (times <= self.start, times >= self.end), strict=True
        ):
            there, slope, _, _ = hermite(np.clip((times - t) / length, 0.0, 1.0))
            total += np.where(on, there * value + slope * length * rate, 0.0)
        return total


def _turning(passage: Passage, t: float, way: int) -> float:
    """[rad/s] at which a passage turns at its end or, with `way` 1, at its start."""
    near = passage.at(np.array([t, t + way * 0.02])).heading
    return float(wrapped(near[1] - near[0])) / (way * 0.02)


def _carrier_velocity(world: World, body: str | None, flight: Flight, end: str) -> Floats:
    """`(2,)` [m/s] of the place that a flight leaves or meets."""
    if body is None or not world[body].trajectory.moving:
        return np.zeros(2)
    place, t = (
        (flight.take_off, flight.start) if end == "take_off" else (flight.landing, flight.end)
    )
    shift = world.position(place, t + _INSTANT) - world.position(place, t - _INSTANT)
    return (shift / (2 * _INSTANT))[:2]
