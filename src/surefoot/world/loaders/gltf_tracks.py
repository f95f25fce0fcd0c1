"""Which animations of a glTF file move a world, and what they keep constant."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np

from surefoot.arrays import Floats
from surefoot.errors import FileError, InputError, one_of
from surefoot.gltf import Animation, Channel, Gltf
from surefoot.world.loaders.axes import Axes
from surefoot.world.loaders.gltf_frames import Track
from surefoot.world.loaders.parts import Skipped

Target: TypeAlias = tuple[int, str]
"""A node and the property of it that a channel changes."""

# Single-precision noise of baked keys: what changes less than this [m, or none] rests.
_STILL = 1e-6
# Scales within this ratio of each other count as constant.
_STILL_SCALE = 1e-4


@dataclass(frozen=True, eq=False)
class Tracks:
    """What animations do to the nodes of a world.

    Attributes:
        moving: Translations and rotations that change, in the world's axes.
        constant: Values that an animation states, but does not change, in the file's axes.
        start: The world's time at the file's time 0 [s].
    """

    moving: dict[Target, Track] = field(default_factory=dict[Target, Track])
    constant: dict[Target, Floats] = field(default_factory=dict[Target, Floats])
    start: float = 0.0


def choose_tracks(
    gltf: Gltf,
    chains: set[int],
    carriers: set[int],
    axes: Axes,
    animation: str | None,
    *,
    start: float,
) -> tuple[Tracks, list[Skipped]]:
    """The tracks of all animations together, or of one.

    Together means: in the file's order, an animation counts if none before it moves a node that
    it moves; one that does not is skipped as a whole, as half of a motion makes no sense.

    Args:
        gltf: The file.
        chains: The nodes that carry rigid meshes, and all above them.
        carriers: Those that carry meshes.
        axes: Those of the file.
        animation: The name of the one to take; all when None.
        start: The world's time at the file's time 0 [s].
    """
    tracks = Tracks(start=start)
    skipped: list[Skipped] = []
    owners: dict[Target, str] = {}
    for candidate in _candidates(gltf, animation):
        channels = _effective(gltf, candidate, chains, carriers)
        clash = next((owners[target] for target in channels if target in owners), None)
        if clash is not None:
            reason = f"moves nodes that {clash!r} moves already; choose it with animation="
            skipped.append(Skipped("animation", candidate.name, reason))
            continue
        for target, channel in channels.items():
            owners[target] = candidate.name
            value = constant_value(channel)
            if value is not None:
                tracks.constant[target] = value
            elif channel.path in ("translation", "rotation"):
                span = (start, start + candidate.duration)
                tracks.moving[target] = Track(_in_world(channel, axes, start), span)
            else:
                what = "scale" if channel.path == "scale" else "shape (morph weights)"
                raise FileError(
                    f"{gltf.path}: {gltf.label(channel.node)}: animation {candidate.name!r} "
                    f"changes its {what}; bodies of a world are rigid"
                )
    return tracks, skipped


def find_animated(gltf: Gltf, nodes: set[int], animation: str | None) -> set[int]:
    """Those of the nodes that an animation shifts, turns or scales; see `choose_tracks`."""
    return {
        node
        for candidate in _candidates(gltf, animation)
        for node, _ in _effective(gltf, candidate, nodes, set())
    }


def _candidates(gltf: Gltf, name: str | None) -> tuple[Animation, ...]:
    if name is None:
        return gltf.animations
    for animation in gltf.animations:
        if animation.name == name:
            return (animation,)
    known = [animation.name for animation in gltf.animations]
    raise InputError(f"{gltf.path}: {one_of('animation', name, known)}")


def _effective(
    gltf: Gltf, animation: Animation, chains: set[int], carriers: set[int]
) -> dict[Target, Channel]:
    """The channels that make a difference to rigid meshes."""
    result: dict[Target, Channel] = {}
    for channel in animation.channels:
        node = gltf.nodes[channel.node]
        if channel.node not in (carriers if channel.path == "weights" else chains):
            continue
        if channel.path == "weights":
            mesh = gltf.meshes[node.mesh or 0]
            if channel.values.shape[1] != len(mesh.weights):
                raise FileError(
                    f"{gltf.path}: {gltf.label(node.index)}: animation {animation.name!r} has "
                    f"{channel.values.shape[1]} morph weights, its mesh {len(mesh.weights)}"
                )
            rest = mesh.weights if node.weights is None else node.weights
        else:
            rest: Floats = getattr(node, channel.path)
        value = constant_value(channel)
        if (
            value is not None
            and rest.shape == value.shape
            and _near(value[None], rest, channel.path)
        ):
            continue  # baked, but the same as without it
        result[channel.node, channel.path] = channel
    return result


def constant_value(channel: Channel) -> Floats | None:
    """The value of a channel that never changes it; None for one that does."""
    if channel.tangents is not None and max(np.abs(t).max() for t in channel.tangents) > _STILL:
        return None
    return channel.values[0] if _near(channel.values, channel.values[0], channel.path) else None


def _near(values: Floats, value: Floats, path: str) -> bool:
    if not value.size:
        return True
    if path == "rotation":  # a quaternion and its opposite are the same rotation
        dots = values @ value
        values = np.where(dots[:, None] < 0, -values, values)
    tolerance = _STILL * max(1.0, float(np.abs(value).max()))
    if path == "scale":
        tolerance = _STILL_SCALE * float(np.abs(value).max())
    return bool(np.abs(values - value).max() <= tolerance)


def _in_world(channel: Channel, axes: Axes, start: float) -> Channel:
    convert = axes.vectors if channel.path == "translation" else axes.rotations
    tangents = None
    if channel.tangents is not None:
        tangents = convert(channel.tangents[0]), convert(channel.tangents[1])
    return replace(
        channel, times=channel.times + start, values=convert(channel.values), tangents=tangents
    )
