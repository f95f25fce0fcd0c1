"""The world: bodies that move, changed one at a time, asked thousands of questions at once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from surefoot import _native, arrays, schema
from surefoot.arrays import ArrayLike, Floats, Vector
from surefoot.errors import InputError, PlaceError, TrajectoryError, WorldError, one_of
from surefoot.math import Pose
from surefoot.math import rotations as turns
from surefoot.world.asking import Queries, flattened
from surefoot.world.body import Body
from surefoot.world.futures import Observed
from surefoot.world.place import Place
from surefoot.world.trajectory import Static, Trajectory

_VERSION = 1


def _make(all_bodies: tuple[Body, ...], name: str) -> World:
    return World(all_bodies, name=name)


@schema.record("world", fields={"all_bodies": tuple[Body, ...], "name": str}, make=_make)
class World(Queries):
    """Rigid bodies with trajectories, and exact queries about any place at any time.

    Bodies can be added, moved, seen anew and removed at any time, at a cost that depends on the
    change and not on the world. `world.at(t)` is a frozen snapshot.
    """

    def __init__(self, bodies: Iterable[Body] = (), *, name: str = "") -> None:
        self.name = name
        self._native = _native.World()
        self._bodies: dict[str, Body] = {}
        self._ids: dict[str, int] = {}
        self._names: list[str] = []
        for body in bodies:
            self.add(body)

    # --- bodies ----------------------------------------------------------------------------------

    @property
    def native(self) -> _native.World:
        """The same for other parts of the native core."""
        return self._native

    @property
    def bodies(self) -> Mapping[str, Body]:
        """The bodies by name, in the order they came."""
        return MappingProxyType(self._bodies)

    @property
    def all_bodies(self) -> tuple[Body, ...]:
        """The bodies, in the order they came."""
        return tuple(self)

    @property
    def names(self) -> Sequence[str]:
        """The name of each body id in query results; an id is never used twice."""
        return self._names

    def __getitem__(self, name: str) -> Body:
        self.id(name)
        return self._bodies[name]

    def __contains__(self, name: object) -> bool:
        return name in self._bodies

    def __iter__(self) -> Iterator[Body]:
        return iter(self._bodies.values())

    def __len__(self) -> int:
        return len(self._bodies)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, World):
            return NotImplemented
        return self.name == other.name and list(self) == list(other)

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __repr__(self) -> str:
        moving = sum(body.trajectory.moving for body in self)
        return f"World({self.name!r}, {len(self)} bodies, {moving} moving)"

    def add(self, body: Body) -> None:
        """Takes in a body under a name that is not there yet."""
        if not isinstance(body, Body):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise WorldError(f"a world holds bodies, got {body!r}")
        if body.name in self._bodies:
            raise WorldError(f"a body named {body.name!r} is in the world already")
        try:
            id_ = self._native.add(body.name, body.mesh.native, body.trajectory.native, body.solid)
        except TrajectoryError as reason:
            raise TrajectoryError(f"body {body.name!r}: {reason}") from reason
        assert id_ == len(self._names)
        self._names.append(body.name)
        self._ids[body.name] = id_
        self._bodies[body.name] = body

    def id_or_none(self, name: str) -> int | None:
        """The id of a body; None where there is none of this name."""
        return self._ids.get(name)

    def remove(self, name: str) -> None:
        """Takes a body out."""
        self._native.remove(self.id(name))
        del self._ids[name]
        del self._bodies[name]

    def move(self, name: str, trajectory: Trajectory) -> None:
        """Puts a body on another trajectory."""
        id_ = self.id(name)
        # Checks the trajectory before anything changes.
        moved = self._bodies[name].moved(trajectory)
        self._native.move(id_, trajectory.native)
        self._bodies[name] = moved

    def observe(
        self,
        name: str,
        t: float,
        pose: Pose,
        *,
        velocity: Vector | None = None,
        turn_rate: Vector | None = None,
        future: Trajectory | None = None,
    ) -> None:
        """A live body was seen at a pose; its trajectory becomes, or goes on, `Observed`."""
        if not isinstance(pose, Pose):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise WorldError(f"body {name!r} was seen at a pose, got {pose!r}")
        before = self[name].trajectory
        see = before.then if isinstance(before, Observed) else Observed.first
        try:
            seen = see(t, pose, velocity=velocity, turn_rate=turn_rate, future=future)
        except InputError as reason:
            raise TrajectoryError(f"body {name!r}: {reason}") from reason
        self.move(name, seen)

    def at(self, t: float) -> World:
        """The world frozen at a moment: the same bodies, none of which moves."""
        arrays.time(t, "t")
        return World(
            (
                body.moved(Static(body.trajectory.pose(t))) if body.trajectory.moving else body
                for body in self
            ),
            name=self.name,
        )

    # --- places ----------------------------------------------------------------------------------

    def position(self, place: Place, t: float) -> Floats:
        """Where a place is at time `t`: `(3,)` in the world [m]."""
        return self.positions([place], np.array([t]))[0]

    def positions(self, places: Sequence[Place], times: ArrayLike) -> Floats:
        """Where places are at times: `(n, 3)` in the world [m]."""
        for place in places:
            if not isinstance(place, Place):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise PlaceError(f"expected a Place, got {place!r}")
        when = arrays.times(times, "times")
        if when.shape not in ((), (len(places),)):
            raise PlaceError(
                f"times must be one number or one for each of {len(places)} places, "
                f"got shape {when.shape}"
            )
        times = np.ascontiguousarray(np.broadcast_to(when, len(places)))
        out = np.array([place.position for place in places]).reshape(-1, 3)
        riding = [i for i, place in enumerate(places) if place.body is not None]
        ids = np.array([self.id(places[i].body) for i in riding], dtype=np.int32)
        positions, rotations = self._native.poses(ids, times[riding])
        out[riding] = turns.rotate(rotations, out[riding]) + positions
        return out

    def attach(self, point: ArrayLike, body: str | None, t: float) -> Place:
        """A world position at time `t`, as a place that rides on `body`."""
        point = arrays.position(point, "point", error=PlaceError)
        return Place(body, point if body is None else self[body].trajectory.pose(t).unapply(point))

    def place(self, point: ArrayLike, t: float = 0.0, *, reach: float = 2.0) -> Place:
        """The place on the surface below `point` at time `t`, riding its body.

        Args:
            point: `(3,)` in the world [m].
            t: [s].
            reach: how far below the surface may be [m].
        """
        point = arrays.position(point, "point", error=PlaceError)
        # A point on a surface may lie below it by a rounding error.
        ground = self.support(point, t, up=1e-6, down=arrays.length(reach, "reach", above=0))
        if not ground.hit:
            lower = self.support(point, t, down=1e6)
            below = f"; the nearest surface is {point[2] - float(lower.height):.2f} m below" * bool(
                lower.hit
            )
            raise PlaceError(
                f"({point[0]:g}, {point[1]:g}, {point[2]:g}) is in mid-air at t = {t:g} s: "
                f"no surface within {reach:g} m below{below}"
            )
        surface = np.array([point[0], point[1], float(ground.height)])
        return self.attach(surface, self._names[int(ground.body)], t)

    def velocity(self, name: str, points: ArrayLike, t: ArrayLike) -> Floats:
        """Velocity `(..., 3)` of a body's material points that are at `points` at `t` [m/s]."""
        shape, flat, when = flattened(arrays.positions(points, "points"), t)
        ids = np.full(len(flat), self.id(name), dtype=np.int32)
        return self._native.velocities(ids, flat, when).reshape(*shape, 3)

    # --- files -----------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the world as JSON; exact, with a schema version."""
        schema.write(path, self, kind="world", version=_VERSION)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> World:
        """Reads what `save` wrote."""
        return schema.read(path, cls, kind="world", version=_VERSION)

    def id(self, name: str | None) -> int:
        """The id that query results give a body."""
        if name not in self._ids:
            raise WorldError(one_of("body", name, self._ids))
        return self._ids[name]
