"""The world: bodies that move, changed one at a time, asked thousands of questions at once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from surefoot.world.savers import SaveReport

VERSION = 1
"""Of JSON files."""
_NO_PLACES: Mapping[str, Place] = MappingProxyType({})


def _make(
    all_bodies: tuple[Body, ...], name: str, places: Mapping[str, Place] = _NO_PLACES
) -> World:
    return World(all_bodies, name=name, places=places)


@schema.record(
    "world",
    fields={"all_bodies": tuple[Body, ...], "name": str, "places": Mapping[str, Place]},
    make=_make,
)
class World(Queries):
    """Rigid bodies with trajectories, and exact queries about any place at any time.

    Bodies can be added, moved, seen anew and removed at any time, at a cost that depends on the
    change and not on the world. `world.at(t)` is a frozen snapshot. `world.places` names places
    on the bodies, or in the world's frame; a place goes when its body is removed.
    """

    def __init__(
        self,
        bodies: Iterable[Body] = (),
        *,
        name: str = "",
        places: Mapping[str, Place] = _NO_PLACES,
    ) -> None:
        """Makes a world.

        Args:
            bodies: in the order of their ids.
            name: what files and pictures call the world.
            places: by name; each on one of the bodies, or in the world's frame.
        """
        given: Any = bodies
        if isinstance(given, str | bytes) or not isinstance(given, Iterable):
            raise WorldError(f"a world takes a list of bodies, got {arrays.shortened(given)}")
        self.name = name
        self._native = _native.World()
        self._bodies: dict[str, Body] = {}
        self._ids: dict[str, int] = {}
        self._names: list[str] = []
        for body in bodies:
            self.add(body)
        self._places = self._checked_places(places)

    def copy(
        self,
        bodies: Iterable[Body] | None = None,
        *,
        places: Mapping[str, Place] | None = None,
    ) -> World:
        """A world of the same name that can be changed on its own.

        Args:
            bodies: other bodies; the same ones when not given.
            places: other places; when not given the same ones, without those whose body is not
                among `bodies`.
        """
        world = World(self if bodies is None else bodies, name=self.name)
        if places is None:
            places = {
                name: place
                for name, place in self._places.items()
                if place.body is None or place.body in world
            }
        world._places = world._checked_places(places)
        return world

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
    def places(self) -> Mapping[str, Place]:
        """The named places, in the order they came."""
        return MappingProxyType(self._places)

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
        return (
            self.name == other.name and list(self) == list(other) and self._places == other._places
        )

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
        """Takes a body out, and the named places on it."""
        self._native.remove(self.id(name))
        del self._ids[name]
        del self._bodies[name]
        for key in [key for key, place in self._places.items() if place.body == name]:
            del self._places[key]

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
        return self.copy(
            body.moved(Static(body.trajectory.pose(t))) if body.trajectory.moving else body
            for body in self
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
            if not self:
                raise PlaceError("the world is empty: it has no body to stand on")
            raise PlaceError(
                f"({point[0]:g}, {point[1]:g}, {point[2]:g}) is in mid-air at t = {t:g} s: "
                f"no surface within {reach:g} m below{below}"
            )
        surface = np.array([point[0], point[1], float(ground.height)])
        return self.attach(surface, self._names[int(ground.body)], t)

    def _checked_places(self, places: Mapping[str, Place]) -> dict[str, Place]:
        if not isinstance(places, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise PlaceError(f"places must be a mapping of names to places, got {places!r}")
        for name, place in places.items():
            if not isinstance(name, str) or not name:  # pyright: ignore[reportUnnecessaryIsInstance]
                raise PlaceError(f"a place's name must be text that is not empty, got {name!r}")
            if not isinstance(place, Place):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise PlaceError(f"place {name!r}: expected a Place, got {place!r}")
            if place.body is not None and place.body not in self._bodies:
                raise PlaceError(f"place {name!r}: {one_of('body', place.body, self._bodies)}")
        return dict(places)

    def velocity(self, name: str, points: ArrayLike, t: ArrayLike) -> Floats:
        """Velocity `(..., 3)` of a body's material points that are at `points` at `t` [m/s]."""
        shape, flat, when = flattened(arrays.positions(points, "points"), t)
        ids = np.full(len(flat), self.id(name), dtype=np.int32)
        return self._native.velocities(ids, flat, when).reshape(*shape, 3)

    # --- files -----------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str], *, tolerance: float = 1e-3) -> SaveReport:
        """Writes the world as `.json`, or as a level for modelling tools: `.glb` or `.gltf`.

        JSON is exact. A level has its meshes and keys in single precision, and its motions, tags,
        colours, names and places as `load_world` reads them. Functions are sampled there; what is
        only watched is refused.

        Args:
            path: the file; its extension says what it is.
            tolerance: how far a sampled motion may be off [m].

        Returns:
            how exactly the file holds the world, measured.
        """
        from surefoot.world.savers import save_world

        return save_world(path, self, tolerance=tolerance)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> World:
        """Reads what `save` wrote as JSON; `load_world` reads all formats."""
        return schema.read(path, cls, kind="world", version=VERSION)

    def id(self, name: str | None) -> int:
        """The id that query results give a body."""
        if name not in self._ids:
            raise WorldError(one_of("body", name, self._ids))
        return self._ids[name]
