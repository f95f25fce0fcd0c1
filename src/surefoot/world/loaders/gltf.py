"""glTF scenes as worlds: every node that carries a mesh becomes a body.

- The body is named after its node (or else its mesh), with a suffix where a name comes again.
- The primitives of a mesh are one surface; nodes with the same mesh and scale share it. Scale,
  mirroring and resting morph weights are part of the surface.
- Animated nodes move the bodies that they carry, or that are below them. What repeats is the
  whole animation, from 0 to its last key, so that all it moves stays in step.
- `extras` of the mesh, then of the node, become tags. The node's `surefoot_repeat` ("once",
  "loop" or "ping-pong") says how that node's own animation repeats, `surefoot_span` ([first, last]
  moment of the file's time, in seconds) what of it. `surefoot_solid`: false makes a shell.
- The scene's `surefoot_start` is the world's time at the file's time 0 [s], `surefoot_name` the
  world's name.
- Empties become named places; see `gltf_places`.
- Skinned meshes are characters, not world: they are skipped and reported, as are lines, points,
  cameras and what is not in the file's scene.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, cast, get_args

import numpy as np

from surefoot.arrays import Floats, number, vector
from surefoot.errors import FileError, InputError
from surefoot.files import SIZE_LIMIT
from surefoot.gltf import Gltf, Node, Primitive, read_gltf
from surefoot.world.keyframes import Repeat
from surefoot.world.loaders.axes import Axes
from surefoot.world.loaders.gltf_frames import Frame, Transform
from surefoot.world.loaders.gltf_places import NO_BODY, PLACE_TAG, find_empties, read_places
from surefoot.world.loaders.gltf_tracks import Tracks, choose_tracks, find_animated
from surefoot.world.loaders.parts import (
    BodyParts,
    Color,
    Contents,
    Skipped,
    Surface,
    compact,
    unique_names,
)
from surefoot.world.loaders.tags import tags_of

REPEAT_TAG: Final = "surefoot_repeat"
SPAN_TAG: Final = "surefoot_span"
SOLID_TAG: Final = "surefoot_solid"
OWN_TAGS: Final = (REPEAT_TAG, SPAN_TAG, SOLID_TAG, PLACE_TAG)
"""The extras of nodes that are no tags of bodies."""
START_TAG: Final = "surefoot_start"
NAME_TAG: Final = "surefoot_name"
BODY_LIMIT: Final = 100_000
"""The most bodies of a file, which an instancing extension could multiply without end."""


def read_gltf_bodies(path: Path, *, axes: Axes, repeat: Repeat, animation: str | None) -> Contents:
    """The bodies of a glTF file, in the world's axes."""
    gltf = read_gltf(path)
    carriers, skipped = _carriers(gltf)
    chains = _chains(gltf, carriers)
    tracks, unused = choose_tracks(gltf, chains, set(carriers), axes, animation, start=_start(gltf))
    frames = _frames(gltf, chains, tracks, axes, repeat)
    surfaces = _Surfaces(gltf, axes)
    bodies: list[BodyParts] = []
    first: dict[int, int] = {}
    for index in carriers:
        # Instances are not where their node is: what is below it rides none of them.
        if gltf.nodes[index].instances is None:
            first[index] = len(bodies)
        bodies += _bodies(gltf.nodes[index], frames[index], tracks, surfaces)
        if len(bodies) > BODY_LIMIT:
            raise FileError(f"{path}: has more than the limit of {BODY_LIMIT} bodies")
    names = unique_names(body.name for body in bodies)
    named = [replace(body, name=name) for name, body in zip(names, bodies, strict=True)]
    empties = find_empties(gltf)
    of_empties = _frames_of_empties(gltf, empties, frames, axes, animation)
    carried = {index: names[number] for index, number in first.items()}
    places, no_places = read_places(gltf, empties, of_empties, carried, axes)
    return Contents(
        bodies=named,
        places=places,
        skipped=skipped + unused + no_places,
        animations=tuple(entry.name for entry in gltf.animations),
        name=_world_name(gltf),
    )


def _name(gltf: Gltf, node: Node) -> str:
    mesh = "" if node.mesh is None else gltf.meshes[node.mesh].name
    return node.name or mesh or f"node{node.index}"


def _carriers(gltf: Gltf) -> tuple[list[int], list[Skipped]]:
    """The nodes that carry rigid meshes, in the file's order, and what else there is."""
    visible = set(gltf.visible())
    carriers: list[int] = []
    skipped: list[Skipped] = []
    for node in gltf.nodes:
        name = _name(gltf, node)
        if node.index not in visible:
            if node.mesh is not None:
                skipped.append(Skipped("node", name, "is not in the scene that the file shows"))
            continue
        if node.camera is not None:
            skipped.append(Skipped("camera", name, "a world has no cameras"))
        if node.mesh is None:
            continue
        if node.skin is not None:
            reason = "is moved by a skeleton: a character, not a rigid body"
            skipped.append(Skipped("skinned mesh", name, reason))
            continue
        primitives = gltf.meshes[node.mesh].primitives
        other = dict.fromkeys(p.topology for p in primitives if p.topology != "triangles")
        skipped += [Skipped(topology, name, "only triangles make a surface") for topology in other]
        if any(len(part.triangles) for part in primitives):
            carriers.append(node.index)
    return carriers, skipped


def _frames_of_empties(
    gltf: Gltf, empties: list[int], known: Mapping[int, Frame], axes: Axes, animation: str | None
) -> dict[int, Frame | FileError]:
    """The frames of empties and of all nodes above them, besides those known of bodies."""
    frames: dict[int, Frame | FileError] = dict(known)
    new = _chains(gltf, empties) - known.keys()
    animated = find_animated(gltf, new, animation)
    for index in gltf.order:
        if index not in new:
            continue
        node = gltf.nodes[index]
        above = Frame() if node.parent is None else frames[node.parent]
        if isinstance(above, FileError):
            frames[index] = above
        elif index in animated:
            frames[index] = FileError(NO_BODY)
        else:
            try:
                frames[index] = above.below(
                    _transform(gltf, node, Tracks(), axes, "once"), str(gltf.path)
                )
            except FileError as reason:
                frames[index] = reason
    return frames


def _chains(gltf: Gltf, carriers: list[int]) -> set[int]:
    """The carriers and all nodes above them."""
    chains: set[int] = set()
    for carrier in carriers:
        index: int | None = carrier
        while index is not None and index not in chains:
            chains.add(index)
            index = gltf.nodes[index].parent
    return chains


def _frames(
    gltf: Gltf, chains: set[int], tracks: Tracks, axes: Axes, repeat: Repeat
) -> dict[int, Frame]:
    frames: dict[int, Frame] = {}
    root = Frame()
    for index in gltf.order:
        if index in chains:
            node = gltf.nodes[index]
            above = root if node.parent is None else frames[node.parent]
            transform = _transform(gltf, node, tracks, axes, repeat)
            frames[index] = above.below(transform, str(gltf.path))
    return frames


def _transform(gltf: Gltf, node: Node, tracks: Tracks, axes: Axes, repeat: Repeat) -> Transform:
    still = tracks.constant
    return Transform(
        label=gltf.label(node.index),
        translation=axes.vectors(still.get((node.index, "translation"), node.translation)),
        rotation=axes.rotations(still.get((node.index, "rotation"), node.rotation)),
        scale=axes.scales(still.get((node.index, "scale"), node.scale)),
        move=tracks.moving.get((node.index, "translation")),
        turn=tracks.moving.get((node.index, "rotation")),
        repeat=_repeat(gltf, node, repeat),
        span=_span(gltf, node, tracks.start),
    )


def _extra(extras: object, tag: str) -> object:
    """One of the extras; None where it is not there."""
    return cast("dict[str, object]", extras).get(tag) if isinstance(extras, dict) else None


def _repeat(gltf: Gltf, node: Node, default: Repeat) -> Repeat:
    value = _extra(node.extras, REPEAT_TAG)
    if value is None:
        return default
    if value not in get_args(Repeat):
        raise FileError(
            f"{gltf.path}: nodes[{node.index}].extras.{REPEAT_TAG}: must be one of "
            f"{', '.join(get_args(Repeat))}, got {value!r}"
        )
    return cast(Repeat, value)


def _span(gltf: Gltf, node: Node, start: float) -> tuple[float, float] | None:
    """What of a node's animation repeats, in the world's time."""
    value = _extra(node.extras, SPAN_TAG)
    if value is None:
        return None
    place = f"{gltf.path}: nodes[{node.index}].extras.{SPAN_TAG}"
    try:
        first, last = vector(cast("list[float]", value), place, 2).tolist()
    except InputError as reason:
        raise FileError(str(reason)) from reason
    if not first < last:
        raise FileError(f"{place}: must be the first and the last moment, got {value!r}")
    return start + first, start + last


def _start(gltf: Gltf) -> float:
    value = _extra(gltf.scene.extras, START_TAG)
    try:
        return 0.0 if value is None else number(value, f"{gltf.path}: scene.extras.{START_TAG}")
    except InputError as reason:
        raise FileError(str(reason)) from reason


def _world_name(gltf: Gltf) -> str | None:
    value = _extra(gltf.scene.extras, NAME_TAG)
    if value is not None and not isinstance(value, str):
        raise FileError(f"{gltf.path}: scene.extras.{NAME_TAG}: must be text, got {value!r}")
    return value


def _bodies(node: Node, frame: Frame, tracks: Tracks, surfaces: _Surfaces) -> list[BodyParts]:
    """The body of a node, or those of its instances."""
    gltf, axes = surfaces.gltf, surfaces.axes
    assert node.mesh is not None
    mesh = gltf.meshes[node.mesh]
    place = f"{gltf.path}: nodes[{node.index}].extras"
    tags = tags_of(mesh.extras, f"{gltf.path}: meshes[{node.mesh}].extras")
    solid, extras = True, node.extras
    if isinstance(extras, dict):
        own = cast("dict[str, Any]", extras)
        solid = own.get(SOLID_TAG, True) is not False
        extras = {tag: value for tag, value in own.items() if tag not in OWN_TAGS}
    tags |= tags_of(extras, place)
    weights = mesh.weights if node.weights is None else node.weights
    weights = tracks.constant.get((node.index, "weights"), weights)
    frames = [frame]
    if node.instances is not None:
        if len(node.instances.translations) > BODY_LIMIT:
            raise FileError(f"{gltf.path}: has more than the limit of {BODY_LIMIT} bodies")
        frames = [
            frame.below(Transform(gltf.label(node.index), shift, turn, scale), str(gltf.path))
            for shift, turn, scale in zip(
                axes.vectors(node.instances.translations),
                axes.rotations(node.instances.rotations),
                axes.scales(node.instances.scales),
                strict=True,
            )
        ]
    return [
        BodyParts(
            name=_name(gltf, node),
            surface=surfaces.get(node, weights, each.linear),
            trajectory=each.trajectory(),
            tags=tags,
            color=_color(gltf, node.mesh),
            solid=solid,
        )
        for each in frames
    ]


class _Surfaces:
    """The surfaces of meshes, one for each mesh, shape and scale that is used."""

    def __init__(self, gltf: Gltf, axes: Axes) -> None:
        self.gltf = gltf
        self.axes = axes
        self._made: dict[tuple[int, bytes, bytes], Surface] = {}
        self._left = SIZE_LIMIT

    def get(self, node: Node, weights: Floats, linear: Floats) -> Surface:
        """The surface of a node's mesh, through a linear map."""
        assert node.mesh is not None
        key = (node.mesh, weights.tobytes(), linear.tobytes())
        if key not in self._made:
            self._made[key] = self._make(node, node.mesh, weights, linear)
        return self._made[key]

    def _make(self, node: Node, mesh: int, weights: Floats, linear: Floats) -> Surface:
        parts = [p for p in self.gltf.meshes[mesh].primitives if len(p.triangles)]
        self._left -= sum(part.positions.nbytes + part.triangles.nbytes for part in parts)
        if self._left < 0:
            raise FileError(f"{self.gltf.path}: its meshes take more than {SIZE_LIMIT} bytes")
        if any(len(part.morphs) != len(weights) for part in parts):
            raise FileError(
                f"{self.gltf.path}: nodes[{node.index}].weights: must be "
                f"{len(parts[0].morphs)} numbers, got {len(weights)}"
            )
        starts = np.cumsum([0] + [len(part.positions) for part in parts[:-1]])
        vertices = np.concatenate([_shaped(part, weights) for part in parts])
        faces = np.concatenate(
            [part.triangles + np.int32(start) for part, start in zip(parts, starts, strict=True)]
        )
        with np.errstate(over="ignore", invalid="ignore"):
            if np.linalg.det(linear) < 0:
                faces = faces[:, ::-1]
            baked = self.axes.vectors(vertices)
            if not np.array_equal(linear, np.eye(3)):
                baked = baked @ linear.T
        # Primitives often share one list of vertices, each using its own part of it.
        name = self.gltf.meshes[mesh].name
        if len(parts) > 1:
            return compact(baked, faces, name)
        return Surface(baked, np.ascontiguousarray(faces), name)


def _shaped(part: Primitive, weights: Floats) -> Floats:
    positions = part.positions
    with np.errstate(over="ignore", invalid="ignore"):
        for weight, morph in zip(weights.tolist(), part.morphs, strict=True):
            if weight:
                positions = positions + weight * morph
    return positions


def _color(gltf: Gltf, mesh: int) -> Color | None:
    """The colour of the primitive with the most triangles, where the file states one."""
    largest = max(gltf.meshes[mesh].primitives, key=lambda part: len(part.triangles))
    if largest.material is None and largest.colors is None:
        return None
    color = np.ones(3)
    if largest.material is not None:
        color = np.array(gltf.materials[largest.material].base_color[:3])
    if largest.colors is not None:
        color = color * largest.colors[:, :3].mean(axis=0)
    red, green, blue = np.clip(color, 0.0, 1.0).tolist()
    return red, green, blue
