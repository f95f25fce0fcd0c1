"""The surface of a rig: all meshes of its file, bound to its nodes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats, Ints
from surefoot.character.kinematics import inverses
from surefoot.character.rig.sizing import Cloud
from surefoot.character.rig.tree import Tree
from surefoot.character.skin import Color, Part, Skin, vertex_normals
from surefoot.gltf import Gltf, Node, Primitive

_PLAIN: Color = (0.8, 0.8, 0.8)


@dataclass(frozen=True, eq=False)
class Piece:
    """One primitive of the file, in the bind pose, in the file's axes.

    Attributes:
        vertices: `(v, 3)`.
        normals: `(v, 3)`.
        faces: `(m, 3)`.
        nodes: `(v, 4)` nodes of the tree.
        weights: `(v, 4)`.
        material: index into the file's materials, or None.
    """

    vertices: Floats
    normals: Floats
    faces: Ints
    nodes: Ints
    weights: Floats
    material: int | None


def read_pieces(gltf: Gltf, tree: Tree) -> list[Piece]:
    """All triangles of the file that are shown, with the nodes they follow."""
    place = {index: at for at, index in enumerate(tree.indices)}
    pieces: list[Piece] = []
    for at, index in enumerate(tree.indices):
        node = gltf.nodes[index]
        if node.mesh is None:
            continue
        for primitive in gltf.meshes[node.mesh].primitives:
            if not len(primitive.triangles):
                continue
            nodes, weights, frames = _influences(gltf, tree, place, node, at, primitive)
            pieces.append(_piece(primitive, nodes, weights, frames))
    return pieces


def _influences(
    gltf: Gltf, tree: Tree, place: dict[int, int], node: Node, at: int, primitive: Primitive
) -> tuple[Ints, Floats, Floats]:
    """Nodes `(v, 4)` and weights `(v, 4)` of vertices, and the frame `(n, 4, 4)` by each node."""
    count = len(primitive.positions)
    skinned = node.skin is not None and primitive.joints is not None
    if not skinned or primitive.weights is None or primitive.joints is None or node.skin is None:
        nodes = np.full((count, 4), at, dtype=np.int32)
        return nodes, np.tile([1.0, 0.0, 0.0, 0.0], (count, 1)), tree.matrices
    skin = gltf.skins[node.skin]
    frames = tree.matrices.copy()
    joints = np.array([place.get(joint, at) for joint in skin.joints], dtype=np.int32)
    for joint, inverse in zip(joints, skin.inverse_bind_matrices, strict=True):
        frames[joint] = tree.matrices[joint] @ inverse
    # Of more than four joints, the four that matter most.
    order = np.argsort(-primitive.weights, axis=1, kind="stable")[:, :4]
    weights = np.take_along_axis(primitive.weights, order, axis=1).astype(np.float64)
    nodes = joints[np.take_along_axis(primitive.joints, order, axis=1)]
    total = weights.sum(axis=1, keepdims=True)
    weights = np.where(total > 1e-6, weights / np.maximum(total, 1e-6), [1.0, 0.0, 0.0, 0.0])
    return nodes.astype(np.int32), weights, frames


def _piece(primitive: Primitive, nodes: Ints, weights: Floats, frames: Floats) -> Piece:
    normals = primitive.normals
    if normals is None:
        normals = vertex_normals(primitive.positions, primitive.triangles)
    blended = np.einsum("vk,vkij->vij", weights, frames[nodes])
    vertices = np.einsum("vij,vj->vi", blended[:, :3, :3], primitive.positions)
    turned = np.einsum("vij,vj->vi", blended[:, :3, :3], normals)
    return Piece(
        vertices=vertices + blended[:, :3, 3],
        normals=turned / np.maximum(np.linalg.norm(turned, axis=1, keepdims=True), 1e-12),
        faces=primitive.triangles,
        nodes=nodes,
        weights=weights,
        material=primitive.material,
    )


def cloud_of(pieces: list[Piece]) -> Cloud:
    """The vertices of all pieces, each with the node it follows most."""
    if not pieces:
        return Cloud(np.empty((0, 3)), np.empty(0, dtype=np.int32))
    main = [
        np.take_along_axis(piece.nodes, piece.weights.argmax(axis=1)[:, None], axis=1)[:, 0]
        for piece in pieces
    ]
    return Cloud(np.concatenate([piece.vertices for piece in pieces]), np.concatenate(main))


def skin_of(gltf: Gltf, pieces: list[Piece], matrices: Floats, frame: Floats) -> Skin:
    """The pieces as one skin in surefoot's axes.

    Args:
        gltf: the file, for its materials.
        pieces: in the file's axes.
        matrices: `(n, 4, 4)` of the nodes at rest, in surefoot's axes.
        frame: `(4, 4)`, from the file's axes into surefoot's.
    """
    size = np.cbrt(np.linalg.det(frame[:3, :3]))
    by_material: dict[int | None, list[Ints]] = {}
    start = 0
    for piece in pieces:
        by_material.setdefault(piece.material, []).append(piece.faces + np.int32(start))
        start += len(piece.vertices)
    parts: list[Part] = []
    for number, faces in by_material.items():
        color, name = _PLAIN, "surface"
        if number is not None:
            material = gltf.materials[number]
            color, name = material.base_color[:3], material.name or f"material{number}"
        parts.append(Part(name, color, np.concatenate(faces)))
    vertices = np.concatenate([np.empty((0, 3)), *(piece.vertices for piece in pieces)])
    normals = np.concatenate([np.empty((0, 3)), *(piece.normals for piece in pieces)])
    nodes = [np.empty((0, 4), dtype=np.int32), *(piece.nodes for piece in pieces)]
    weights = [np.empty((0, 4)), *(piece.weights for piece in pieces)]
    return Skin(
        vertices=vertices @ frame[:3, :3].T + frame[:3, 3],
        normals=normals @ frame[:3, :3].T / size,
        joints=np.concatenate(nodes),
        weights=np.concatenate(weights),
        binds=inverses(matrices),
        parts=tuple(parts),
    )
