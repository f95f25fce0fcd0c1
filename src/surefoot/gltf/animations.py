"""Reading animations and skins."""

from __future__ import annotations

from typing import Final, cast, get_args

import numpy as np

from surefoot.arrays import Floats
from surefoot.gltf.accessors import Accessors
from surefoot.gltf.buffers import Budget
from surefoot.gltf.fields import Field
from surefoot.gltf.model import Animation, Channel, ChannelPath, Interpolation, Node, Skin
from surefoot.gltf.nodes import unit_quaternions

_INTERPOLATIONS: Final[dict[str, Interpolation]] = {
    "LINEAR": "linear",
    "STEP": "step",
    "CUBICSPLINE": "cubic",
}
_WIDTHS: Final[dict[str, int]] = {"translation": 3, "rotation": 4, "scale": 3}


def read_skins(root: Field, nodes: int, accessors: Accessors) -> tuple[Skin, ...]:
    """All skins."""
    skins: list[Skin] = []
    for field in root.elements("skins"):
        joints = tuple(item.index(nodes) for item in field.require("joints").items())
        if not joints:
            raise field.require("joints").error("must list one joint or more")
        matrices = np.tile(np.eye(4), (len(joints), 1, 1))
        item = field.get("inverseBindMatrices")
        if item is not None:
            array = accessors.array(item.index(len(accessors)))
            if array.shape[1:] != (4, 4) or len(array) < len(joints):
                raise item.error(
                    f"must point at MAT4 elements, one for each of {len(joints)} joints"
                )
            matrices = array[: len(joints)].astype(np.float64)
        matrices.flags.writeable = False
        skins.append(
            Skin(
                name=field.text("name"),
                joints=joints,
                inverse_bind_matrices=matrices,
                skeleton=field.optional_index("skeleton", nodes),
                extras=field.extras(),
            )
        )
    return tuple(skins)


def read_animations(
    root: Field, nodes: tuple[Node, ...], accessors: Accessors, budget: Budget
) -> tuple[Animation, ...]:
    """All animations, decoded."""
    animations: list[Animation] = []
    for index, field in enumerate(root.elements("animations")):
        samplers = list(field.require("samplers").items())
        channels: list[Channel] = []
        seen: set[tuple[int, str]] = set()
        for item in field.require("channels").items():
            channel = _channel(item, samplers, nodes, accessors, budget)
            if channel is None:
                continue
            if (channel.node, channel.path) in seen:
                raise item.error(f"{channel.path} of node {channel.node} has a channel already")
            seen.add((channel.node, channel.path))
            channels.append(channel)
        animations.append(
            Animation(
                name=field.text("name") or f"animation{index}",
                channels=tuple(channels),
                duration=max((float(channel.times[-1]) for channel in channels), default=0.0),
                extras=field.extras(),
            )
        )
    return tuple(animations)


def _channel(
    field: Field,
    samplers: list[Field],
    nodes: tuple[Node, ...],
    accessors: Accessors,
    budget: Budget,
) -> Channel | None:
    """One channel; None for one that an extension aims at something other than a node."""
    target = field.require("target")
    path = target.require("path")
    node = target.optional_index("node", len(nodes))
    if node is None or path.string() == "pointer":
        return None
    if path.string() not in get_args(ChannelPath):
        known = ", ".join(get_args(ChannelPath))
        raise path.error(f"{path.string()!r} is unknown; there are: {known}")
    place = field.require("sampler").integer()
    if place >= len(samplers):
        raise field.require("sampler").error(
            f"{place} is out of range, the animation has {len(samplers)}"
        )
    sampler = samplers[place]
    name = sampler.text("interpolation", "LINEAR")
    if name not in _INTERPOLATIONS:
        raise sampler.require("interpolation").error(
            f"{name!r} is unknown; there are: {', '.join(_INTERPOLATIONS)}"
        )
    times = _times(sampler.require("input"), accessors)
    return _keyed(
        node,
        cast(ChannelPath, path.string()),
        _INTERPOLATIONS[name],
        times,
        sampler.require("output"),
        accessors,
        budget,
    )


def _times(item: Field, accessors: Accessors) -> Floats:
    index = item.index(len(accessors))
    array = accessors.array(index)
    if array.ndim != 1:
        raise item.error(f"accessors[{index}] must be scalars")
    times = array.astype(np.float64)
    if times[0] < 0:
        raise item.error(f"key times must not be negative, the first is {times[0]:g}")
    back = np.flatnonzero(np.diff(times) <= 0)
    if len(back):
        key = int(back[0]) + 1
        pair = f"key {key} at {times[key]:g} s follows {times[key - 1]:g} s"
        raise item.error(f"key times must increase, but {pair}")
    times.flags.writeable = False
    return times


def _keyed(
    node: int,
    path: ChannelPath,
    interpolation: Interpolation,
    times: Floats,
    item: Field,
    accessors: Accessors,
    budget: Budget,
) -> Channel:
    """The channel whose values lie in the accessor `item`, after the shape has been checked."""
    array = accessors.array(item.index(len(accessors)))
    budget.spend(array.size * 8, item)
    keys = len(times) * (3 if interpolation == "cubic" else 1)
    if path in _WIDTHS:
        width = _WIDTHS[path]
        if array.ndim != 2 or array.shape[1] != width:
            raise item.error(f"must point at VEC{width} elements for {path}")
        if len(array) != keys:
            raise item.error(f"has {len(array)} elements, {keys} are needed for {len(times)} keys")
    else:
        # Morph weights come as scalars, as many for each key as there are targets.
        if array.ndim != 1 or len(array) % keys:
            raise item.error(f"must point at scalars, a multiple of {keys} for {len(times)} keys")
        width = len(array) // keys
    values = array.astype(np.float64).reshape(len(times), -1, width)
    tangents = None
    if interpolation == "cubic":
        slopes = values[:, 0], values[:, 2]
        if path == "rotation":
            slopes = np.roll(slopes[0], 1, axis=1), np.roll(slopes[1], 1, axis=1)
        tangents = _constant(slopes[0]), _constant(slopes[1])
    # Of the three values of a cubic key the middle one is where the curve passes.
    middle = values[:, values.shape[1] // 2]
    if path == "rotation":
        middle = unit_quaternions(middle, item)
    return Channel(
        node=node,
        path=path,
        times=times,
        values=_constant(middle),
        interpolation=interpolation,
        tangents=tangents,
    )


def _constant(array: Floats) -> Floats:
    array = np.ascontiguousarray(array)
    array.flags.writeable = False
    return array
