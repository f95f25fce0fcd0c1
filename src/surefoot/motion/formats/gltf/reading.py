"""Reading the animations of a glTF file's skinned character as clips.

A node of glTF may be scaled, and sheared by the scales above it; a clip's joints only turn and
move. So joints are taken from where the nodes are in the world, which is what is seen: each
turned as its frame is, and moved against its parent where the file moves it.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from surefoot.arrays import Floats, number, samples
from surefoot.character import kinematics
from surefoot.character.humanoid import JOINTS
from surefoot.character.rig.mapping import likely_bones
from surefoot.character.rig.sizing import GLTF_UP
from surefoot.character.rig.tree import Tree, read_tree
from surefoot.character.skeleton import Skeleton
from surefoot.files import PathLike
from surefoot.gltf import Animation, Gltf, read_gltf
from surefoot.math import rotations
from surefoot.motion.bones import LEGS
from surefoot.motion.clip import Clip
from surefoot.motion.formats import frame_of_file as frame
from surefoot.motion.formats.gltf.sampling import global_frames

# Rates [1/s] that keys are resampled to, the lowest that has no fewer frames than keys.
_RATES = (30.0, 60.0, 120.0)
# What moves less [m] against its parent does not move: keys are in single precision.
_STILL = 1e-4


def read_gltf_clips(
    path: PathLike,
    *,
    scale: float | None = None,
    up: str | None = None,
    rate: float | None = None,
) -> list[Clip]:
    """The animations of the skinned character in a .gltf or .glb file; none if nothing is skinned.

    Args:
        path: the file; a clip has its name, and the animation's where there are several.
        scale: metres in one unit of the file; found from the length of the legs when not given.
        up: the file's upward axis as in `read_bvh`; "y" as glTF says, unless another axis is meant.
        rate: [1/s], > 0: frames a second; as many as there are keys when not given.

    Raises:
        FileError: the file cannot be read or is not valid.
    """
    file = Path(path)
    if rate is not None:
        rate = number(rate, "rate", above=0.0)
    gltf = read_gltf(file)
    tree = read_tree(gltf)
    if not gltf.skins or not any(tree.joints):
        return []
    bones, _ = likely_bones(tree, {}, GLTF_UP, LEGS)
    joints = _joints(tree, bones)
    clips: list[Clip] = []
    for number_of, animation in enumerate(gltf.animations):
        title = animation.name or str(number_of)
        name = file.stem if len(gltf.animations) == 1 else f"{file.stem}/{title}"
        if any(clip.name == name for clip in clips):
            name = f"{name}#{number_of}"
        clips.append(_clip(gltf, tree, bones, joints, animation, name, scale, up, rate))
    return clips


def _joints(tree: Tree, bones: dict[str, int]) -> list[int]:
    """Nodes of the tree that make the skeleton: what skins follow, and what holds it together."""
    followed = [node for node, joint in enumerate(tree.joints) if joint]
    # Files may hold several characters: the joints of the one whose limbs are known.
    trees = {tree.above(node)[-1] for node in (bones.values() or followed)}
    followed = [node for node in followed if tree.above(node)[-1] in trees]
    root = tree.meeting(followed)
    inside = {node for joint in followed for node in tree.above(joint)}
    if root < 0:
        # Joints without a common node above them: those of the first tree.
        first = tree.above(followed[0])[-1]
        inside = {node for node in inside if tree.above(node)[-1] == first}
        root = first
    return [node for node in sorted(inside) if root in tree.above(node)]


def _clip(
    gltf: Gltf,
    tree: Tree,
    bones: dict[str, int],
    joints: list[int],
    animation: Animation,
    name: str,
    scale: float | None,
    up: str | None,
    rate: float | None,
) -> Clip:
    times, sampled_at = _times(animation, rate)
    above = [
        gltf_node for node in _with_parents(tree, joints) for gltf_node in [tree.indices[node]]
    ]
    frames = global_frames(gltf, animation, above, times)
    matrices = np.stack([frames[tree.indices[node]] for node in joints], axis=1)
    positions, world = matrices[..., :3, 3], _turns(matrices)
    index = {node: at for at, node in enumerate(joints)}
    known = {joint: index[bones[joint]] for joint in JOINTS if bones.get(joint) in index}
    notes: list[str] = []

    turn, said = _up(known, positions, tree.matrices[joints][:, :3, 3], up)
    notes += said
    if scale is not None:
        metres = frame.checked_scale(scale)
    else:
        leg = frame.leg_length(known, positions)
        metres, sized = (1.0, "") if leg is None else frame.metres_per_unit(leg, frame.MODELLED)
        notes += [sized] if sized else []

    upright = turn.rotation()
    at_rest = _turns(tree.matrices[joints])
    rest_places = turn.vectors(tree.matrices[joints][:, :3, 3]) * metres
    rest_world = rotations.multiply(upright, at_rest)
    positions = turn.vectors(positions) * metres
    world = rotations.multiply(upright, world)
    parents = tuple(index.get(tree.parents[node], -1) for node in joints)
    offsets = _inside(parents, rest_places[None], rest_world[None])[0]
    moved = _inside(parents, positions, world)
    shifts: dict[int, Floats] = {}
    for joint in range(1, len(joints)):
        if np.ptp(moved[:, joint], axis=0).max() > _STILL:
            shifts[joint] = moved[:, joint]
        elif np.abs(moved[0, joint] - offsets[joint]).max() > _STILL:
            offsets[joint] = moved[0, joint]
    return Clip(
        name=name,
        skeleton=Skeleton(
            joints=tuple(tree.names[node] for node in joints),
            parents=parents,
            offsets=offsets,
            rest_rotations=kinematics.to_local(parents, rest_world),
        ),
        rate=sampled_at,
        root=positions[:, 0],
        rotations=kinematics.to_local(parents, world),
        bones=known,
        shifts=shifts,
        notes=tuple(notes),
    )


def _times(animation: Animation, rate: float | None) -> tuple[Floats, float]:
    """Even times [s] over the keys of an animation, and how many there are a second."""
    first = min((float(c.times[0]) for c in animation.channels), default=0.0)
    span = max(animation.duration - first, 0.0)
    if rate is None:
        keys = max((len(channel.times) for channel in animation.channels), default=1)
        needed = (keys - 1) / span if span > 0 else 0.0
        rate = next((usual for usual in _RATES if usual >= 0.95 * needed), _RATES[-1])
    samples(span, rate, f"animation {animation.name!r}")
    return first + np.arange(int(np.floor(span * rate + 1e-6)) + 1) / rate, rate


def _with_parents(tree: Tree, joints: list[int]) -> list[int]:
    """Nodes and all above them, parents first."""
    return sorted({node for joint in joints for node in tree.above(joint)})


def _up(
    known: dict[str, int], positions: Floats, at_rest: Floats, up: str | None
) -> tuple[frame.Turn, list[str]]:
    """How the file's axes lie: Y up, unless both the skin and the motion stand along another."""
    if up is not None:
        return frame.Turn(up), []
    axis, sure = frame.upward(known, positions)
    bound, surer = frame.upward(known, at_rest[None])
    name = frame.axis_name(axis)
    if name == "y" or min(sure, surer) < 0.8 or not np.array_equal(axis, bound):
        return frame.Turn("y"), []
    return frame.Turn(name), [f"up is {name.upper()} of the file, not Y as glTF says"]


def _turns(matrices: Floats) -> Floats:
    """Rotations `(..., 4)` of frames `(..., 4, 4)` that may be scaled and sheared."""
    linear = matrices[..., :3, :3]
    # A mirrored frame has no rotation; turned inside out it has one, the same at all times.
    linear = linear * np.where(np.linalg.det(linear) < 0.0, -1.0, 1.0)[..., None, None]
    left, _, right = np.linalg.svd(linear)
    return rotations.from_matrix(left @ right)


def _inside(parents: tuple[int, ...], positions: Floats, world: Floats) -> Floats:
    """Joints `(n, joints, 3)` in their parents' frames; the root in the world."""
    above = np.array(parents[1:], dtype=np.intp)
    inside = positions.copy()
    apart = positions[:, 1:] - positions[:, above]
    inside[:, 1:] = rotations.rotate(rotations.inverse(world[:, above]), apart)
    return inside
