"""Skinned characters in glTF files: the canonical skeleton, or a user's rig, with its motion."""

from __future__ import annotations

import numpy as np

from surefoot.animation.animation import Animation
from surefoot.arrays import Floats
from surefoot.character import Rig, Skeleton, Skin, retarget
from surefoot.gltf import Channel, GltfBuilder, Primitive, axes
from surefoot.gltf.model import ChannelPath
from surefoot.math import rotations

_TURN = np.eye(4)
_TURN[:3, :3] = axes.y_up(np.eye(3)).T
"""From surefoot's axes to those of the file."""


def add_character(
    builder: GltfBuilder, animation: Animation, *, root_motion: bool = True
) -> list[Channel]:
    """Adds the skinned character in its first pose; returns what moves it, from 0 s on.

    A user's rig keeps its nodes and its surface, but only the colours of its materials; a file
    with that one character keeps all of it (see `rig_export`).
    """
    if animation.character.rig is not None:
        return _add_rig(builder, animation, animation.character.rig, root_motion)
    character = animation.character
    root, turned = animation.local_poses(root_motion)
    top = builder.add_node(character.name, extras={"character": True})
    nodes = add_skeleton(builder, character.skeleton, top, root[0], turned[0])
    _add_skin(builder, character.name, character.skin, skin_binds(character.skin), nodes, top)
    return skeleton_channels(nodes, animation.times - animation.start, root, turned)


def add_skeleton(
    builder: GltfBuilder, skeleton: Skeleton, top: int, root: Floats, local: Floats
) -> list[int]:
    """Adds a node for each joint below the node `top`, in a pose; returns them in order."""
    nodes: list[int] = []
    for joint, (name, parent) in enumerate(zip(skeleton.joints, skeleton.parents, strict=True)):
        place = root if joint == 0 else skeleton.offsets[joint]
        nodes.append(
            builder.add_node(
                name,
                parent=top if parent < 0 else nodes[parent],
                translation=axes.y_up(place),
                rotation=axes.y_up_rotations(local[joint]),
            )
        )
    return nodes


def skeleton_channels(
    nodes: list[int], times: Floats, root: Floats, local: Floats
) -> list[Channel]:
    """What moves a skeleton's nodes: pelvis `(n, 3)` and rotations `(n, joints, 4)`."""
    channels = [channel(nodes[0], "translation", times, axes.y_up(root))]
    for joint, node in enumerate(nodes):
        turns = axes.y_up_rotations(continuous(local[:, joint]))
        channels.append(channel(node, "rotation", times, turns))
    return channels


def skin_binds(skin: Skin) -> Floats:
    """The bind matrices of a skin on the canonical skeleton, for `bind_skin`."""
    return _TURN @ skin.binds


def _add_rig(
    builder: GltfBuilder, animation: Animation, rig: Rig, root_motion: bool
) -> list[Channel]:
    character = animation.character
    root, turned = animation.local_poses(root_motion)
    poses = retarget(rig, character.skeleton, character.measures, root, turned)
    top = add_rig_frame(builder, character.name, rig)
    nodes: list[int] = []
    for bone, (name, parent) in enumerate(zip(rig.names, rig.parents, strict=True)):
        nodes.append(
            builder.add_node(
                name,
                parent=top if parent < 0 else nodes[parent],
                translation=poses.translations[0, bone],
                rotation=poses.rotations[0, bone],
                scale=rig.scales[bone],
            )
        )
    _add_skin(builder, character.name, rig.skin, rig.skin.binds, nodes, top)
    times = animation.times - animation.start
    turns = [
        channel(node, "rotation", times, continuous(poses.rotations[:, bone]))
        for bone, node in enumerate(nodes)
        if np.abs(poses.rotations[:, bone] - rig.rotations[bone]).max() > 1e-7
    ]
    moves = [
        channel(nodes[bone], "translation", times, poses.translations[:, bone])
        for bone in rig.moved
    ]
    return turns + moves


def add_rig_frame(builder: GltfBuilder, name: str, rig: Rig) -> int:
    """Adds the node that holds a rig: from its own axes and units into the file's."""
    scale = float(np.cbrt(np.linalg.det(rig.frame[:3, :3])))
    turned = _TURN[:3, :3] @ rig.frame[:3, :3] / scale
    return builder.add_node(
        name,
        translation=axes.y_up(rig.frame[:3, 3]),
        rotation=rotations.from_matrix(turned),
        scale=np.full(3, scale),
        extras={"character": True},
    )


def _add_skin(
    builder: GltfBuilder, name: str, skin: Skin, binds: Floats, nodes: list[int], top: int
) -> None:
    bind_skin(builder, name, skin_mesh(builder, name, skin), binds, nodes, top)


def skin_mesh(builder: GltfBuilder, name: str, skin: Skin) -> int:
    """Adds the surface of a character; any number of skeletons can move it."""
    primitives: list[Primitive] = []
    for part in skin.parts:
        used, triangles = np.unique(part.faces.reshape(-1), return_inverse=True)
        material = builder.add_material(part.name, base_color=part.color, roughness=0.7)
        primitives.append(
            Primitive(
                positions=axes.y_up(skin.vertices[used]),
                normals=axes.y_up(skin.normals[used]),
                triangles=triangles.reshape(-1, 3).astype(np.int32),
                joints=skin.joints[used],
                weights=skin.weights[used],
                material=material,
            )
        )
    return builder.add_mesh(primitives, name)


def bind_skin(
    builder: GltfBuilder, name: str, mesh: int, binds: Floats, nodes: list[int], top: int
) -> int:
    """Adds a surface that a skeleton's nodes move; returns its own node."""
    # The vertices are in the file's axes; the bind matrices take them from surefoot's.
    bound = builder.add_skin(nodes, binds @ _TURN.T, name, skeleton=top)
    return builder.add_node(f"{name} skin", mesh=mesh, skin=bound)


def channel(node: int, path: ChannelPath, times: Floats, values: Floats) -> Channel:
    """A linear channel; one key where nothing changes."""
    if np.abs(values - values[0]).max() < 1e-9:
        times, values = times[:1], values[:1]
    return Channel(node=node, path=path, times=times, values=values, interpolation="linear")


def continuous(quaternions: Floats) -> Floats:
    """The same rotations `(n, 4)`, without changes of sign from one to the next."""
    flips = np.where((quaternions[1:] * quaternions[:-1]).sum(axis=1) < 0, -1.0, 1.0)
    return quaternions * np.concatenate([[1.0], np.cumprod(flips)])[:, None]
