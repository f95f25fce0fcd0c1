"""Motions known by rule or by watching: a caller's function, and a live body."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np

from surefoot import _native, arrays, schema
from surefoot.arrays import Floats, Vector, number, vector
from surefoot.errors import TrajectoryError
from surefoot.math import Pose
from surefoot.math import rotations as turns
from surefoot.world.keyframes import Keyframed
from surefoot.world.trajectory import Trajectory, seven


@schema.unwritable(
    "a function cannot be written to a file; use function.sampled(start, end, rate), "
    "which gives keys"
)
class Function(Trajectory):
    """A pose computed by a function of time, with the bounds that queries rely on.

    Every evaluation is checked against the bounds; a function that breaks them is an error that
    names the body and the moment. Before `start` and beyond the horizon the body rests.
    """

    def __init__(
        self,
        function: Callable[[float], Pose],
        *,
        horizon: float,
        max_speed: float,
        max_turn_rate: float = 0.0,
        start: float = 0.0,
    ) -> None:
        """Takes a function and what is promised of it.

        Args:
            function: time [s] to `Pose`.
            horizon: until when the function is valid [s]; finite.
            max_speed: of the frame's origin [m/s], >= 0.
            max_turn_rate: [rad/s], >= 0.
            start: from when the function is valid [s].
        """
        if not callable(function):
            raise TrajectoryError(f"function must be callable, got {function!r}")
        self.function = function
        self.start = arrays.time(start, "start", error=TrajectoryError)
        self._horizon = arrays.time(horizon, "horizon", above=self.start, error=TrajectoryError)
        self.max_speed = number(max_speed, "max_speed", at_least=0, error=TrajectoryError)
        self.max_turn_rate = number(
            max_turn_rate, "max_turn_rate", at_least=0, error=TrajectoryError
        )
        # A first look over the whole span; later evaluations are checked as they come.
        self.poses(np.linspace(self.start, self._horizon, 257))

    @property
    def horizon(self) -> float:
        """Until when the function is valid [s]."""
        return self._horizon

    def _key(self) -> tuple[Any, ...]:
        return (self.function, self.start, self._horizon, self.max_speed, self.max_turn_rate)

    def _make_native(self) -> _native.Trajectory:
        function = self.function

        # The native twin holds this and must not hold `self`, which holds the native twin: such
        # a ring would never be freed.
        def evaluate(t: float) -> tuple[float, float, float, float, float, float, float]:
            pose = function(t)
            if not isinstance(pose, Pose):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise TrajectoryError(f"function({t:g}) must give a Pose, got {pose!r}")
            return seven(pose)

        return _native.function_trajectory(
            evaluate, self.start, self._horizon, self.max_speed, self.max_turn_rate
        )


@schema.record("observed")
@dataclass(frozen=True, eq=False)
class Observed(Trajectory):
    """A live body: its past as seen, its future as guessed, to a horizon.

    Attributes:
        seen: the past: linear keys, the last of which is now.
        linear: `(3,)` velocity at the last key [m/s]; the guess goes on like this.
        angular: `(3,)` rotation vector a second at the last key [rad/s].
        ahead: how far the guess reaches after the last key [s]; then the body is taken to rest.
        trust: confidence at the end of the guess, 0 to 1; it falls evenly from 1 at the last key.
        future: a better guess than going on steadily, from whoever has one.
    """

    seen: Keyframed
    _: KW_ONLY
    linear: Floats
    angular: Floats
    ahead: float = 2.0
    trust: float = 0.2
    future: Trajectory | None = None

    KEPT: ClassVar[int] = 64
    """Keys of the past that are kept."""

    def __post_init__(self) -> None:
        if not isinstance(self.seen, Keyframed):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TrajectoryError(f"seen must be keys (a Keyframed), got {self.seen!r}")
        for name in ("linear", "angular"):
            value = vector(getattr(self, name), name, error=TrajectoryError)
            object.__setattr__(self, name, value)
        arrays.time(self.ahead, "ahead", above=0, infinite=True, error=TrajectoryError)
        number(self.trust, "trust", at_least=0, at_most=1, error=TrajectoryError)

    @classmethod
    def first(
        cls,
        t: float,
        pose: Pose,
        *,
        velocity: Vector | None = None,
        turn_rate: Vector | None = None,
        future: Trajectory | None = None,
        ahead: float = 2.0,
        trust: float = 0.2,
    ) -> Observed:
        """A body seen for the first time; taken to be at rest unless its velocity is given."""
        return cls(
            Keyframed(np.array([t]), pose.position[None], pose.rotation[None]),
            linear=vector((0, 0, 0) if velocity is None else velocity, "velocity"),
            angular=vector((0, 0, 0) if turn_rate is None else turn_rate, "turn_rate"),
            ahead=ahead,
            trust=trust,
            future=future,
        )

    def then(
        self,
        t: float,
        pose: Pose,
        *,
        velocity: Vector | None = None,
        turn_rate: Vector | None = None,
        future: Trajectory | None = None,
    ) -> Observed:
        """The body seen again; velocities are measured between sightings when not given."""
        now = self.now
        arrays.time(t, "time of sighting", above=now, error=TrajectoryError)
        before = self.seen.pose(now)
        if velocity is None:
            velocity = (pose.position - before.position) / (t - now)
        if turn_rate is None:
            turned = turns.multiply(pose.rotation, turns.inverse(before.rotation))
            turn_rate = turns.to_rotation_vector(turned) / (t - now)
        kept = self.seen.times[1 - self.KEPT :]
        positions, rotations = self.seen.positions[1 - self.KEPT :], self.seen.rotations
        if rotations is None or self.seen.rotation_times is not None:
            positions, rotations = self.seen.poses(kept)
        seen = Keyframed(
            np.append(kept, t),
            np.concatenate([positions, pose.position[None]]),
            np.concatenate([rotations[1 - self.KEPT :], pose.rotation[None]]),
        )
        return Observed(
            seen,
            linear=vector(velocity, "velocity", error=TrajectoryError),
            angular=vector(turn_rate, "turn_rate", error=TrajectoryError),
            ahead=self.ahead,
            trust=self.trust,
            future=future,
        )

    @property
    def now(self) -> float:
        """When it was last seen [s]."""
        return float(self.seen.times[-1])

    @property
    def horizon(self) -> float:
        """Until when the guess reaches [s]."""
        return self.now + self.ahead

    def confidence(self, t: float) -> float:
        """1 for what was seen, falling to `trust` at the horizon, 0 beyond."""
        if t <= self.now:
            return 1.0
        if t > self.horizon:
            return 0.0
        if math.isinf(self.ahead):
            return self.trust
        return 1.0 - (1.0 - self.trust) * (t - self.now) / self.ahead

    def _make_native(self) -> _native.Trajectory:
        last = self.seen.pose(self.now)
        if self.future is not None:
            guess = self.future.native
        else:
            linear, angular = self.linear.tolist(), self.angular.tolist()
            guess = _native.drift_trajectory(self.now, seven(last), linear, angular)
        return _native.observed_trajectory(self.seen.native, guess, self.now, self.horizon)


@schema.unwritable("what somebody believes cannot be written to a file; write the motion itself")
class Guessed(Trajectory):
    """A motion that is known until a moment, and goes on from there as it does then.

    Args:
        true: the motion.
        known: [s] until when.
    """

    def __init__(self, true: Trajectory, known: float) -> None:
        self.true, self.known = true, known

    @property
    def moving(self) -> bool:
        """As the motion is."""
        return self.true.moving

    @property
    def horizon(self) -> float:
        """[s] Until when there is a guess."""
        return self.true.horizon

    def _key(self) -> tuple[Any, ...]:
        return (self.true, self.known)

    def _make_native(self) -> _native.Trajectory:
        linear, angular = self.true.velocity(self.known)
        guess = _native.drift_trajectory(
            self.known, seven(self.true.pose(self.known)), linear.tolist(), angular.tolist()
        )
        return _native.observed_trajectory(self.true.native, guess, self.known, math.inf)
