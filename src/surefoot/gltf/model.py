"""What a glTF file holds, as plain values.

Lengths, axes (Y up) and colours (linear) are the file's own; quaternions are wxyz, as
everywhere in surefoot. Arrays are read-only. `extras` is whatever JSON the file has there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np

from surefoot.arrays import Floats, Ints
from surefoot.errors import InputError
from surefoot.gltf.accessors import Accessors, Array

Interpolation: TypeAlias = Literal["linear", "step", "cubic"]
ChannelPath: TypeAlias = Literal["translation", "rotation", "scale", "weights"]
Topology: TypeAlias = Literal["triangles", "lines", "points"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Instances:
    """Copies of a node's mesh, each with its own pose (`EXT_mesh_gpu_instancing`).

    Attributes:
        translations: `(n, 3)`.
        rotations: `(n, 4)` unit quaternions wxyz.
        scales: `(n, 3)`.
    """

    translations: Floats
    rotations: Floats
    scales: Floats


@dataclass(frozen=True, eq=False, kw_only=True)
class Node:
    """A frame in the hierarchy: scaled, then rotated, then shifted, in its parent's frame.

    Attributes:
        index: Its place in `Gltf.nodes`.
        name: May be empty, and several nodes may share one.
        parent: Index of the node above; None for a root.
        children: Indices of the nodes below.
        translation: `(3,)`.
        rotation: `(4,)` unit quaternion wxyz.
        scale: `(3,)`; from a matrix that mirrors, its first number is negative.
        weights: `(k,)` weights of the mesh's morph targets, instead of the mesh's own.
        mesh: Index into `Gltf.meshes`.
        skin: Index into `Gltf.skins`.
        camera: Index of a camera.
        instances: Copies of the mesh, instead of one at the node itself.
    """

    index: int
    name: str
    parent: int | None
    children: tuple[int, ...]
    translation: Floats
    rotation: Floats
    scale: Floats
    weights: Floats | None = None
    mesh: int | None = None
    skin: int | None = None
    camera: int | None = None
    instances: Instances | None = None
    extras: Any = None

    @property
    def matrix(self) -> Floats:
        """`(4, 4)`: the node's frame in its parent's, for column vectors."""
        w, x, y, z = self.rotation
        result = np.eye(4)
        result[:3, :3] = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
        result[:3, :3] *= self.scale
        result[:3, 3] = self.translation
        return result


@dataclass(frozen=True, eq=False, kw_only=True)
class Material:
    """How a surface looks.

    Attributes:
        base_color: `(4,)` linear red, green, blue and opacity, 0..1.
        metallic: 0 (dielectric) .. 1 (metal).
        roughness: 0 (mirror) .. 1 (matt).
    """

    name: str
    base_color: tuple[float, float, float, float]
    metallic: float
    roughness: float
    double_sided: bool
    extras: Any = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Primitive:
    """One piece of a mesh: what shares a material.

    Attributes:
        positions: `(n, 3)`.
        triangles: `(m, 3)` indices into `positions`, counter-clockwise seen from outside.
        topology: `lines` and `points` have no triangles.
        normals: `(n, 3)`.
        colors: `(n, 4)` linear, with opacity.
        joints: `(n, 4 k)` indices into the joints of the node's skin.
        weights: `(n, 4 k)` of those joints.
        morphs: `(n, 3)` each: what a morph target of weight one adds to `positions`.
        material: Index into `Gltf.materials`.
    """

    positions: Floats
    triangles: Ints
    topology: Topology = "triangles"
    normals: Floats | None = None
    colors: Floats | None = None
    joints: Ints | None = None
    weights: Floats | None = None
    morphs: tuple[Floats, ...] = ()
    material: int | None = None
    extras: Any = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Mesh:
    """A named set of primitives; `weights` `(k,)` are those of its morph targets."""

    name: str
    primitives: tuple[Primitive, ...]
    weights: Floats
    extras: Any = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Skin:
    """Which nodes move the vertices of a skinned mesh.

    Attributes:
        joints: Node indices, in the order that `Primitive.joints` counts in.
        inverse_bind_matrices: `(joints, 4, 4)`, for column vectors: from the mesh into each
            joint's frame at the bind pose.
        skeleton: The node that all joints are below, where the file states one.
    """

    name: str
    joints: tuple[int, ...]
    inverse_bind_matrices: Floats
    skeleton: int | None = None
    extras: Any = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Channel:
    """How one property of one node changes; it holds still before the first key and after the last.

    Attributes:
        node: Index of the node that it moves.
        path: The property: `translation`, `rotation`, `scale` or `weights` (of morph targets).
        times: `(n,)` [s], increasing, from 0 on.
        values: `(n, 3)`; `(n, 4)` unit quaternions wxyz for `rotation`; `(n, k)` for `weights`.
        interpolation: Between keys; rotations turn the shortest way.
        tangents: For `cubic` the slopes into and out of each key [1/s], shaped as `values`.
    """

    node: int
    path: ChannelPath
    times: Floats
    values: Floats
    interpolation: Interpolation
    tangents: tuple[Floats, Floats] | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Animation:
    """Channels that play together; `duration` [s] ends with the last key of any of them."""

    name: str
    channels: tuple[Channel, ...]
    duration: float
    extras: Any = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Scene:
    """The root nodes to show together."""

    name: str
    nodes: tuple[int, ...]
    extras: Any = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Gltf:
    """A glTF 2.0 file, checked and decoded.

    Attributes:
        path: Where it was read from.
        scene: The scene to show; a file without scenes shows all its root nodes.
        order: Every node's index, parents before children.
        cameras: Their names.
        json: The whole JSON of the file, for what has no place here.
    """

    path: Path
    nodes: tuple[Node, ...]
    meshes: tuple[Mesh, ...]
    materials: tuple[Material, ...]
    skins: tuple[Skin, ...]
    animations: tuple[Animation, ...]
    scenes: tuple[Scene, ...]
    scene: Scene
    order: tuple[int, ...]
    cameras: tuple[str, ...]
    json: Mapping[str, Any]
    _accessors: Accessors = field(repr=False)

    def accessor(self, index: int) -> Array:
        """The elements of accessor `index`, for data that no attribute here holds.

        Returns:
            `(n,)`, `(n, k)` or `(n, rows, columns)`, in the stored number type, or float64 when
            its integers are normalised fractions.
        """
        if not 0 <= index < len(self._accessors):
            count = len(self._accessors)
            raise InputError(f"{self.path}: accessor {index} is out of range, the file has {count}")
        return self._accessors.array(index)

    def visible(self) -> tuple[int, ...]:
        """The nodes of the shown scene, parents before children."""
        shown = set(self.scene.nodes)
        for index in self.order:
            if self.nodes[index].parent in shown:
                shown.add(index)
        return tuple(index for index in self.order if index in shown)

    def global_matrices(self) -> Floats:
        """`(nodes, 4, 4)`: each node's frame in the scene's, at rest, for column vectors."""
        result = np.empty((len(self.nodes), 4, 4))
        for index in self.order:
            node = self.nodes[index]
            local = node.matrix
            result[index] = local if node.parent is None else result[node.parent] @ local
        return result

    def label(self, node: int) -> str:
        """A node for a message: `node 3 'lift'`."""
        name = self.nodes[node].name
        return f"node {node} {name!r}" if name else f"node {node}"
