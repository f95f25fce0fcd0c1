"""Worlds run by physics, ready to travel in: lopez2012's Physics 1 and Physics 2.

Made for somebody half a metre tall; `scale` makes them as much larger for an adult.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats
from surefoot.errors import InputError, one_of
from surefoot.math import Pose, rotations
from surefoot.physics.world import MujocoWorld
from surefoot.world import Body, Mesh, Place, Static, Watching, World, merge
from surefoot.world.primitives import box, slab

STONE, WOOD, CLOTH = (0.55, 0.56, 0.58), (0.62, 0.44, 0.24), (0.30, 0.46, 0.42)
PAINT = ((0.72, 0.26, 0.22), (0.20, 0.42, 0.70), (0.82, 0.60, 0.16), (0.34, 0.55, 0.30))

ADULT_SCALE = 3.2
"""By which a scene is larger for an adult of 1.75 m, who climbs 0.45 m where the little one climbs
0.2 m and has a step of 0.35 m where that one has 0.05 m."""


@dataclass
class PhysicsScene:
    """A world run by physics and what goes on in it.

    Attributes:
        name: what `load` calls it.
        live: the world; step the scene and not the world.
        places: named; "start" and "goal" are always there.
        settle: [s] until what falls at first lies about still.
    """

    name: str
    live: MujocoWorld
    places: Mapping[str, Place]
    settle: float
    happens: Callable[[MujocoWorld], None] | None = None

    @property
    def time(self) -> float:
        """[s]."""
        return self.live.time

    @property
    def world(self) -> World:
        """The live world."""
        return self.live.world

    def stand_in(self, who: str, point: Floats, velocity: Floats, **size: float) -> None:
        """Somebody is here, in the way of what falls; see `MujocoWorld.stand_in`."""
        self.live.stand_in(who, point, velocity, **size)

    def step(self, dt: float = 1 / 60) -> None:
        """Goes on by `dt` [s]; whoever throws things in does so first."""
        if self.happens is not None:
            self.happens(self.live)
        self.live.step(dt)


def names() -> list[str]:
    """The names of all scenes."""
    return sorted(_MADE)


def load(
    name: str, *, seed: int = 0, scale: float = 1.0, watching: Watching | None = None
) -> PhysicsScene:
    """Makes a scene; the seed draws what falls and is thrown."""
    if name not in _MADE:
        raise InputError(one_of("physics scene", name, _MADE))
    return _MADE[name](np.random.default_rng(seed), scale, watching)


def couch(scale: float = 1.0) -> Mesh:
    """Of five convex pieces: a seat, a back, two arms and a footrest."""
    parts = [
        box((1.3, 0.55, 0.17), (0, 0, 0.085)),
        box((1.3, 0.14, 0.2), (0, -0.21, 0.27)),
        box((0.14, 0.55, 0.12), (-0.58, 0, 0.23)),
        box((0.14, 0.55, 0.12), (0.58, 0, 0.23)),
    ]
    return merge([part.transformed(scale=scale) for part in parts])


def _thing(rng: np.random.Generator, name: str, at: Pose, scale: float) -> Body:
    """A box, a plank or a stool."""
    kind = rng.uniform()
    if kind < 0.65:
        mesh = box(scale * rng.uniform((0.45, 0.4, 0.08), (0.9, 0.7, 0.16)))
    elif kind < 0.88:
        mesh = box(scale * rng.uniform((1.1, 0.4, 0.04), (1.9, 0.55, 0.07)))
    else:
        wide = rng.uniform(0.4, 0.6)
        legs = [box((0.06, 0.06, 0.14), (x, y, 0.07)) for x in (-0.4 * wide, 0.4 * wide)
                for y in (-0.4 * wide, 0.4 * wide)]  # fmt: skip
        mesh = merge([slab((wide, wide, 0.05), (0, 0, 0.19)), *legs]).transformed(scale=scale)
    color = PAINT[int(rng.integers(len(PAINT)))]
    return Body(name=name, mesh=mesh, trajectory=Static(at), color=color)


def _somewhere(
    rng: np.random.Generator, low: tuple[float, ...], high: tuple[float, ...], scale: float,
    lean: float = 0.3,
) -> Pose:  # fmt: skip
    turn = rotations.from_rotation_vector(
        np.array([*rng.normal(0, lean, 2), rng.uniform(-np.pi, np.pi)])
    )
    return Pose(scale * rng.uniform(low, high), turn)


def _physics_1(
    rng: np.random.Generator, scale: float, watching: Watching | None, first: int = 24,
    most: int = 32,
) -> PhysicsScene:  # fmt: skip
    """A couch and boxes fall into a hole between two floors.

    The hole is deeper than somebody small can jump, the boxes no thicker than a step. Some more are
    added before it settles, as in Figure 9: "the agent finally has to navigate".
    """
    deep = 0.27
    fixed = [
        _fixed("near floor", slab((2.6, 4.6, 0.8), (-3.1, 0, 0)), scale),
        _fixed("far floor", slab((2.6, 4.6, 0.8), (3.1, 0, 0)), scale),
        _fixed("bottom", slab((3.6, 4.6, 0.4), (0, 0, -deep)), scale),
        _fixed("walls", merge([box((9.0, 0.2, 1.6), (0, y, 0.2)) for y in (-2.4, 2.4)]), scale,
               forbidden=True),
    ]  # fmt: skip
    live = MujocoWorld(fixed, watching=watching, name="physics 1")
    pose = _somewhere(rng, (-0.4, -0.9, 0.6), (0.4, 0.9, 0.8), scale, 0.05)
    things = [Body(name="couch", mesh=couch(scale), trajectory=Static(pose), color=CLOTH)]

    # All over the hole: each fourth of a row of it in turn, in any order.
    fields = [(i, j) for i in range(6) for j in range(4)]
    rng.shuffle(fields)

    def another(k: int, high: float) -> Body:
        i, j = fields[k % len(fields)]
        low = (0.5 * i - 1.5, 0.95 * j - 1.9, high)
        at = _somewhere(rng, low, (low[0] + 0.5, low[1] + 0.95, high + 0.1), scale, 0.08)
        if k % 6 == 5:
            size = rng.uniform((1.6, 0.45, 0.05), (2.4, 0.6, 0.07))
        elif k % 6 == 4:
            size = rng.uniform(0.08, 0.18, 3)
        else:
            size = rng.uniform((0.6, 0.55, 0.07), (1.1, 0.9, 0.14))
        return Body(name=f"box {k}", mesh=box(scale * size), trajectory=Static(at),
                    color=PAINT[k % len(PAINT)])  # fmt: skip

    things += [another(k + 1, 0.8 + 0.22 * k) for k in range(first)]
    count = {"dropped": first, "next": 5.0}

    def drop(world: MujocoWorld) -> None:
        """One more, every half second, as somebody adds elements on the fly (Figure 9)."""
        if world.time < count["next"] or count["dropped"] >= most:
            return
        count["next"] += 0.5
        count["dropped"] += 1
        world.drop(another(int(count["dropped"]), 1.2))

    live.drop(*things)
    places = {
        "start": Place("near floor", scale * np.array([-4.0, 0.0, 0.0])),
        "goal": Place("far floor", scale * np.array([4.0, 0.0, 0.0])),
    }
    return PhysicsScene("physics 1", live, places, 10.5, drop)


def _physics_2(
    rng: np.random.Generator, scale: float, watching: Watching | None, most: int = 150
) -> PhysicsScene:
    """An arena into which somebody throws one thing after the other."""
    rim = [box((9.4, 0.2, 1.0), (0, y, 0.5)) for y in (-4.6, 4.6)]
    rim += [box((0.2, 9.4, 1.0), (x, 0, 0.5)) for x in (-4.6, 4.6)]
    blocks = [slab((1.6, 1.6, 0.35), (x, y, 0.35)) for x, y in ((-2.6, 2.6), (2.6, -2.6))]
    fixed = [
        _fixed("floor", slab((9.0, 9.0, 0.4)), scale),
        _fixed("rim", merge(rim), scale, forbidden=True),
        _fixed("podium 1", blocks[0], scale),
        _fixed("podium 2", blocks[1], scale),
    ]
    live = MujocoWorld(fixed, watching=watching, name="physics 2")
    spots = [_somewhere(rng, (-3.5, -3.5, 0.3), (3.5, 3.5, 0.4), scale, 0.0) for _ in range(3)]
    first = [
        Body(name=f"couch {k}", mesh=couch(scale), color=CLOTH, trajectory=Static(at))
        for k, at in enumerate(spots, 1)
    ]
    for k in range(40):
        high = 0.5 + 0.12 * k
        at = _somewhere(rng, (-3.9, -3.9, high), (3.9, 3.9, high + 0.1), scale)
        first.append(_thing(rng, f"thing {k + 1}", at, scale))
    live.drop(*first)
    count = {"thrown": len(first), "next": 4.0}

    def throw(world: MujocoWorld) -> None:
        """One more, from the rim, every 0.6 s."""
        if world.time < count["next"] or count["thrown"] >= most:
            return
        count["next"] += 0.6
        count["thrown"] += 1
        side = rng.uniform(0, 2 * np.pi)
        at = scale * np.array([3.9 * np.cos(side), 3.9 * np.sin(side), 1.6])
        turn = rotations.from_rotation_vector(rng.normal(0, 0.6, 3))
        body = _thing(rng, f"thrown {int(count['thrown'])}", Pose(at, turn), scale)
        speed = rng.uniform(1.0, 5.0) * np.sqrt(scale)
        towards = rng.uniform(-2.5, 2.5, 2) * scale - at[:2]
        way = np.array([*(towards / np.linalg.norm(towards)), 0.3]) * speed
        world.drop(body, velocity=way, spin=rng.normal(0, 2.0, 3))

    places = {
        "start": Place("floor", scale * np.array([-4.0, -4.0, 0.0])),
        "goal": Place("floor", scale * np.array([4.0, 4.0, 0.0])),
        "corner 1": Place("floor", scale * np.array([-4.0, 4.0, 0.0])),
        "corner 2": Place("floor", scale * np.array([4.0, -4.0, 0.0])),
        "podium 1": Place("podium 1", scale * np.array([-2.6, 2.6, 0.35])),
        "podium 2": Place("podium 2", scale * np.array([2.6, -2.6, 0.35])),
    }
    return PhysicsScene("physics 2", live, places, 4.0, throw)


def _fixed(name: str, mesh: Mesh, scale: float, **tags: bool) -> Body:
    return Body(name=name, mesh=mesh.transformed(scale=scale), color=STONE, tags=tags)


_MADE: Mapping[str, Callable[[np.random.Generator, float, Watching | None], PhysicsScene]] = {
    "physics 1": _physics_1,
    "physics 2": _physics_2,
}
