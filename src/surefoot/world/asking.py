"""The queries of a world, in numpy's terms."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from surefoot import _native, arrays
from surefoot.arrays import ArrayLike, Bools, Floats, Ints, floats, number, shortened, vectors
from surefoot.errors import InputError, PlaceError
from surefoot.limits import MAX_INTEGER
from surefoot.world.place import Place
from surefoot.world.queries import Contact, Nearest, RayHits, Supports, TimedPath
from surefoot.world.shapes import Capsule, Cylinder, Foot, Standing

FINEST = 1e-6
"""[s] The smallest tolerance in time."""


class Queries(ABC):
    """What a `World` can be asked. Everything is batched and runs without the GIL.

    Positions `(..., 3)` and times broadcast against each other; results have their common shape.
    `threads` spreads a batch over cores; results have the same bits at any number of threads.
    """

    _native: _native.World
    _names: list[str]

    @abstractmethod
    def id(self, name: str | None) -> int:
        """The id that query results give a body."""

    def ray(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        t: ArrayLike = 0.0,
        *,
        max_distance: float = math.inf,
        threads: int = 1,
    ) -> RayHits:
        """The first surface along each ray, whichever way it faces.

        Args:
            origins: `(..., 3)` [m].
            directions: `(..., 3)`, any length but zero.
            t: when [s].
            max_distance: how far to look [m].
            threads: how many to use.
        """
        start, along = arrays.positions(origins, "origins"), vectors(directions, "directions")
        common = _common(start.shape[:-1], along.shape[:-1], "origins", "directions")
        start = np.broadcast_to(start, (*common, 3))
        lengths = np.linalg.norm(along, axis=-1, keepdims=True)
        if not lengths.all():
            raise InputError("directions must not be zero")
        arrays.length(max_distance, "max_distance", at_least=0, infinite=True)
        shape, flat, times = flattened(start, t)
        unit = _rows(np.broadcast_to(along / lengths, (*shape, 3)))
        return RayHits(
            *_shaped(self._native.ray(flat, unit, times, max_distance, _count(threads)), shape)
        )

    def nearest(
        self,
        points: ArrayLike,
        t: ArrayLike = 0.0,
        *,
        max_distance: float = math.inf,
        threads: int = 1,
    ) -> Nearest:
        """The surface point nearest to each point, within `max_distance` [m]."""
        arrays.length(max_distance, "max_distance", at_least=0, infinite=True)
        shape, flat, times = flattened(arrays.positions(points, "points"), t)
        return Nearest(
            *_shaped(self._native.nearest(flat, times, max_distance, _count(threads)), shape)
        )

    def support(
        self,
        points: ArrayLike,
        t: ArrayLike = 0.0,
        *,
        up: float = 0.0,
        down: float = 2.0,
        foot: Foot | None = None,
        heading: ArrayLike = 0.0,
        threads: int = 1,
    ) -> Supports:
        """The highest surface at or below each point, or under a whole foot.

        Args:
            points: `(..., 3)` [m].
            t: when [s].
            up: how far above the point the surface may be [m].
            down: how far below [m].
            foot: the sole; the highest point under it holds it, and `coverage` tells how much of
                the sole rests.
            heading: which way the foot points [rad].
            threads: how many to use.
        """
        arrays.length(up, "up", at_least=0)
        arrays.length(down, "down", at_least=0)
        where = arrays.positions(points, "points")
        if foot is not None and not isinstance(foot, Foot):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"foot must be a Foot, got {shortened(foot)}")
        if foot is None:
            shape, flat, times = flattened(where, t)
            found = self._native.support(flat, times, up, down, _count(threads))
        else:
            toward = floats(heading, "heading")
            shape = _common(where.shape[:-1], toward.shape, "points", "heading")
            shape, flat, times = flattened(np.broadcast_to(where, (*shape, 3)), t)
            found = self._native.foot_support(
                flat,
                times,
                np.ascontiguousarray(np.broadcast_to(toward, shape).reshape(-1)),
                foot.length,
                foot.width,
                up,
                down,
                foot.gap,
                _count(threads),
            )
        return Supports(*_shaped(found, shape))

    def overlap(
        self, points: ArrayLike, t: ArrayLike = 0.0, *, shape: Cylinder, threads: int = 1
    ) -> Bools:
        """Whether a cylinder or capsule standing at each point is in something's way.

        Touching is not overlapping. A shape wholly inside a solid overlaps it.
        """
        return self._overlap(points, t, shape, True, threads) >= 0

    def overlapping(
        self, points: ArrayLike, t: ArrayLike = 0.0, *, shape: Cylinder, threads: int = 1
    ) -> Ints:
        """The id of the body that a shape at each point overlaps (the lowest), or -1."""
        return self._overlap(points, t, shape, False, threads)

    def _overlap(
        self, points: ArrayLike, t: ArrayLike, shape: Cylinder, any_: bool, threads: int
    ) -> Ints:
        capsule = isinstance(_checked(shape), Capsule)
        size, flat, times = flattened(arrays.positions(points, "points"), t)
        found = self._native.overlap(
            flat, times, shape.radius, shape.height, shape.step, capsule, any_, _count(threads)
        )
        return found.reshape(size)

    def sweep(self, path: TimedPath, shape: Cylinder, *, tolerance: float = 1e-3) -> Contact | None:
        """The first contact of a shape that moves along a path, or none; see `sweeps`."""
        return self.sweeps([path], shape, tolerance=tolerance)[0]

    def sweeps(
        self,
        paths: Sequence[TimedPath],
        shape: Cylinder,
        *,
        tolerance: float = 1e-3,
        threads: int = 1,
    ) -> list[Contact | None]:
        """First contacts along timed paths, through everything that moves meanwhile.

        Conservative: a path without contact is free at every moment, not only at samples. Passing
        by closer than things move within `tolerance` [s] counts as contact.
        """
        _checked(shape)
        for path in paths:
            if not isinstance(path, TimedPath):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise InputError(f"expected a TimedPath, got {path!r}")
        if not paths:
            return []
        offsets = np.cumsum([0] + [len(path.times) for path in paths]).astype(np.int32)
        times, bodies = self._native.sweep(
            np.array([self._frame(path.frame) for path in paths], dtype=np.int32),
            offsets,
            np.concatenate([path.times for path in paths]),
            np.concatenate([path.positions for path in paths]),
            shape.radius,
            shape.height,
            shape.step,
            isinstance(shape, Capsule),
            arrays.time(tolerance, "tolerance", at_least=FINEST),
            _count(threads),
        )
        return [
            Contact(float(times[i]), self._names[int(bodies[i])]) if bodies[i] >= 0 else None
            for i in range(len(paths))
        ]

    def safe_intervals(
        self,
        places: Sequence[Place],
        standing: Standing,
        start: float,
        end: float,
        *,
        tolerance: float = 1e-3,
        threads: int = 1,
    ) -> list[Floats]:
        """When each place can be stood on: the spans in which it is free and supported.

        Free: the cylinder of `standing` (its step height left out at the foot) touches nothing.
        Supported: the first surface from a step height above to a step height below the place is
        no steeper than `max_slope`; it may be another body's than the place's.

        Found by bounding motion, not by sampling: every moment inside a span is free. A span ends
        early by at most `tolerance` [s], and moments at which something passes closer than it
        moves within `tolerance` are left out; a loss of support shorter than it may be missed.

        Returns:
            one `(k, 2)` array of first and last moments for each place, in order [s].
        """
        arrays.time(start, "start")
        arrays.time(end, "end", above=start)
        for name in ("radius", "height", "step_height", "max_slope"):
            if not hasattr(standing, name):
                raise InputError(
                    f"standing must have a {name}, as a Capability has; got {standing!r}"
                )
        places = arrays.several(places, Place, "places", error=PlaceError)
        if not places:
            return []
        step = arrays.length(standing.step_height, "step_height", at_least=0)
        offsets, spans = self._native.safe_intervals(
            np.array([self._frame(place.body) for place in places], dtype=np.int32),
            np.array([place.position for place in places]),
            arrays.length(standing.radius, "radius", above=0),
            arrays.length(standing.height, "height", above=step),
            step,
            number(standing.max_slope, "max_slope [rad]", at_least=0, at_most=math.pi / 2),
            start,
            end,
            arrays.time(tolerance, "tolerance", at_least=FINEST),
            _count(threads),
        )
        return [spans[offsets[i] : offsets[i + 1]] for i in range(len(places))]

    def _frame(self, name: str | None) -> int:
        return -1 if name is None else self.id(name)


def _count(threads: int) -> int:
    if not isinstance(threads, int) or not 1 <= threads <= MAX_INTEGER:  # pyright: ignore[reportUnnecessaryIsInstance]
        given = shortened(threads)
        raise InputError(f"threads must be a whole number, at least 1, got {given}")
    return threads


def _rows(array: Floats) -> Floats:
    return np.ascontiguousarray(array.reshape(-1, 3))


def flattened(points: Floats, t: ArrayLike) -> tuple[tuple[int, ...], Floats, Floats]:
    """The common shape, and points and times as flat contiguous arrays."""
    times = arrays.times(t, "t")
    shape = _common(points.shape[:-1], times.shape, "points", "t")
    flat = _rows(np.broadcast_to(points, (*shape, 3)))
    return shape, flat, np.ascontiguousarray(np.broadcast_to(times, shape).reshape(-1))


def _common(
    first: tuple[int, ...], second: tuple[int, ...], name: str, other: str
) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(first, second)
    except ValueError as reason:
        raise InputError(
            f"{name} of shape {first} and {other} of shape {second} do not fit together"
        ) from reason


def _checked(shape: Cylinder) -> Cylinder:
    if not isinstance(shape, Cylinder):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"shape must be a Cylinder or a Capsule, got {shape!r}")
    return shape


def _shaped(arrays: tuple[np.ndarray, ...], shape: tuple[int, ...]) -> list[np.ndarray]:
    return [array.reshape((*shape, *array.shape[1:])) for array in arrays]
