"""Named places of a glTF file: its empties, the nodes that carry nothing.

An empty is a named node without a mesh, a camera or a light, that is no joint of a skeleton, nor
below one, and has none of these below it: a node with meshes below it is a group. An empty below
an animated node rides the body that it moves with; others are where the file puts them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

import numpy as np

from surefoot.arrays import Floats
from surefoot.errors import FileError
from surefoot.gltf import Gltf, Node
from surefoot.math import rotations
from surefoot.world.loaders.axes import Axes
from surefoot.world.loaders.gltf_frames import Frame
from surefoot.world.loaders.parts import PlaceParts, Skipped, unique_names

PLACE_TAG: Final = "surefoot_place"
"""The extra of empties that are places as they stand, and are not put down on the floor below."""

NO_BODY: Final = "it moves, and no body moves with it"


def find_empties(gltf: Gltf) -> list[int]:
    """The nodes that are named places, in the file's order."""
    busy = {joint for skin in gltf.skins for joint in skin.joints}
    # Parents come before their children in the order of a file: what is below a joint is one.
    for index in gltf.order:
        if gltf.nodes[index].parent in busy:
            busy.add(index)
    busy |= {node.index for node in gltf.nodes if _carries_something(gltf, node)}
    for index in reversed(gltf.order):
        parent = gltf.nodes[index].parent
        if index in busy and parent is not None:
            busy.add(parent)
    visible = set(gltf.visible())
    return [
        node.index
        for node in gltf.nodes
        if node.name and node.index in visible and node.index not in busy
    ]


def read_places(
    gltf: Gltf,
    empties: Sequence[int],
    frames: Mapping[int, Frame | FileError],
    names: Mapping[int, str],
    axes: Axes,
) -> tuple[list[PlaceParts], list[Skipped]]:
    """The places of the empties, and those that cannot be any.

    Args:
        gltf: The file.
        empties: Nodes of the file.
        frames: Of these nodes and those with bodies; an error where a node has none.
        names: Of the body of each node that carries one.
        axes: Those of the file.
    """
    places: list[PlaceParts] = []
    skipped: list[Skipped] = []
    for index in empties:
        node, frame = gltf.nodes[index], frames[index]
        if isinstance(frame, FileError):
            skipped.append(Skipped("empty", node.name, str(frame)))
            continue
        exact, rides = is_exact(node), None
        body = _body_above(gltf, node, frames, names)
        if frame.moving is None:
            body = body if exact else None
        else:
            # Bodies that move with the same node do not move against each other.
            rides = tuple(
                name
                for carrier, name in names.items()
                if _frame(frames, carrier).moving is frame.moving
            )
            if not rides:
                skipped.append(Skipped("empty", node.name, NO_BODY))
                continue
            body = body or rides[0]
        position = _position(node, frames, names, body, axes)
        places.append(
            PlaceParts(name=node.name, body=body, position=position, surfaces=rides, exact=exact)
        )
    unique = unique_names(place.name for place in places)
    return [replace(place, name=name) for place, name in zip(places, unique, strict=True)], skipped


def is_exact(node: Node) -> bool:
    """Whether an empty is a place as it stands."""
    extras: object = node.extras
    return isinstance(extras, dict) and bool(cast("dict[str, Any]", extras).get(PLACE_TAG))


def _carries_something(gltf: Gltf, node: Node) -> bool:
    if node.mesh is not None or node.camera is not None or node.skin is not None:
        return True
    extensions: object = gltf.json["nodes"][node.index].get("extensions")
    return isinstance(extensions, dict) and "_lights_" in " ".join(
        cast("dict[str, Any]", extensions)
    )


def _frame(frames: Mapping[int, Frame | FileError], index: int) -> Frame:
    frame = frames[index]
    assert isinstance(frame, Frame)  # those with bodies have one
    return frame


def _body_above(
    gltf: Gltf, node: Node, frames: Mapping[int, Frame | FileError], names: Mapping[int, str]
) -> str | None:
    """The nearest body above a node that does not move against it."""
    moving = _frame(frames, node.index).moving
    index = node.parent
    while index is not None:
        if index in names:
            return names[index] if _frame(frames, index).moving is moving else None
        index = gltf.nodes[index].parent
    return None


def _position(
    node: Node,
    frames: Mapping[int, Frame | FileError],
    names: Mapping[int, str],
    body: str | None,
    axes: Axes,
) -> Floats:
    """Where a node is in the frame of a body that moves as it does [m]; in the world's for None."""
    here = _frame(frames, node.index).pose.position
    if body is None:
        return here
    carrier = next(index for index, name in names.items() if name == body)
    frame = _frame(frames, carrier)
    if node.parent == carrier:
        # Without a detour through the world: to the last bit.
        return np.asarray(frame.linear @ axes.vectors(node.translation))
    shift = here - frame.pose.position
    return rotations.rotate(rotations.inverse(frame.pose.rotation), shift)
