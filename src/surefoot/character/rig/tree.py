"""The nodes of a glTF scene as a tree in its bind pose: what bones are looked for in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Bools, Floats
from surefoot.character.kinematics import inverses
from surefoot.gltf import Gltf
from surefoot.gltf import Skin as GltfSkin
from surefoot.math import rotations


@dataclass(frozen=True, eq=False, kw_only=True)
class Tree:
    """The shown nodes of a file, parents before children.

    Attributes:
        names: `n` names, made unique: of nodes that share a name the first joint keeps it, the
            others have `#` and their index in the file added.
        indices: `n` indices of the nodes in the file.
        parents: `n` indices into this tree; -1 for roots.
        joints: `n` flags: a skin follows this node.
        matrices: `(n, 4, 4)`: each node's frame in the scene's, in the bind pose.
    """

    names: tuple[str, ...]
    indices: tuple[int, ...]
    parents: tuple[int, ...]
    joints: tuple[bool, ...]
    matrices: Floats

    @property
    def positions(self) -> Floats:
        """`(n, 3)`: where the nodes are, in the file's axes and units."""
        return self.matrices[:, :3, 3]

    def children(self, node: int) -> list[int]:
        """The nodes right below one."""
        return [index for index, parent in enumerate(self.parents) if parent == node]

    def above(self, node: int) -> list[int]:
        """The nodes from one up to its root, itself first."""
        path = [node]
        while self.parents[path[-1]] >= 0:
            path.append(self.parents[path[-1]])
        return path

    def below(self, node: int) -> list[int]:
        """A node and all nodes below it, in order."""
        inside = {node}
        for index in range(node + 1, len(self.parents)):
            if self.parents[index] in inside:
                inside.add(index)
        return sorted(inside)

    def meeting(self, nodes: list[int]) -> int:
        """The lowest node that all of `nodes` are at or below; -1 if there is none."""
        paths = [self.above(node)[::-1] for node in nodes]
        meeting = -1
        for step in zip(*paths, strict=False):
            if len(set(step)) > 1:
                break
            meeting = step[0]
        return meeting


def read_tree(gltf: Gltf) -> Tree:
    """The shown nodes of a file, in the pose that its skins are bound in.

    Files often store the pose of some animation in their nodes. The bind pose, in which the
    surface was modelled, is the symmetric one, and the one that measures can be taken from.
    """
    shown = gltf.visible()
    place = {index: at for at, index in enumerate(shown)}
    joints = {joint for skin in gltf.skins for joint in skin.joints}
    parents = [gltf.nodes[index].parent for index in shown]
    return Tree(
        names=_unique_names(gltf, shown, joints),
        indices=shown,
        parents=tuple(-1 if parent is None else place[parent] for parent in parents),
        joints=tuple(index in joints for index in shown),
        matrices=_bind_pose(gltf)[list(shown)],
    )


def _unique_names(gltf: Gltf, shown: tuple[int, ...], joints: set[int]) -> tuple[str, ...]:
    taken: set[str] = set()
    names: dict[int, str] = {}
    for index in sorted(shown, key=lambda index: (index not in joints, index)):
        name = gltf.nodes[index].name
        if not name or name in taken:
            name = f"{name or 'node'}#{index}"
        taken.add(name)
        names[index] = name
    return tuple(names[index] for index in shown)


def _bind_pose(gltf: Gltf) -> Floats:
    """`(nodes, 4, 4)`: frames of all nodes, the joints of skins where they were bound."""
    stored = gltf.global_matrices()
    bound: dict[int, Floats] = {}
    # The skin with most joints decides about joints that several skins follow.
    for number in sorted(range(len(gltf.skins)), key=lambda k: -len(gltf.skins[k].joints)):
        skin = gltf.skins[number]
        origin = _bind_origin(gltf, number, stored)
        if origin is None:
            continue
        for joint, inverse in zip(skin.joints, skin.inverse_bind_matrices, strict=True):
            bound.setdefault(joint, origin @ inverses(inverse))
    if not bound:
        return stored
    result = np.empty_like(stored)
    for index in gltf.order:
        node = gltf.nodes[index]
        if index in bound:
            result[index] = bound[index]
        else:
            around = np.eye(4) if node.parent is None else result[node.parent]
            result[index] = around @ node.matrix
    return result


def _bind_origin(gltf: Gltf, number: int, stored: Floats) -> Floats | None:
    """Where the skin's mesh stands in the bind pose; None if the stored pose is that pose.

    Files do not say it. Were the nodes in the bind pose, every joint would agree on it. Else it
    is the frame, of those that exporters use, that is nearest to what the topmost joint says.
    """
    skin: GltfSkin = gltf.skins[number]
    inverses = skin.inverse_bind_matrices
    if (np.abs(np.linalg.det(inverses)) < 1e-30).any():
        return None
    said = stored[list(skin.joints)] @ inverses
    size = np.abs(np.linalg.inv(inverses)[:, :3, 3]).max() + 1e-9
    scale = np.abs(said[:, :3, :3]).max() + 1e-9
    spread = np.abs(said - said[:1])
    if spread[:, :3, :3].max() < 1e-3 * scale and spread[:, :3, 3].max() < 1e-3 * scale * size:
        return None
    top = min(range(len(skin.joints)), key=lambda at: gltf.order.index(skin.joints[at]))
    holders = [node.index for node in gltf.nodes if node.skin == number]
    frames = [*(stored[index] for index in holders), np.eye(4)]
    parent = gltf.nodes[skin.joints[top]].parent
    if parent is not None:
        frames.append(stored[parent])

    def distance(frame: Floats) -> float:
        apart = np.abs(frame - said[top])
        return float(apart[:3, :3].max() / scale + apart[:3, 3].max() / (scale * size))

    nearest = min(frames, key=distance)
    return nearest if distance(nearest) < 1.0 else said[top]


def decompose(matrices: Floats) -> tuple[Floats, Floats, Floats]:
    """Translations `(n, 3)`, rotations `(n, 4)` and scales `(n, 3)` of frames `(n, 4, 4)`."""
    lengths: Floats = np.linalg.norm(matrices[:, :3, :3], axis=1)
    flipped = np.linalg.det(matrices[:, :3, :3]) < 0
    first: Bools = np.array([True, False, False])
    scales: Floats = np.where(flipped[:, None] & first, -lengths, lengths)
    turned = matrices[:, :3, :3] / np.where(np.abs(scales) > 1e-30, scales, 1.0)[:, None, :]
    return matrices[:, :3, 3].copy(), rotations.from_matrix(turned), scales
