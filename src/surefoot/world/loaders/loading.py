"""From a mesh or scene file to a world, by the file's extension."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, get_args

import numpy as np

from surefoot import arrays
from surefoot.arrays import number
from surefoot.errors import FileError, InputError, MeshError, one_of
from surefoot.files import PathLike, as_path, read_bytes
from surefoot.world.body import Body
from surefoot.world.keyframes import Repeat
from surefoot.world.loaders.axes import Axes, Up
from surefoot.world.loaders.gltf import read_gltf_bodies
from surefoot.world.loaders.obj import read_obj
from surefoot.world.loaders.parts import BodyParts, Contents, PlaceParts, Skipped, Surface
from surefoot.world.loaders.ply import read_ply
from surefoot.world.loaders.stl import read_stl
from surefoot.world.mesh import Mesh
from surefoot.world.place import Place
from surefoot.world.trajectory import Static
from surefoot.world.world import World

_UP: Final[dict[str, Up]] = {".glb": "y", ".gltf": "y", ".obj": "y", ".stl": "z", ".ply": "z"}
_JSON: Final = ".json"

FLOOR_BELOW: Final = 2.0
"""[m] The farthest below an empty that its floor is looked for, as `World.place` does."""
FLOOR_ABOVE: Final = 1e-3
"""[m] How far an empty may be inside its floor: files are in single precision, and at 10 km from
the origin that is exact to half a millimetre."""

EXTENSIONS: Final = (*_UP, _JSON)
"""The file name extensions that can be loaded."""


@dataclass(frozen=True, kw_only=True)
class LoadReport:
    """What was found in a file.

    Attributes:
        path: The file.
        bodies: How many bodies the world has.
        triangles: How many triangles they have, shared meshes counted each time.
        places: Names of the places.
        animations: Names of all animations in the file, to choose one by.
        skipped: What is in the file, but not in the world.
    """

    path: Path
    bodies: int
    triangles: int
    animations: tuple[str, ...]
    skipped: tuple[Skipped, ...]
    places: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = [f"{self.path}: {self.bodies} bodies, {self.triangles} triangles"]
        lines += [f"places: {', '.join(self.places)}"] if self.places else []
        lines += [f"skipped {entry}" for entry in self.skipped]
        return "\n  ".join(lines)


def load_world(
    path: PathLike,
    *,
    up: Up | None = None,
    scale: float = 1.0,
    repeat: Repeat = "loop",
    animation: str | None = None,
) -> World:
    """The world in a `.glb`, `.gltf`, `.obj`, `.stl` or `.ply` file, or in a world's own `.json`.

    Args:
        path: The file; its extension says what it is.
        up: Which axis of the file is up, "y" or "z". By default what the format has: y for glTF
            and OBJ, z for STL and PLY.
        scale: Metres per unit of the file, > 0.
        repeat: What animated bodies do after their animation's end: rest ("once"), start over
            ("loop"), go back ("ping-pong"). A glTF node's extra `surefoot_repeat` overrides it.
        animation: Name of the one animation to play; by default all that do not move the same
            nodes.

    A `.json` has its own axes, unit and motions: it takes none of these settings.

    Raises:
        FileError: The file cannot be read; the message names it, and the place in it.
        InputError: A setting is wrong.
    """
    return read_world(path, up=up, scale=scale, repeat=repeat, animation=animation)[0]


def read_world(
    path: PathLike,
    *,
    up: Up | None = None,
    scale: float = 1.0,
    repeat: Repeat = "loop",
    animation: str | None = None,
) -> tuple[World, LoadReport]:
    """As `load_world`, with a report on what was found and what was skipped."""
    file = as_path(path)
    extension = file.suffix.lower()
    if extension not in EXTENSIONS:
        raise FileError(f"{file}: {one_of('extension', extension, EXTENSIONS)}")
    if up is not None and up not in get_args(Up):
        raise InputError(one_of("up axis", up, get_args(Up)))
    if repeat not in get_args(Repeat):
        raise InputError(one_of("repeat", repeat, get_args(Repeat)))
    scale = number(scale, "scale", above=0)
    if extension == _JSON:
        given = {
            "up": up is not None,
            "scale": scale != 1.0,
            "repeat": repeat != "loop",
            "animation": animation is not None,
        }
        if any(given.values()):
            names = ", ".join(name for name, is_given in given.items() if is_given)
            raise InputError(f"{file}: a world in JSON is read as it was saved, without {names}")
        return _read_json(file)
    axes = Axes(up or _UP[extension], scale)
    if extension in (".glb", ".gltf"):
        found = read_gltf_bodies(file, axes=axes, repeat=repeat, animation=animation)
    else:
        if animation is not None:
            raise InputError(f"{file}: {one_of('animation', animation, ())}")
        found = _read_static(file, extension, axes)
    return _build(file, found)


def _read_json(file: Path) -> tuple[World, LoadReport]:
    """A world as `World.save` wrote it."""
    world = World.load(file)
    return world, LoadReport(
        path=file,
        bodies=len(world),
        triangles=sum(len(body.mesh.faces) for body in world),
        places=tuple(world.places),
        animations=(),
        skipped=(),
    )


def _read_static(file: Path, extension: str, axes: Axes) -> Contents:
    """The bodies of a format without motion."""
    data = read_bytes(file)
    skipped: list[Skipped] = []
    if extension == ".obj":
        bodies, skipped = read_obj(str(file), data)
    else:
        readers: dict[str, Callable[[str, bytes], list[BodyParts]]] = {
            ".stl": read_stl,
            ".ply": read_ply,
        }
        bodies = readers[extension](str(file), data)
    with np.errstate(over="ignore"):
        turned = [
            replace(body, surface=Surface(axes.vectors(body.surface.vertices), body.surface.faces))
            for body in bodies
        ]
    return Contents(bodies=turned, skipped=skipped, animations=())


def _build(file: Path, found: Contents) -> tuple[World, LoadReport]:
    """The world of the bodies that have a surface, and the report."""
    meshes: dict[Surface, Mesh | None] = {}
    skipped = list(found.skipped)
    bodies: list[Body] = []
    for parts in found.bodies:
        if parts.surface not in meshes:
            meshes[parts.surface] = _mesh(file, parts)
        mesh = meshes[parts.surface]
        if mesh is None:
            skipped.append(Skipped("mesh", parts.name, "its triangles have no area"))
            continue
        bodies.append(
            Body(
                name=parts.name,
                mesh=mesh,
                trajectory=parts.trajectory or Static(),
                tags=parts.tags,
                color=parts.color,
                solid=parts.solid,
            )
        )
    try:
        world = World(bodies, name=file.stem if found.name is None else found.name)
        places, in_no_place = _put_down(world, found.places)
        world = world.copy(places=places) if places else world
    except InputError as reason:  # a motion that cannot be, found when its curve is followed
        raise FileError(f"{file}: {reason}") from reason
    return world, LoadReport(
        path=file,
        bodies=len(bodies),
        triangles=sum(len(body.mesh.faces) for body in bodies),
        places=tuple(places),
        animations=found.animations,
        skipped=(*skipped, *in_no_place),
    )


def _put_down(world: World, found: Sequence[PlaceParts]) -> tuple[dict[str, Place], list[Skipped]]:
    """The places of a file, those above a floor put down on it; and those on bodies left out.

    A place with no floor below it stays where it is: a lift may stop there later.
    """
    places: dict[str, Place] = {}
    skipped: list[Skipped] = []
    parts_of_world: dict[tuple[str, ...] | None, World] = {None: world}
    for parts in found:
        if parts.body is not None and parts.body not in world:
            reason = f"the triangles of {parts.body!r}, which it is on, have no area"
            skipped.append(Skipped("empty", parts.name, reason))
            continue
        place = Place(parts.body, parts.position)
        if not parts.exact:
            if parts.surfaces not in parts_of_world:
                near = [world[name] for name in parts.surfaces or () if name in world]
                parts_of_world[parts.surfaces] = World(near)
            place = _on_floor(world, parts_of_world[parts.surfaces], place) or place
        places[parts.name] = place
    return places, skipped


def _on_floor(world: World, floors: World, place: Place) -> Place | None:
    """A place on the surface below it at time 0, among some of the world's bodies."""
    point = world.position(place, 0.0)
    ground = floors.support(point, 0.0, up=FLOOR_ABOVE, down=FLOOR_BELOW)
    if not ground.hit:
        return None
    body = floors.names[int(ground.body)]
    return world.attach([point[0], point[1], float(ground.height)], body, 0.0)


def _mesh(file: Path, parts: BodyParts) -> Mesh | None:
    """The mesh of a body; None when it has no area."""
    vertices, faces = parts.surface.vertices, parts.surface.faces
    try:
        arrays.positions(vertices, "coordinates", error=MeshError)
        a, b, c = (vertices[faces[:, corner]] for corner in range(3))
        if not np.cross(b - a, c - a).any():
            return None
        name = parts.surface.name
        return Mesh(vertices, faces, parts.name if name is None else name)
    except MeshError as reason:
        raise FileError(f"{file}: body {parts.name!r}: {reason}") from reason
