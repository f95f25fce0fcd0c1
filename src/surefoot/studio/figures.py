"""Characters as a browser bends them: parts of one colour that follow bones.

A bone here only turns and moves (rigs may also scale): what it does is how it takes the skin from
the rest pose to where it is. At rest every bone is at its joint, unturned.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats, Ints, interpolate
from surefoot.character import Character, Part, Skin, kinematics, retarget
from surefoot.math import rotations
from surefoot.studio.surfaces import Rgb, screen_color


@dataclass(frozen=True, eq=False)
class FigurePart:
    """The surface of one colour.

    Attributes:
        name: such as "shoes".
        color: of the screen.
        vertices: `(v, 3)` [m], at rest.
        faces: `(m, 3)`.
        bones: `(k,)` indices of the bones that it follows.
        weights: `(v, k)` how much it follows each.
    """

    name: str
    color: Rgb
    vertices: Floats
    faces: Ints
    bones: Ints
    weights: Floats


@dataclass(frozen=True, eq=False)
class Figure:
    """A character in motion.

    Attributes:
        name: who.
        parts: the surface.
        rest: `(b, 3)` [m], the bones at rest.
        times: `(n,)` [s], increasing.
        positions: `(n, b, 3)` [m], the bones in the world.
        rotations: `(n, b, 4)`.
        root: `(n, 3)` [m], the pelvis in the world.
    """

    name: str
    parts: tuple[FigurePart, ...]
    rest: Floats
    times: Floats
    positions: Floats
    rotations: Floats
    root: Floats

    def at(self, t: float) -> tuple[Floats, Floats]:
        """Positions `(b, 3)` [m] and rotations `(b, 4)` of the bones; the ends hold outside."""
        after = int(np.clip(np.searchsorted(self.times, t), 1, max(len(self.times) - 1, 1)))
        if len(self.times) == 1:
            return self.positions[0], self.rotations[0]
        first, second = self.times[after - 1], self.times[after]
        share = float(np.clip((t - first) / (second - first), 0.0, 1.0))
        positions = (1 - share) * self.positions[after - 1] + share * self.positions[after]
        before, later = self.rotations[after - 1], self.rotations[after]
        # Frames are so close that the straight way is as good as the arc.
        sign = np.where((before * later).sum(axis=-1, keepdims=True) < 0, -1.0, 1.0)
        return positions, rotations.normalize((1 - share) * before + share * sign * later)

    def centre(self, t: float) -> Floats:
        """`(3,)` [m]: the pelvis; the ends hold outside."""
        return interpolate(np.array([t]), self.times, self.root)[0]


def figure(
    character: Character, times: Floats, root: Floats, local_rotations: Floats, *, name: str = ""
) -> Figure:
    """A character in motion.

    Args:
        character: who.
        times: `(n,)` [s], increasing.
        root: `(n, 3)` [m], the pelvis in the world.
        local_rotations: `(n, joints, 4)` of the canonical joints.
        name: the character's when not given.
    """
    skin = character.skin
    moved = _frames(character, root, local_rotations) @ skin.binds
    rest = kinematics.inverses(skin.binds)[:, :3, 3]
    turned = moved[..., :3, :3]
    positions = np.einsum("...bij,bj->...bi", turned, rest) + moved[..., :3, 3]
    length = np.linalg.norm(turned, axis=-2, keepdims=True)
    return Figure(
        name=name or character.name,
        parts=tuple(_part(skin, part) for part in skin.parts if len(part.faces)),
        rest=rest,
        times=times,
        positions=positions,
        rotations=rotations.from_matrix(turned / np.maximum(length, 1e-12)),
        root=root,
    )


def _frames(character: Character, root: Floats, local_rotations: Floats) -> Floats:
    """`(n, b, 4, 4)`: the frames that the character's skin is bound to, in the world."""
    if character.rig is None:
        return kinematics.matrices(*character.skeleton.forward(root, local_rotations))
    pose = retarget(character.rig, character.skeleton, character.measures, root, local_rotations)
    return character.rig.matrices(pose.rotations, pose.translations)


def _part(skin: Skin, part: Part) -> FigurePart:
    used = np.unique(part.faces)
    # Vertices that differ only in what a browser does not get, such as texture coordinates, are
    # one again, so that the surface looks round across them.
    looks = np.concatenate([skin.vertices[used], skin.normals[used]], axis=1).round(5)
    _, first, same = np.unique(looks, axis=0, return_index=True, return_inverse=True)
    kept = used[first]
    index = np.zeros(len(skin.vertices), dtype=np.int32)
    index[used] = same.reshape(-1)
    dense = np.zeros((len(kept), len(skin.binds)))
    np.add.at(dense, (np.arange(len(kept))[:, None], skin.joints[kept]), skin.weights[kept])
    bones = np.flatnonzero(dense.any(axis=0)).astype(np.int32)
    return FigurePart(
        name=part.name,
        color=screen_color(part.color),
        vertices=skin.vertices[kept],
        faces=index[part.faces],
        bones=bones,
        weights=dense[:, bones],
    )
