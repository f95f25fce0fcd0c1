"""Reading nodes and scenes: transforms, and a hierarchy without cycles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats
from surefoot.gltf.accessors import Accessors
from surefoot.gltf.fields import Field
from surefoot.gltf.model import Instances, Node, Scene

# How far the columns of a node's matrix may be from right angles (as cosine). Matrices
# multiplied together in single precision stay well inside.
_SHEAR = 1e-3


@dataclass(frozen=True, kw_only=True)
class Counts:
    """How many things there are in the file for nodes to point at."""

    meshes: int
    skins: int
    cameras: int


def read_nodes(root: Field, counts: Counts, accessors: Accessors) -> tuple[Node, ...]:
    """All nodes, each with its parent."""
    fields = root.elements("nodes")
    children = [
        tuple(child.index(len(fields)) for child in field.elements("children")) for field in fields
    ]
    parents: list[int | None] = [None] * len(fields)
    for index, below in enumerate(children):
        for place, child in enumerate(below):
            if parents[child] is not None:
                raise (
                    fields[index]
                    .elements("children")[place]
                    .error(f"node {child} is a child of nodes[{parents[child]}] already")
                )
            parents[child] = index
    return tuple(
        _read_node(field, index, parents[index], children[index], counts, accessors)
        for index, field in enumerate(fields)
    )


def hierarchy_order(root: Field, nodes: tuple[Node, ...]) -> tuple[int, ...]:
    """Every node's index, parents before children; an error when nodes go round in a circle."""
    order = [node.index for node in nodes if node.parent is None]
    for index in order:  # grows while it is walked: no recursion, however deep the tree
        order.extend(nodes[index].children)
    if len(order) < len(nodes):
        stray = min(set(range(len(nodes))) - set(order))
        raise root.elements("nodes")[stray].error("is its own ancestor: its parents form a cycle")
    return tuple(order)


def read_scenes(root: Field, nodes: tuple[Node, ...]) -> tuple[tuple[Scene, ...], Scene]:
    """All scenes, and the one to show."""
    scenes: list[Scene] = []
    for field in root.elements("scenes"):
        roots: list[int] = []
        for item in field.elements("nodes"):
            index = item.index(len(nodes))
            parent = nodes[index].parent
            if parent is not None:
                raise item.error(f"node {index} is no root, but a child of nodes[{parent}]")
            if index in roots:
                raise item.error(f"node {index} is listed twice")
            roots.append(index)
        scenes.append(Scene(name=field.text("name"), nodes=tuple(roots), extras=field.extras()))
    shown = root.optional_index("scene", len(scenes))
    if shown is not None:
        return tuple(scenes), scenes[shown]
    if scenes:
        return tuple(scenes), scenes[0]
    everything = tuple(node.index for node in nodes if node.parent is None)
    return (), Scene(name="", nodes=everything)


def unit_quaternions(values: Floats, field: Field) -> Floats:
    """Quaternions xyzw `(..., 4)` of the file as unit quaternions wxyz."""
    with np.errstate(over="ignore"):
        length = np.linalg.norm(values, axis=-1, keepdims=True)
    if (length < 1e-6).any():
        raise field.error("has a quaternion of length zero, which is no rotation")
    if (length > 1e6).any():
        raise field.error("has a quaternion longer than a million, which is no rotation")
    # A quaternion that is unit as far as single precision can tell stays as it is.
    length = np.where(np.abs(length - 1.0) < 1e-15, 1.0, length)
    result = np.roll(values / length, 1, axis=-1)
    result.flags.writeable = False
    return result


def _read_node(
    field: Field,
    index: int,
    parent: int | None,
    children: tuple[int, ...],
    counts: Counts,
    accessors: Accessors,
) -> Node:
    translation, rotation, scale = _transform(field)
    weights = field.get("weights")
    return Node(
        index=index,
        name=field.text("name"),
        parent=parent,
        children=children,
        translation=_constant(translation),
        rotation=_constant(rotation),
        scale=_constant(scale),
        weights=None if weights is None else _constant(weights.numbers()),
        mesh=field.optional_index("mesh", counts.meshes),
        skin=field.optional_index("skin", counts.skins),
        camera=field.optional_index("camera", counts.cameras),
        instances=_instances(field, accessors),
        extras=field.extras(),
    )


def _constant(array: Floats) -> Floats:
    array.flags.writeable = False
    return array


def _transform(field: Field) -> tuple[Floats, Floats, Floats]:
    """Translation, rotation wxyz and scale of a node."""
    matrix = field.get("matrix")
    if matrix is not None:
        for key in ("translation", "rotation", "scale"):
            if field.get(key) is not None:
                raise field.error(f"has both matrix and {key}, which exclude each other")
        return _decompose(matrix)
    translation, rotation, scale = (field.get(key) for key in ("translation", "rotation", "scale"))
    return (
        np.zeros(3) if translation is None else translation.numbers(3),
        np.array([1.0, 0, 0, 0])
        if rotation is None
        else unit_quaternions(rotation.numbers(4), rotation),
        np.ones(3) if scale is None else scale.numbers(3),
    )


def _decompose(field: Field) -> tuple[Floats, Floats, Floats]:
    """Translation, rotation and scale of a matrix without shear; a mirror goes into x."""
    matrix = field.numbers(16).reshape(4, 4).T
    if np.abs(matrix[3] - [0.0, 0.0, 0.0, 1.0]).max() > 1e-6:
        raise field.error("its last row must be 0 0 0 1")
    # Overflow shows up below as a matrix that is no rotation.
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        scale = np.linalg.norm(matrix[:3, :3], axis=0)
        if scale.min() < 1e-30:
            raise field.error("is singular: it has a column of zeros")
        turned = matrix[:3, :3] / scale
        if not np.abs(turned.T @ turned - np.eye(3)).max() <= _SHEAR:
            raise field.error("has shear: it is no translation, rotation and scale")
    if np.linalg.det(turned) < 0:
        scale[0] *= -1.0
        turned[:, 0] *= -1.0
    return matrix[:3, 3].copy(), _nearest_quaternion(turned), scale


def _nearest_quaternion(matrix: Floats) -> Floats:
    """The unit quaternion wxyz whose rotation is nearest to a 3x3 matrix."""
    # It maximises q' K q (Davenport's q-method), so it is K's largest eigenvector.
    skew = [
        matrix[2, 1] - matrix[1, 2],
        matrix[0, 2] - matrix[2, 0],
        matrix[1, 0] - matrix[0, 1],
    ]
    key = np.empty((4, 4))
    key[0, 0] = np.trace(matrix)
    key[0, 1:] = key[1:, 0] = skew
    key[1:, 1:] = matrix + matrix.T - np.trace(matrix) * np.eye(3)
    best = np.linalg.eigh(key)[1][:, -1]
    return best if best[0] >= 0 else -best


def _instances(field: Field, accessors: Accessors) -> Instances | None:
    extensions = field.get("extensions")
    extension = None if extensions is None else extensions.get("EXT_mesh_gpu_instancing")
    if extension is None:
        return None
    attributes = extension.require("attributes")
    arrays: dict[str, Floats] = {}
    for name, size in (("TRANSLATION", 3), ("ROTATION", 4), ("SCALE", 3)):
        item = attributes.get(name)
        if item is None:
            continue
        array = accessors.array(item.index(len(accessors)))
        if array.ndim != 2 or array.shape[1] != size:
            raise item.error(f"must point at VEC{size} elements")
        arrays[name] = array.astype(np.float64)
        if name == "ROTATION":
            arrays[name] = unit_quaternions(arrays[name], item)
    if not arrays:
        raise attributes.error("needs one or more of TRANSLATION, ROTATION, SCALE")
    count = len(next(iter(arrays.values())))
    if any(len(array) != count for array in arrays.values()):
        raise attributes.error("TRANSLATION, ROTATION and SCALE must have the same count")
    still = np.tile([1.0, 0, 0, 0], (count, 1))
    return Instances(
        translations=_constant(arrays.get("TRANSLATION", np.zeros((count, 3)))),
        rotations=_constant(arrays.get("ROTATION", still)),
        scales=_constant(arrays.get("SCALE", np.ones((count, 3)))),
    )
