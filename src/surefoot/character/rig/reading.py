"""Reading a rig from a glTF file: nodes, bones, size, measures and surface."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path

import numpy as np

from surefoot import arrays
from surefoot.arrays import Floats, frozen
from surefoot.character.measures import Measures
from surefoot.character.rig import sizing
from surefoot.character.rig.mapping import BoneMapping, find_bones, load_bones, refuse_animals
from surefoot.character.rig.rig import Rig
from surefoot.character.rig.surface import cloud_of, read_pieces, skin_of
from surefoot.character.rig.tree import Tree, decompose, read_tree
from surefoot.errors import CharacterError
from surefoot.gltf import read_gltf


def read_rig(
    path: Path,
    mapping: BoneMapping | Mapping[str, str] | str | PathLike[str] | None = None,
    *,
    height: float | None = None,
) -> tuple[Rig, Measures]:
    """The rig of a skinned humanoid in a glTF file, and its measures.

    Args:
        path: a .glb or .gltf file.
        mapping: bones not to be guessed: canonical joint names to node names, or a TOML file.
        height: [m], > 0; found from the file when not given.

    Raises:
        CharacterError: the bones are not those of a person.
    """
    gltf = read_gltf(path)
    tree = read_tree(gltf)
    if not tree.names:
        raise CharacterError(f"{path.name}: shows no nodes")
    if height is not None:
        height = arrays.length(height, "height", above=0.0, error=CharacterError)
    given = _given(mapping)
    bones, found = find_bones(tree, given, sizing.GLTF_UP, path.name)
    refuse_animals(tree, bones, sizing.upward(tree, bones), path.name)
    pieces = read_pieces(gltf, tree)
    cloud = cloud_of(pieces)
    notes: list[str] = []
    if sizing.facing_is_reversed(tree, bones, cloud) and not given:
        bones, found = _swapped(bones), _swapped_mapping(found)
        notes.append("left and right were exchanged: the feet point the other way")
    if "left_toe" in bones and not sizing.toes_bend(tree, bones, cloud):
        bones, found = _without_toes(bones), found.without("left_toe", "right_toe")
        notes.append("the toe bones lie where no toes bend; the feet are rigid")
    frame, said = sizing.frame_of(tree, bones, cloud, height)
    measures = sizing.measure(tree, bones, cloud, frame)
    translations, rotations, scales = decompose(_local(tree))
    rig = Rig(
        path=path,
        names=tree.names,
        nodes=tree.indices,
        parents=tree.parents,
        translations=frozen(translations),
        rotations=frozen(rotations),
        scales=frozen(scales),
        frame=frozen(frame),
        bones=bones,
        mapping=found,
        skin=skin_of(gltf, pieces, frame @ tree.matrices, frame),
        notes=(*notes, *said),
    )
    _refuse_uneven(rig)
    return rig, measures


def _given(mapping: BoneMapping | Mapping[str, str] | str | PathLike[str] | None) -> dict[str, str]:
    if mapping is None:
        return {}
    if isinstance(mapping, BoneMapping):
        return dict(mapping.bones)
    if isinstance(mapping, Mapping):
        return dict(mapping)
    return load_bones(mapping)


def _local(tree: Tree) -> Floats:
    """`(n, 4, 4)`: each node's frame in its parent's."""
    local = tree.matrices.copy()
    for node, parent in enumerate(tree.parents):
        if parent >= 0:
            local[node] = np.linalg.inv(tree.matrices[parent]) @ tree.matrices[node]
    return local


def _other(joint: str) -> str:
    for side, other in (("left_", "right_"), ("right_", "left_")):
        if joint.startswith(side):
            return other + joint[len(side) :]
    return joint


def _without_toes(bones: Mapping[str, int]) -> dict[str, int]:
    return {joint: node for joint, node in bones.items() if not joint.endswith("_toe")}


def _swapped(bones: Mapping[str, int]) -> dict[str, int]:
    return {joint: bones[_other(joint)] for joint in bones if _other(joint) in bones}


def _swapped_mapping(found: BoneMapping) -> BoneMapping:
    names = {
        joint: found.bones[_other(joint)] for joint in found.bones if _other(joint) in found.bones
    }
    return replace(found, bones=names)


def _refuse_uneven(rig: Rig) -> None:
    """An error for bones that are scaled more along one axis than along another."""
    matrices = rig.matrices()
    for joint, node in rig.bones.items():
        lengths = np.linalg.norm(matrices[node, :3, :3], axis=0)
        mirrored = np.linalg.det(matrices[node, :3, :3]) <= 0
        if mirrored or lengths.max() > 1.05 * lengths.min():
            raise CharacterError(
                f"{rig.path.name}: bone {rig.names[node]!r} ({joint}) is scaled unevenly or"
                " mirrored; apply the scale in your modelling tool and export again"
            )
