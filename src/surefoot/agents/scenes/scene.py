"""A crowd scene: a world, who walks in it and where to, and what moves unforeseen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np

from surefoot import arrays
from surefoot.agents.settings import CrowdSettings
from surefoot.arrays import Floats, number
from surefoot.character import Capability, Character, people
from surefoot.errors import InputError, one_of
from surefoot.planning.goals import Goal
from surefoot.world import Body, Mesh, Place, Static, Trajectory, World, primitives

FLOOR = "floor"
"""The name of the floor in built-in scenes."""

WALL_COLOR = (0.55, 0.50, 0.44)
MOVER_COLOR = (0.60, 0.16, 0.10)


@dataclass(frozen=True, eq=False, kw_only=True)
class Walker:
    """Somebody in a crowd scene.

    Attributes:
        character: whose body.
        place: where it stands at first.
        heading: [rad] at first.
        goals: where to, one after the other.
    """

    character: Character
    place: Place
    heading: float = 0.0
    goals: tuple[Goal, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class CrowdScene:
    """A crowd scene.

    Attributes:
        name: short.
        description: one line.
        world: where; the crowd that plays it gets a copy.
        walkers: who.
        duration: [s], > 0: until when it should be over.
        area: [m^2], > 0: floor that can be walked on.
        live: hidden motions of bodies that nobody can foresee: they are only seen, in each frame.
        leave: whether people leave when they are at their last goal.
        settings: how it is run.
        notes: what a reader left out of a file, one line each.
    """

    name: str
    description: str
    world: World
    walkers: tuple[Walker, ...]
    duration: float = 60.0
    area: float
    live: Mapping[str, Trajectory] = field(default_factory=lambda: MappingProxyType({}))
    leave: bool = False
    settings: CrowdSettings = field(default_factory=CrowdSettings)
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        arrays.time(self.duration, f"scene {self.name!r}: duration", above=0.0)
        number(self.area, f"scene {self.name!r}: area", above=0.0)
        for name in self.live:
            if name not in self.world:
                raise InputError(
                    f"scene {self.name!r}: live: {one_of('body', name, self.world.bodies)}"
                )

    @property
    def density(self) -> float:
        """[1/m^2] Agents on the floor that can be walked on."""
        return len(self.walkers) / self.area

    def __str__(self) -> str:
        count = len(self.walkers)
        return f"{self.name}: {count} on {self.area:.0f} m^2 ({self.density:.2f} a m^2)"


class Cast:
    """Different people, and places for them: what built-in scenes draw from.

    Args:
        seed: of all that is drawn.
    """

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self._people = _people()

    def person(self) -> Character:
        """Somebody: adults mostly."""
        return self._people[int(self.random.choice(len(self._people), p=_SHARES))]

    def widest(self) -> Capability:
        """How much room anybody of them takes to walk: where it fits, all do."""
        skills = [person.capability("walk") for person in self._people]
        return replace(
            skills[0],
            radius=max(skill.radius for skill in skills),
            height=max(skill.height for skill in skills),
        )

    def walker(
        self, start: tuple[float, float], *goals: tuple[float, float], jitter: float = 0.05
    ) -> Walker:
        """Somebody who goes from a start to goals on a floor at height 0.

        Args:
            start: x, y [m].
            goals: x, y [m].
            jitter: [m] by which start and goals are off at most, at random.
        """
        points = np.array([start, *goals], dtype=np.float64)
        points += self.random.uniform(-jitter, jitter, points.shape)
        way = points[1] - points[0] if len(points) > 1 else np.array([1.0, 0.0])
        return Walker(
            character=self.person(),
            place=at(points[0]),
            heading=float(np.arctan2(way[1], way[0])),
            goals=tuple(Goal(at(point), tolerance=0.3) for point in points[1:]),
        )

    def spread(self, low: tuple[float, float], high: tuple[float, float], count: int,
               apart: float) -> list[tuple[float, float]]:  # fmt: skip
        """`count` points in a rectangle, at least `apart` [m] from each other, in random order.

        On a lattice, so that as many fit as can be hoped for.
        """
        size = np.array(high) - np.array(low)
        columns, rows = (int(n) for n in np.floor(size / apart + 1e-9) + 1)
        if columns * rows < count:
            raise InputError(
                f"{count} people {apart:g} m apart do not fit into {size[0]:g} m x {size[1]:g} m"
            )
        chosen = self.random.permutation(columns * rows)[:count]
        x = low[0] + (chosen % columns) * (size[0] / max(columns - 1, 1))
        y = low[1] + (chosen // columns) * (size[1] / max(rows - 1, 1))
        return list(zip(x.tolist(), y.tolist(), strict=True))


_SHARES = (0.5, 0.3, 0.2)


def _people() -> tuple[Character, ...]:
    """An adult, a smaller one and a tall one; one of each, so that their looks are shared."""
    return (
        people.adult(),
        people.person("small adult", 1.62, color=(0.42, 0.10, 0.12)),
        people.tall_adult(),
    )


def at(point: Floats) -> Place:
    """A place on a floor at height 0 that rests."""
    return Place(None, np.array([float(point[0]), float(point[1]), 0.0]))


def floor(size_x: float, size_y: float) -> Body:
    """A floor with its top at height 0, around the origin."""
    return Body(name=FLOOR, mesh=primitives.slab((size_x, size_y, 0.2)), color=(0.62, 0.62, 0.60))


def block(
    name: str, low: tuple[float, float], high: tuple[float, float], height: float = 2.5
) -> Body:
    """A wall, a pillar or a bench that rests: a box from corner to corner [m]."""
    size = (high[0] - low[0], high[1] - low[1], height)
    centre = ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, height / 2)
    return Body(name=name, mesh=primitives.box(size, centre), color=WALL_COLOR)


def mover(name: str, mesh: Mesh, trajectory: Trajectory | None = None) -> Body:
    """A body that moves."""
    return Body(name=name, mesh=mesh, trajectory=trajectory or Static(), color=MOVER_COLOR)
