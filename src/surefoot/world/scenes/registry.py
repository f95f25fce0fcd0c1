"""The register of built-in scenes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from surefoot.errors import InputError, PlaceError, one_of
from surefoot.world.place import Place
from surefoot.world.scenes.tiling import Tiles, tiled
from surefoot.world.world import World


@dataclass(frozen=True, kw_only=True, eq=False)
class Scene:
    """A world with places worth walking between.

    Attributes:
        name: what `load` calls it.
        description: one line.
        world: the bodies and the named places; "start" and "goal" are always there.
        horizon: [s] how long a way through it may take, and its bodies do what they do.
    """

    name: str
    description: str
    world: World
    horizon: float = 60.0

    @property
    def places(self) -> Mapping[str, Place]:
        """The named places of the world."""
        return self.world.places

    @property
    def start(self) -> Place:
        """Where a first walk starts."""
        return self.place("start")

    @property
    def goal(self) -> Place:
        """Where a first walk goes."""
        return self.place("goal")

    @property
    def stops(self) -> tuple[Place, ...]:
        """Where somebody may go who goes about: all places that are not start or goal.

        Start and goal where there are no two others.
        """
        others = [place for name, place in self.places.items() if name not in ("start", "goal")]
        return tuple(others) if len(others) > 1 else (self.start, self.goal)

    def place(self, name: str) -> Place:
        """A place by its name."""
        if name not in self.places:
            raise PlaceError(one_of(f"place in scene {self.name!r}", name, self.places))
        return self.places[name]


Maker = Callable[[], tuple[World, Mapping[str, Place]]]


@dataclass(frozen=True)
class _Entry:
    description: str
    maker: Maker
    horizon: float


_makers: dict[str, _Entry] = {}


def scene(name: str, description: str, *, horizon: float = 60.0) -> Callable[[Maker], Maker]:
    """Registers a function that makes a scene's world and places; see `Scene`."""

    def register(maker: Maker) -> Maker:
        _makers[name] = _Entry(description, maker, horizon)
        return maker

    return register


def names() -> list[str]:
    """The names of all built-in scenes."""
    return sorted(_makers)


def describe(name: str) -> str:
    """One line about a scene."""
    return _find(name).description


def load(name: str, *, tiles: Tiles = (1, 1)) -> Scene:
    """Makes a built-in scene; every call makes a new world.

    Args:
        name: one of `names()`.
        tiles: copies along x and y, side by side; more than one makes large worlds to measure in.
    """
    entry = _find(name)
    bodies, places = entry.maker()
    world = bodies.copy(places=places)
    if tiles != (1, 1):
        world = tiled(world, tiles)
    return Scene(
        name=name, description=entry.description, world=world,
        horizon=entry.horizon,
    )  # fmt: skip


def _find(name: str) -> _Entry:
    if name not in _makers:
        raise InputError(one_of("scene", name, _makers))
    return _makers[name]
