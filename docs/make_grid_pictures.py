"""Ways of the grid planner, seen from above: `python docs/make_grid_pictures.py [NAME ...]`.

The built-in scenes go to docs/pictures. The house, the warehouse and Recast's mesh are real data
made by others, found through SUREFOOT_DATA; their pictures go to out/pictures.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from math import radians
from pathlib import Path

import numpy as np

import surefoot as sf
from surefoot.animation.pictures import (
    Camera,
    Extra,
    Look,
    Picture,
    ball,
    filmstrip,
    labelled,
    path,
    render,
    ring,
)
from surefoot.arrays import Floats

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))  # the real scenes are tagged as the tests tag them

from references.real_scenes import furnished, recast_queries  # noqa: E402

ABOVE = np.array([0.0, 0.0, 0.04])
"""[m] So that marks lie on the ground and not in it."""
UP = np.array([0.0, 0.0, 0.3])

FOLDER = ROOT / "docs" / "pictures"
OUT = ROOT / "out" / "pictures"

COLORS = ((0.74, 0.07, 0.03), (0.03, 0.16, 0.46), (0.05, 0.32, 0.12), (0.55, 0.22, 0.01))


def way(world: sf.World, start: sf.Place, goal: sf.Place, planner: sf.Grid | None = None) -> Floats:
    """Points along the way from one place to another [m]."""
    problem = sf.Problem(
        world=world,
        character=sf.people.adult(),
        start=start,
        goal=sf.Goal(goal),
        capabilities=("walk",),
        horizon=300.0,
    )
    plan = sf.plan(problem, planner=planner or sf.Grid())
    if not plan:
        raise SystemExit(f"{world.name}: {plan.status.message}")
    return plan.track(np.arange(plan.start, plan.end, 0.15), world)[0] + ABOVE


def bounds(world: sf.World) -> Floats:
    """`(2, 3)` of what rests [m]."""
    points = [body.trajectory.pose(0.0).apply(body.mesh.vertices) for body in world]
    everything = np.concatenate(points)
    return np.stack([everything.min(axis=0), everything.max(axis=0)])


def seen(
    world: sf.World,
    ways: Sequence[Floats],
    *,
    azimuth: float,
    elevation: float,
    size: tuple[int, int],
    cutaway: float | None = None,
    places: Mapping[str, Floats] | None = None,
    width: float = 0.07,
) -> Picture:
    """A world from above with ways over it, and the names of places."""
    view = bounds(world)
    if cutaway is not None:
        view[1, 2] = min(cutaway, view[1, 2])
    camera = Camera.framing(view, radians(azimuth), radians(elevation), size=size, margin=0.02)
    marks: list[Extra] = []
    for number, points in enumerate(ways):
        color = COLORS[number % len(COLORS)]
        marks += [path(points, color=color, radius=width), ball(points[0], 2 * width, color=color)]
        marks.append(ring(points[-1], 4 * width))
    picture = render(
        world, 0.0, camera, extras=marks, quality="good", look=Look(cutaway=cutaway, grid=None)
    )
    for name, point in (places or {}).items():
        pixels, _ = camera.project((point + UP)[None])
        picture = labelled(picture, name, (float(pixels[0, 0]), float(pixels[0, 1])), height=15)
    return picture


# --- the built-in scenes -------------------------------------------------------------------------


def scenes() -> None:
    """The four scenes of bandi2000's Table 1, each with the way from its start to its goal."""
    views = {
        "labyrinth": (-90.0, 68.0, None),
        "staircase": (-112.0, 38.0, None),
        "factory": (-100.0, 58.0, 3.9),
        "supermarket": (-82.0, 60.0, 3.0),
    }
    pictures: list[Picture] = []
    for name, (azimuth, elevation, cutaway) in views.items():
        scene = sf.scenes.load(name)
        world = scene.world
        places = {at: world.position(scene.place(at), 0.0) for at in "AB"}
        found = way(world, scene.start, scene.goal)
        pictures.append(
            seen(
                world, [found], azimuth=azimuth, elevation=elevation, size=(620, 560),
                cutaway=cutaway, places=places, width=0.09,
            )
        )  # fmt: skip
    filmstrip(pictures, list(views), columns=2).save(FOLDER / "grid_scenes.png", colors=200)


# --- real data -----------------------------------------------------------------------------------


def data() -> Path:
    """The folder of real data."""
    folder = os.environ.get("SUREFOOT_DATA")
    if not folder:
        raise SystemExit("set SUREFOOT_DATA to the folder of real data to make this picture")
    return Path(folder)


def among(
    world: sf.World, pairs: Sequence[tuple[Sequence[float], Sequence[float]]]
) -> list[Floats]:
    """Ways between points on the floor."""
    return [way(world, *(world.place(np.array(at) + UP) for at in pair)) for pair in pairs]


def house() -> None:
    """From room to room of the furnished house, all above 1.6 m cut away."""
    world = furnished(data(), "small_house")
    pairs = [
        ((-8.4, 0.3, 0.0), (7.6, -3.6, 0.0)),
        ((-7.0, -3.8, 0.0), (-1.7, 5.0, 0.0)),
        ((5.9, -5.0, 0.0), (4.0, 4.6, 0.0)),
        ((0.9, -3.9, 0.0), (1.3, 0.3, 0.0)),
    ]
    picture = seen(
        world, among(world, pairs), azimuth=-90, elevation=82, size=(1300, 860), cutaway=1.6
    )
    picture.save(OUT / "house.png")


def warehouse() -> None:
    """Among the shelves and clutter of the warehouse, its roof cut away."""
    world = furnished(data(), "small_warehouse")
    pairs = [
        ((-3.6, 9.6, 0.03), (1.2, -9.8, 0.03)),
        ((5.4, -2.2, 0.03), (-3.6, -7.6, 0.03)),
        ((1.5, 5.8, 0.03), (5.4, -5.8, 0.03)),
    ]
    picture = seen(
        world, among(world, pairs), azimuth=-90, elevation=72, size=(900, 1150), cutaway=3.0
    )
    picture.save(OUT / "warehouse.png")


def nav_test() -> None:
    """Recast's own queries in its own mesh, answered by the grid planner."""
    world = sf.load_world(data() / "scenes" / "recast" / "nav_test.obj")
    starts, ends = recast_queries(data())
    up = np.array([0.0, 0.0, 0.5])
    ways = [
        way(world, world.place(start + up), world.place(end + up))
        for start, end in zip(starts, ends, strict=True)
    ]
    picture = seen(world, ways, azimuth=-90, elevation=70, size=(1300, 1050), width=0.08)
    picture.save(OUT / "nav_test.png")


PICTURES: dict[str, Callable[[], None]] = {
    "scenes": scenes,
    "house": house,
    "warehouse": warehouse,
    "nav_test": nav_test,
}


def main(names: list[str]) -> None:
    """Makes the named pictures, all by default."""
    for folder in (FOLDER, OUT):
        folder.mkdir(parents=True, exist_ok=True)
    for name in names or PICTURES:
        if name not in PICTURES:
            raise SystemExit(f"unknown picture {name!r}; there are: {', '.join(PICTURES)}")
        PICTURES[name]()
        print(f"made {name}")


if __name__ == "__main__":
    main(sys.argv[1:])
