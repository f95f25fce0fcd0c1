"""Animations as glTF files: the world, its motion, and the skinned character with its own."""

from __future__ import annotations

from os import PathLike
from typing import Any

from surefoot.animation.animation import Animation
from surefoot.animation.gltf_character import add_character
from surefoot.animation.rig_export import Rigged
from surefoot.animation.trajectory_keys import trajectory_keys
from surefoot.gltf import Channel, GltfBuilder, axes
from surefoot.world import Body, Static, World
from surefoot.world.loaders.gltf import REPEAT_TAG, SOLID_TAG
from surefoot.world.savers.keys import Keys, channels_of
from surefoot.world.savers.surfaces import Surfaces

PLAIN = (0.72, 0.72, 0.70)
"""Linear colour of bodies that have none."""


def save_gltf(
    path: str | PathLike[str],
    animation: Animation,
    *,
    root_motion: bool = True,
    world: bool = True,
) -> None:
    """Writes an animation as `.glb` or `.gltf`; see `Animation.save`.

    The file's time starts with the animation. All that moves is in one animation, so that every
    viewer plays it together. Bodies are nodes with their tags as `extras`. The plan's segments and
    the feet's contacts are in the `extras` of the scene and of the animation, under `markers`.
    A character with a rig of its own keeps its nodes, skin, materials and textures.
    """
    origin = animation.start
    notes = {
        "start": origin,
        "rate": animation.rate,
        "plan": {"planner": animation.plan.planner, "status": str(animation.plan.status)},
        "markers": [marker.to_dict(origin) for marker in animation.markers],
    }
    builder = GltfBuilder(animation.world.name or "surefoot", extras=notes)
    channels: list[Channel] = []
    if world:
        channels += add_world(
            builder, animation.world, animation.start, animation.end, rate=animation.rate
        )
    name = animation.character.name
    if animation.character.rig is None:
        channels += add_character(builder, animation, root_motion=root_motion)
        builder.add_animation(channels, name, extras=notes)
        builder.save(path)
    else:
        rigged = Rigged(builder, animation, root_motion=root_motion)
        builder.add_animation([*channels, *rigged.channels()], name, extras=notes)
        rigged.save(path, builder)


def save_world(
    path: str | PathLike[str],
    world: World,
    *,
    start: float = 0.0,
    end: float = 10.0,
    rate: float = 30.0,
) -> None:
    """Writes a world and its motion from `start` to `end` [s] as `.glb` or `.gltf`."""
    builder = GltfBuilder(world.name or "surefoot", extras={"start": start, "rate": rate})
    channels = add_world(builder, world, start, end, rate=rate)
    if channels:
        builder.add_animation(channels, world.name or "world")
    builder.save(path)


def add_world(
    builder: GltfBuilder, world: World, start: float, end: float, *, rate: float
) -> list[Channel]:
    """Adds every body as a node; returns what moves them, from 0 s in the file."""
    surfaces = Surfaces(builder, plain=PLAIN)
    channels: list[Channel] = []
    for body in world:
        mesh = surfaces.mesh(body, body.mesh.name or body.name)
        channels += _add_body(builder, body, mesh, start, end, rate)
    return channels


def _add_body(
    builder: GltfBuilder, body: Body, mesh: int, start: float, end: float, rate: float
) -> list[Channel]:
    tags: dict[str, Any] = {**body.tags, **({} if body.solid else {SOLID_TAG: False})}
    pose = body.trajectory.pose(start)
    keys: tuple[Keys, Keys] | None = None
    if body.trajectory.moving and not isinstance(body.trajectory, Static):
        keys = trajectory_keys(body.trajectory, start, end, rate)
        if max(len(part.times) for part in keys) > 1:
            # Read again, the motion rests after its last key, as it does in viewers.
            tags[REPEAT_TAG] = "once"
    node = builder.add_node(
        body.name,
        translation=axes.y_up(pose.position),
        rotation=axes.y_up_rotations(pose.rotation),
        mesh=mesh,
        extras=tags or None,
    )
    return [] if keys is None else channels_of(node, *keys, start)
