"""Reading meshes and materials; strips and fans become plain triangles."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from surefoot.arrays import Floats, Ints
from surefoot.gltf.accessors import Accessors, Array
from surefoot.gltf.buffers import Budget
from surefoot.gltf.fields import Field
from surefoot.gltf.model import Material, Mesh, Primitive, Topology

_TOPOLOGIES: Final[tuple[Topology, ...]] = ("points", "lines", "lines", "lines")
_TRIANGLES, _STRIP, _FAN = 4, 5, 6


def read_materials(root: Field) -> tuple[Material, ...]:
    """All materials, without their textures."""
    return tuple(_material(field) for field in root.elements("materials"))


def read_meshes(
    root: Field, accessors: Accessors, budget: Budget, materials: int
) -> tuple[Mesh, ...]:
    """All meshes, decoded."""
    meshes: list[Mesh] = []
    for field in root.elements("meshes"):
        primitives = tuple(
            _primitive(item, accessors, budget, materials)
            for item in field.require("primitives").items()
        )
        targets = len(primitives[0].morphs) if primitives else 0
        if any(len(primitive.morphs) != targets for primitive in primitives):
            raise field.require("primitives").error("must all have the same number of targets")
        stated = field.get("weights")
        weights = np.zeros(targets) if stated is None else stated.numbers(targets)
        weights.flags.writeable = False
        meshes.append(
            Mesh(
                name=field.text("name"),
                primitives=primitives,
                weights=weights,
                extras=field.extras(),
            )
        )
    return tuple(meshes)


def _material(field: Field) -> Material:
    surface = field.get("pbrMetallicRoughness") or Field(field.file, field.path, {})
    color = surface.get("baseColorFactor")
    rgba = [1.0] * 4 if color is None else [c.number(low=0, high=1) for c in color.items()]
    if color is not None and len(rgba) != 4:
        raise color.error(f"must be 4 numbers, got {len(rgba)}")
    metallic, roughness = surface.get("metallicFactor"), surface.get("roughnessFactor")
    return Material(
        name=field.text("name"),
        base_color=(rgba[0], rgba[1], rgba[2], rgba[3]),
        metallic=1.0 if metallic is None else metallic.number(low=0, high=1),
        roughness=1.0 if roughness is None else roughness.number(low=0, high=1),
        double_sided=field.flag("doubleSided"),
        extras=field.extras(),
    )


def _primitive(field: Field, accessors: Accessors, budget: Budget, materials: int) -> Primitive:
    attributes = field.require("attributes")
    mode = field.optional_integer("mode", _TRIANGLES)
    if mode > _FAN:
        raise field.require("mode").error(f"{mode} is unknown; there are: 0 to {_FAN}")
    position = attributes.get("POSITION")
    # The standard lets a primitive have no positions; nothing can be shown of it then.
    positions = np.zeros((0, 3)) if position is None else _vectors(position, accessors, budget, 3)
    count = len(positions)
    joints, weights = _influences(attributes, accessors, budget, count)
    return Primitive(
        topology="triangles" if mode >= _TRIANGLES else _TOPOLOGIES[mode],
        positions=positions,
        triangles=_triangles(field, accessors, budget, mode, count),
        normals=_optional(attributes, "NORMAL", accessors, budget, count),
        colors=_colors(attributes, accessors, budget, count),
        joints=joints,
        weights=weights,
        morphs=tuple(
            _morph(target, accessors, budget, count) for target in field.elements("targets")
        ),
        material=field.optional_index("material", materials),
        extras=field.extras(),
    )


def _triangles(field: Field, accessors: Accessors, budget: Budget, mode: int, count: int) -> Ints:
    """The vertex indices of the triangles, `(m, 3)`."""
    none = np.zeros((0, 3), np.int32)
    none.flags.writeable = False
    item = field.get("indices")
    if mode < _TRIANGLES or count == 0:
        return none
    if item is None:
        budget.spend(count * 36, field)
        corners: Array = np.arange(count)
    else:
        index = item.index(len(accessors))
        name, component, _ = accessors.kind(index)
        if name != "SCALAR" or component.kind != "u":
            raise item.error(f"accessors[{index}] must be unsigned integer scalars")
        corners = accessors.array(index)
        if int(corners.max()) >= count:
            worst = int(np.argmax(corners >= count))
            raise item.error(
                f"element {worst} of accessors[{index}] is {corners[worst]}, out of range: "
                f"the primitive has {count} vertices"
            )
        # Many primitives may share one long list of indices: what they unfold to counts.
        budget.spend(len(corners) * 36, item)
    corners = corners.astype(np.int32)
    if mode == _TRIANGLES:
        if len(corners) % 3:
            raise (item or field).error(f"{len(corners)} corners do not make whole triangles")
        faces = corners.reshape(-1, 3)
    elif len(corners) < 3:
        return none
    elif mode == _STRIP:
        faces = np.stack([corners[:-2], corners[1:-1], corners[2:]], axis=1)
        faces[1::2, 1:] = faces[1::2, :0:-1]  # every other triangle of a strip is turned round
    else:
        first = np.full(len(corners) - 2, corners[0])
        faces = np.stack([corners[1:-1], corners[2:], first], axis=1)
    faces = np.ascontiguousarray(faces, np.int32)
    faces.flags.writeable = False
    return faces


def _vectors(
    item: Field, accessors: Accessors, budget: Budget, *sizes: int, count: int | None = None
) -> Floats:
    """The accessor that `item` names, as float64 vectors of one of `sizes`."""
    index = item.index(len(accessors))
    array = accessors.array(index)
    if array.ndim != 2 or array.shape[1] not in sizes:
        wanted = " or ".join(f"VEC{size}" for size in sizes)
        raise item.error(f"accessors[{index}] must be {wanted}")
    if count is not None and len(array) != count:
        raise item.error(f"has {len(array)} elements, POSITION has {count}")
    budget.spend(array.size * 8, item)
    result = array.astype(np.float64)
    result.flags.writeable = False
    return result


def _optional(
    attributes: Field, name: str, accessors: Accessors, budget: Budget, count: int
) -> Floats | None:
    item = attributes.get(name)
    return None if item is None else _vectors(item, accessors, budget, 3, count=count)


def _colors(attributes: Field, accessors: Accessors, budget: Budget, count: int) -> Floats | None:
    item = attributes.get("COLOR_0")
    if item is None:
        return None
    colors = _vectors(item, accessors, budget, 3, 4, count=count)
    if colors.shape[1] == 3:
        colors = np.concatenate([colors, np.ones((count, 1))], axis=1)
    colors.flags.writeable = False
    return colors


def _influences(
    attributes: Field, accessors: Accessors, budget: Budget, count: int
) -> tuple[Ints | None, Floats | None]:
    """Joint indices and weights, all sets side by side."""
    joints: list[Any] = []
    weights: list[Floats] = []
    while (item := attributes.get(f"JOINTS_{len(joints)}")) is not None:
        _, component, normalized = accessors.kind(item.index(len(accessors)))
        if component.kind != "u" or normalized:
            raise item.error("must point at unsigned integers")
        partner = attributes.require(f"WEIGHTS_{len(joints)}")
        joints.append(_vectors(item, accessors, budget, 4, count=count).astype(np.int32))
        weights.append(_vectors(partner, accessors, budget, 4, count=count))
    if not joints:
        return None, None
    all_joints, all_weights = np.concatenate(joints, axis=1), np.concatenate(weights, axis=1)
    all_joints.flags.writeable = all_weights.flags.writeable = False
    return all_joints, all_weights


def _morph(target: Field, accessors: Accessors, budget: Budget, count: int) -> Floats:
    shift = _optional(target, "POSITION", accessors, budget, count)
    if shift is None:
        budget.spend(count * 24, target)
        shift = np.zeros((count, 3))
        shift.flags.writeable = False
    return shift
