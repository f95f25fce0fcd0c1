"""Channels of a glTF animation at any times, and all nodes' frames at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from surefoot.arrays import Floats
from surefoot.gltf import Animation, Channel, Gltf
from surefoot.math import rotations


def values_at(channel: Channel, times: Floats) -> Floats:
    """The channel's values `(k, ...)` at times `(k,)` [s]; it holds still outside its keys."""
    keys, values = channel.times, channel.values
    if len(keys) == 1:
        return np.repeat(values, len(times), axis=0)
    at = np.clip(times, keys[0], keys[-1])
    before = np.clip(np.searchsorted(keys, at, side="right") - 1, 0, len(keys) - 2)
    span = keys[before + 1] - keys[before]
    share = (at - keys[before]) / span
    if channel.interpolation == "step":
        return values[np.where(share >= 1.0, before + 1, before)]
    first, second = values[before], values[before + 1]
    if channel.interpolation == "cubic" and channel.tangents is not None:
        into, out = channel.tangents
        s, length = share[:, None], span[:, None]
        # The Hermite spline of the glTF specification, appendix C.5.
        mixed = (
            (2 * s**3 - 3 * s**2 + 1) * first
            + (s**3 - 2 * s**2 + s) * length * out[before]
            + (3 * s**2 - 2 * s**3) * second
            + (s**3 - s**2) * length * into[before + 1]
        )
        return _unit_or(mixed, first) if channel.path == "rotation" else mixed
    if channel.path == "rotation":
        return rotations.slerp(first, second, share)
    return first + (second - first) * share[:, None]


def _unit_or(quaternions: Floats, otherwise: Floats) -> Floats:
    """Unit quaternions; where a spline passes through zero, others."""
    sizes = np.linalg.norm(quaternions, axis=-1, keepdims=True)
    return np.where(sizes > 1e-6, quaternions / np.maximum(sizes, 1e-12), otherwise)


def global_frames(
    gltf: Gltf, animation: Animation, nodes: Iterable[int], times: Floats
) -> Mapping[int, Floats]:
    """Frames `(k, 4, 4)` in the scene of `nodes`, parents before children, and those above them."""
    channels = {(channel.node, channel.path): channel for channel in animation.channels}
    frames: dict[int, Floats] = {}
    for node in nodes:
        local = _local_frames(gltf, channels, node, times)
        parent = gltf.nodes[node].parent
        frames[node] = local if parent is None else frames[parent] @ local
    return frames


def _local_frames(
    gltf: Gltf, channels: Mapping[tuple[int, str], Channel], node: int, times: Floats
) -> Floats:
    at_rest = gltf.nodes[node]

    def value(path: str, rest: Floats) -> Floats:
        channel = channels.get((node, path))
        return np.tile(rest, (len(times), 1)) if channel is None else values_at(channel, times)

    frames = np.zeros((len(times), 4, 4))
    turned = rotations.to_matrix(value("rotation", at_rest.rotation))
    frames[:, :3, :3] = turned * value("scale", at_rest.scale)[:, None, :]
    frames[:, :3, 3] = value("translation", at_rest.translation)
    frames[:, 3, 3] = 1.0
    return frames
