"""Many characters in one glTF file: each with its own motion, their surfaces stored once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np

from surefoot.animation.gltf_character import (
    add_skeleton,
    bind_skin,
    channel,
    skeleton_channels,
    skin_binds,
    skin_mesh,
)
from surefoot.animation.gltf_export import add_world
from surefoot.arrays import Floats
from surefoot.character import Character
from surefoot.errors import InputError
from surefoot.gltf import Channel, GltfBuilder, axes
from surefoot.world import World


@dataclass(frozen=True, eq=False)
class Figure:
    """Somebody in a film.

    Attributes:
        name: unique.
        character: whose body and looks.
        times: `(n,)` [s], increasing, one or more: while it is there.
        root: `(n, 3)` [m]: the pelvis.
        rotations: `(n, joints, 4)`: local.
    """

    name: str
    character: Character
    times: Floats
    root: Floats
    rotations: Floats


def save_cast(
    path: str | PathLike[str],
    world: World,
    figures: Sequence[Figure],
    *,
    rate: float,
    extras: Mapping[str, Any] | None = None,
) -> None:
    """Writes a world and all who move in it as one `.glb` or `.gltf` file.

    The file's time starts with the first of them. Who comes later or goes earlier has no size
    until then and from then on. Characters with a rig of their own are shown by their skeleton's
    nodes alone, without a surface.

    Args:
        path: the file.
        world: where.
        figures: one or more.
        rate: [1/s] at which moving bodies are sampled where their motion is no keys.
        extras: notes for the scene and the animation.
    """
    if not figures:
        raise InputError("there is nobody to write")
    start = min(float(figure.times[0]) for figure in figures)
    end = max(float(figure.times[-1]) for figure in figures)
    notes = {"start": start, "rate": rate, **(extras or {})}
    builder = GltfBuilder(world.name or "surefoot", extras=notes)
    channels = add_world(builder, world, start, end, rate=rate)
    meshes: dict[int, int] = {}
    for figure in figures:
        channels += _add_figure(builder, figure, meshes, start, end)
    builder.add_animation(channels, world.name or "all", extras=notes)
    builder.save(path)


def _add_figure(
    builder: GltfBuilder, figure: Figure, meshes: dict[int, int], start: float, end: float
) -> list[Channel]:
    character = figure.character
    top = builder.add_node(figure.name, extras={"character": character.name})
    nodes = add_skeleton(builder, character.skeleton, top, figure.root[0], figure.rotations[0])
    channels = skeleton_channels(nodes, figure.times - start, figure.root, figure.rotations)
    if character.rig is None:
        skin = character.skin
        if id(skin) not in meshes:
            meshes[id(skin)] = skin_mesh(builder, character.name, skin)
        surface = bind_skin(builder, figure.name, meshes[id(skin)], skin_binds(skin), nodes, top)
        # A skin is where its joints are, wherever its node is. But viewers leave out what they take
        # to be out of sight, and some look for that at the node: it goes along with the pelvis.
        channels.append(
            channel(surface, "translation", figure.times - start, axes.y_up(figure.root))
        )
    came, went = float(figure.times[0]) - start, float(figure.times[-1]) - start
    sizes = [(0.0, 0.0 if came > 0.0 else 1.0)]
    if came > 0.0:
        sizes.append((came, 1.0))
    if went < end - start:
        sizes.append((max(went, 1e-3), 0.0))
    if len(sizes) > 1:
        values = np.array([[size] * 3 for _, size in sizes])
        moments = np.array([moment for moment, _ in sizes])
        channels.append(
            Channel(node=top, path="scale", times=moments, values=values, interpolation="step")
        )
    return channels
