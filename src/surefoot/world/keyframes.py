"""Motions given by keys, as animation tools make them."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Literal, get_args

import numpy as np

from surefoot import _native, arrays, limits, schema
from surefoot.arrays import ArrayLike, Floats, frozen, number, vectors
from surefoot.errors import TrajectoryError, one_of
from surefoot.math import rotations as turns
from surefoot.world.trajectory import Trajectory

Interpolation = Literal["linear", "step", "cubic"]
Repeat = Literal["once", "loop", "ping-pong"]

_EMPTY3, _EMPTY4 = np.zeros((0, 3)), np.zeros((0, 4))


@schema.record("keyframed")
@dataclass(frozen=True, eq=False)
class Keyframed(Trajectory):
    """Poses at key times, interpolated, perhaps repeated.

    Attributes:
        times: `(n,)` of the position keys, strictly increasing [s].
        positions: `(n, 3)` [m].
        rotations: `(k, 4)` quaternions wxyz; not given: never turned.
        interpolation: of positions; "cubic" needs `tangents`.
        repeat: after the span: rest ("once"), start over ("loop"), go back ("ping-pong").
        rotation_times: `(k,)` [s]; the position times when not given.
        rotation_interpolation: as `interpolation` when not given.
        tangents: arriving and leaving `(n, 3)` per second, for cubic positions.
        rotation_tangents: likewise `(k, 4)`, for cubic rotations.
        span: the first and last moment that is repeated; from first to last key when not given.
    """

    times: Floats
    positions: Floats
    rotations: Floats | None = None
    _: KW_ONLY
    interpolation: Interpolation = "linear"
    repeat: Repeat = "once"
    rotation_times: Floats | None = None
    rotation_interpolation: Interpolation | None = None
    tangents: tuple[Floats, Floats] | None = None
    rotation_tangents: tuple[Floats, Floats] | None = None
    span: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        for name, kind in (
            ("interpolation", Interpolation),
            ("repeat", Repeat),
            ("rotation_interpolation", Interpolation),
        ):
            value = getattr(self, name)
            if value not in get_args(kind) and not (
                value is None and name == "rotation_interpolation"
            ):
                raise TrajectoryError(one_of(name, value, get_args(kind)))
        times = _key_times(self.times, "times")
        self._set("times", times)
        self._set("positions", _keys(self.positions, len(times), 3, "positions"))
        self._set("tangents", _tangents(self.tangents, self.interpolation, len(times), 3))
        if self.rotations is not None:
            self._check_rotations()
        elif self.rotation_times is not None or self.rotation_tangents is not None:
            raise TrajectoryError("rotation_times and rotation_tangents need rotations")
        if self.span is not None:
            self._set("span", self._extent())

    def _check_rotations(self) -> None:
        times = self.times
        if self.rotation_times is not None:
            times = _key_times(self.rotation_times, "rotation_times")
            self._set("rotation_times", times)
        rotations = _keys(self.rotations, len(times), 4, "rotations")
        lengths = np.linalg.norm(rotations, axis=1)
        if (lengths < 1e-12).any():
            raise TrajectoryError(
                f"rotations: key {int(np.argmin(lengths))} is a zero quaternion; "
                "quaternions are wxyz and not zero"
            )
        # Cubic keys and their tangents belong together; the curve is normalised, not the keys.
        if self.turn_interpolation != "cubic" and (np.abs(lengths - 1) > 1e-15).any():
            rotations = turns.normalize(rotations)
        self._set("rotations", frozen(rotations))
        tangents = _tangents(self.rotation_tangents, self.turn_interpolation, len(times), 4)
        self._set("rotation_tangents", tangents)

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    @property
    def turn_interpolation(self) -> Interpolation:
        """How rotations are interpolated."""
        return self.rotation_interpolation or self.interpolation

    @property
    def start(self) -> float:
        """The first moment of the span [s]."""
        return self._extent()[0]

    @property
    def end(self) -> float:
        """The last moment of the span [s]."""
        return self._extent()[1]

    def _extent(self) -> tuple[float, float]:
        if self.span is not None:
            if not isinstance(self.span, tuple) or len(self.span) != 2:  # pyright: ignore[reportUnnecessaryIsInstance]
                raise TrajectoryError(f"span must be (first, last) moment [s], got {self.span!r}")
            start = arrays.time(self.span[0], "span start", error=TrajectoryError)
            return start, arrays.time(
                self.span[1], "span end", at_least=start, error=TrajectoryError
            )
        keys = self.times if self.rotation_times is None else np.concatenate(
            [self.times, self.rotation_times]
        )  # fmt: skip
        return float(keys.min()), float(keys.max())

    def _make_native(self) -> _native.Trajectory:
        turn_times, rotations = self.times[:1], turns.IDENTITY[None]
        if self.rotations is not None:
            rotations = self.rotations
            turn_times = self.times if self.rotation_times is None else self.rotation_times
        arriving, leaving = self.tangents or (_EMPTY3, _EMPTY3)
        turn_arriving, turn_leaving = self.rotation_tangents or (_EMPTY4, _EMPTY4)
        return _native.keyframed_trajectory(
            self.times,
            self.positions,
            arriving,
            leaving,
            getattr(_native.Interpolation, self.interpolation),
            turn_times,
            rotations,
            turn_arriving,
            turn_leaving,
            getattr(_native.Interpolation, self.turn_interpolation),
            getattr(_native.Repeat, self.repeat.replace("-", "_")),
            self.start,
            self.end,
        )


def along(
    points: ArrayLike,
    speed: float,
    *,
    closed: bool = False,
    facing: bool = True,
    repeat: Repeat = "once",
    start: float = 0.0,
) -> Keyframed:
    """A smooth path through `points` `(n, 3)`, travelled at constant `speed` [m/s].

    Args:
        points: to pass through, in order [m].
        speed: along the path [m/s], > 0.
        closed: go back to the first point, smoothly; then `repeat="loop"` never jumps.
        facing: turn about the vertical to look along the path.
        repeat: what happens at the end.
        start: when the journey starts [s].
    """
    corners = arrays.positions(points, "points", error=TrajectoryError)
    number(speed, "speed", above=0, error=TrajectoryError)
    arrays.time(start, "start", error=TrajectoryError)
    if corners.ndim != 2 or len(corners) < 2:
        raise TrajectoryError(f"a path needs at least 2 points (n, 3), got shape {corners.shape}")
    steps = np.diff(corners, axis=0, append=corners[:1] if closed else corners[-1:])
    gaps = np.linalg.norm(steps, axis=1)[: None if closed else -1]
    if (gaps < 1e-9).any():
        raise TrajectoryError(f"points {int(np.argmin(gaps))} and the next are the same")

    fine, tangents = _smooth(corners, closed)
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(fine, axis=0), axis=1))])
    # Keys evenly spread in length, eight for each stretch between points.
    count = 8 * len(gaps) + 1
    at: Floats = np.linspace(0.0, float(lengths[-1]), count)
    positions = np.stack([np.interp(at, lengths, fine[:, i]) for i in range(3)], axis=1)
    directions = np.stack([np.interp(at, lengths, tangents[:, i]) for i in range(3)], axis=1)
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    if closed:
        positions[-1], directions[-1] = positions[0], directions[0]
    velocities = speed * directions
    rotations = None
    if facing:
        rotations = turns.from_yaw(np.arctan2(directions[:, 1], directions[:, 0]))
    with np.errstate(over="ignore"):  # too slow for any time: refused as such
        times = start + at / speed
    return Keyframed(
        times,
        positions,
        rotations,
        interpolation="cubic",
        rotation_interpolation="linear",
        tangents=(velocities, velocities),
        repeat=repeat,
    )


def _smooth(corners: Floats, closed: bool, fineness: int = 64) -> tuple[Floats, Floats]:
    """Points and tangents of a centripetal Catmull-Rom curve through the corners."""
    if closed:
        padded = np.concatenate([corners[-1:], corners, corners[:2]])
    else:
        first, last = 2 * corners[0] - corners[1], 2 * corners[-1] - corners[-2]
        padded = np.concatenate([[first], corners, [last]])
    # Knots apart by the root of the distance: no loops or cusps, however uneven the points.
    gaps = np.sqrt(np.linalg.norm(np.diff(padded, axis=0), axis=1))
    p0, p1, p2, p3 = padded[:-3], padded[1:-2], padded[2:-1], padded[3:]
    d0, d1, d2 = gaps[:-2, None], gaps[1:-1, None], gaps[2:, None]
    m1 = (p1 - p0) / d0 - (p2 - p0) / (d0 + d1) + (p2 - p1) / d1
    m2 = (p2 - p1) / d1 - (p3 - p1) / (d1 + d2) + (p3 - p2) / d2
    s = np.linspace(0, 1, fineness, endpoint=False)[:, None, None]
    points = (
        (2 * s**3 - 3 * s**2 + 1) * p1 + (s**3 - 2 * s**2 + s) * d1 * m1
        + (-2 * s**3 + 3 * s**2) * p2 + (s**3 - s**2) * d1 * m2
    )  # fmt: skip
    slopes = (
        (6 * s**2 - 6 * s) / d1 * p1 + (3 * s**2 - 4 * s + 1) * m1
        + (-6 * s**2 + 6 * s) / d1 * p2 + (3 * s**2 - 2 * s) * m2
    )  # fmt: skip
    fine = np.concatenate([points.swapaxes(0, 1).reshape(-1, 3), p2[-1:]])
    tangents = np.concatenate([slopes.swapaxes(0, 1).reshape(-1, 3), m2[-1:]])
    return fine, tangents / np.linalg.norm(tangents, axis=1, keepdims=True)


def _key_times(value: ArrayLike, name: str) -> Floats:
    times = arrays.times(value, name, error=TrajectoryError)
    if times.ndim != 1 or len(times) == 0:
        raise TrajectoryError(f"{name} must have shape (n,) with n >= 1, got {times.shape}")
    steps = np.diff(times)
    if (steps <= 0).any():
        i = int(np.argmax(steps <= 0))
        raise TrajectoryError(
            f"{name} must increase strictly: key {i} is at {times[i]:g} s, "
            f"key {i + 1} at {times[i + 1]:g} s"
        )
    return frozen(times)


def _keys(value: ArrayLike | None, count: int, size: int, name: str) -> Floats:
    limit, unit = (limits.MAX_COORDINATE, "m") if name == "positions" else (limits.MAX_NUMBER, "")
    given: ArrayLike = [] if value is None else value
    keys = vectors(given, name, size, limit=limit, unit=unit, error=TrajectoryError)
    if keys.shape != (count, size):
        raise TrajectoryError(
            f"{name} must have shape ({count}, {size}), one row for each key time, got {keys.shape}"
        )
    return frozen(keys)


def _tangents(
    value: tuple[Floats, Floats] | None, interpolation: Interpolation, count: int, size: int
) -> tuple[Floats, Floats] | None:
    name = "tangents" if size == 3 else "rotation_tangents"
    if interpolation != "cubic":
        if value is not None:
            raise TrajectoryError(f"{name} are for cubic interpolation, not {interpolation}")
        return None
    if value is None:
        raise TrajectoryError(f"cubic interpolation needs {name}: (arriving, leaving)")
    if not isinstance(value, tuple | list) or len(value) != 2:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TrajectoryError(f"{name} must be (arriving, leaving), got {value!r}")
    arriving, leaving = value
    return _keys(arriving, count, size, name), _keys(leaving, count, size, name)
