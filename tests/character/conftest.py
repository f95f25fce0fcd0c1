"""Poses, and rigs as other tools would write them, made from our own mannequin."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from surefoot.arrays import Floats
from surefoot.character import Character, adult, kinematics, legs
from surefoot.gltf import GltfBuilder, Primitive, axes
from surefoot.math import rotations

TRUNK = ("pelvis", "spine", "chest", "neck", "head")


def _two_sided(
    trunk: dict[str, str], limbs: dict[str, str], left: str, right: str
) -> dict[str, str]:
    names = dict(trunk)
    for bone, pattern in limbs.items():
        names[f"left_{bone}"] = pattern.replace("?", left)
        names[f"right_{bone}"] = pattern.replace("?", right)
    return names


STYLES: dict[str, dict[str, str]] = {
    "mixamo": _two_sided(
        {
            "pelvis": "mixamorig:Hips",
            "spine": "mixamorig:Spine",
            "chest": "mixamorig:Spine2",
            "neck": "mixamorig:Neck",
            "head": "mixamorig:Head",
        },
        {
            "shoulder": "mixamorig:?Shoulder",
            "upper_arm": "mixamorig:?Arm",
            "forearm": "mixamorig:?ForeArm",
            "hand": "mixamorig:?Hand",
            "thigh": "mixamorig:?UpLeg",
            "shin": "mixamorig:?Leg",
            "foot": "mixamorig:?Foot",
            "toe": "mixamorig:?ToeBase",
        },
        "Left",
        "Right",
    ),
    "vrm": _two_sided(
        {bone: f"J_Bip_C_{word}" for bone, word in zip(
            TRUNK, ("Hips", "Spine", "UpperChest", "Neck", "Head"), strict=True)},
        {
            "shoulder": "J_Bip_?_Shoulder",
            "upper_arm": "J_Bip_?_UpperArm",
            "forearm": "J_Bip_?_LowerArm",
            "hand": "J_Bip_?_Hand",
            "thigh": "J_Bip_?_UpperLeg",
            "shin": "J_Bip_?_LowerLeg",
            "foot": "J_Bip_?_Foot",
            "toe": "J_Bip_?_ToeBase",
        },
        "L",
        "R",
    ),
    "blender": _two_sided(
        {bone: bone for bone in TRUNK},
        {
            bone: f"{bone}.?"
            for bone in ("shoulder", "upper_arm", "forearm", "hand", "thigh", "shin", "foot", "toe")
        },
        "L",
        "R",
    ),
    "rigify": _two_sided(
        {bone: f"DEF-spine{end}" for bone, end in zip(
            TRUNK, ("", ".001", ".003", ".004", ".006"), strict=True)},
        {
            bone: f"DEF-{bone}.?"
            for bone in ("shoulder", "upper_arm", "forearm", "hand", "thigh", "shin", "foot", "toe")
        },
        "L",
        "R",
    ),
    "unreal": _two_sided(
        {"pelvis": "pelvis", "spine": "spine_01", "chest": "spine_03", "neck": "neck_01",
         "head": "head"},
        {
            "shoulder": "clavicle_?",
            "upper_arm": "upperarm_?",
            "forearm": "lowerarm_?",
            "hand": "hand_?",
            "thigh": "thigh_?",
            "shin": "calf_?",
            "foot": "foot_?",
            "toe": "ball_?",
        },
        "l",
        "r",
    ),
    "biped": _two_sided(
        {bone: f"Bip01 {bone.capitalize()}" for bone in TRUNK},
        {
            "shoulder": "Bip01 ? Clavicle",
            "upper_arm": "Bip01 ? UpperArm",
            "forearm": "Bip01 ? Forearm",
            "hand": "Bip01 ? Hand",
            "thigh": "Bip01 ? Thigh",
            "shin": "Bip01 ? Calf",
            "foot": "Bip01 ? Foot",
            "toe": "Bip01 ? Toe0",
        },
        "L",
        "R",
    ),
    "daz": _two_sided(
        {"pelvis": "hip", "spine": "abdomen", "chest": "chest", "neck": "neck", "head": "head"},
        {
            "shoulder": "?Collar",
            "upper_arm": "?Shldr",
            "forearm": "?ForeArm",
            "hand": "?Hand",
            "thigh": "?Thigh",
            "shin": "?Shin",
            "foot": "?Foot",
            "toe": "?Toe",
        },
        "l",
        "r",
    ),
    "smpl": _two_sided(
        {"pelvis": "Pelvis", "spine": "Spine1", "chest": "Spine3", "neck": "Neck", "head": "Head"},
        {
            "shoulder": "?_Collar",
            "upper_arm": "?_Shoulder",
            "forearm": "?_Elbow",
            "hand": "?_Wrist",
            "thigh": "?_Hip",
            "shin": "?_Knee",
            "foot": "?_Ankle",
            "toe": "?_Foot",
        },
        "L",
        "R",
    ),
}  # fmt: skip


def nameless() -> dict[str, str]:
    """Names that say nothing."""
    return {joint: f"Bone.{number:03d}" for number, joint in enumerate(adult().skeleton.joints)}


def arms_out(character: Character, angle: float) -> Floats:
    """Local rotations with the arms `angle` [rad] from the body: pi / 2 is a T pose."""
    local = character.skeleton.rest_rotations.copy()
    for side, sign in (("left", 1.0), ("right", -1.0)):
        local[character.skeleton.index(f"{side}_forearm")] = rotations.IDENTITY
        arm = character.skeleton.index(f"{side}_upper_arm")
        local[arm] = rotations.from_axis_angle([1.0, 0.0, 0.0], sign * angle)
    return local


def walking(character: Character, frames: int = 12) -> tuple[Floats, Floats]:
    """Poses with both feet placed: a stiff but fair walk, `(f, 3)` and `(f, n, 4)`."""
    skeleton, measures = character.skeleton, character.measures
    phase = 2 * np.pi * np.arange(frames) / frames
    long = measures.leg_length
    root = np.stack([0.3 * phase, 0.02 * np.sin(phase), 0.93 * long + 0 * phase], axis=-1)
    local = np.tile(skeleton.rest_rotations, (frames, 1, 1))
    local[:, 0] = rotations.from_yaw(0.3 + 0.1 * np.sin(phase))
    left = rotations.from_axis_angle([0.0, 1.0, 0.0], 0.5 * np.sin(phase))
    local[:, skeleton.index("left_upper_arm")] = left
    local[:, skeleton.index("right_upper_arm")] = rotations.inverse(left)
    local[:, skeleton.index("left_forearm")] = rotations.from_axis_angle([0.0, 1.0, 0.0], -0.6)
    sides = np.array([1.0, -1.0])
    swing = np.sin(phase[:, None]) * sides
    ankles = np.stack(
        [
            root[:, :1] + 0.25 * long * swing,
            np.broadcast_to(sides * 0.09, (frames, 2)),
            measures.ankle_height + 0.05 * np.maximum(np.cos(phase[:, None]) * sides, 0.0),
        ],
        axis=-1,
    )
    feet = rotations.multiply(
        rotations.from_yaw(np.full((frames, 2), 0.3)),
        rotations.from_axis_angle([0.0, 1.0, 0.0], 0.2 * swing),
    )
    return root, legs.place_feet(skeleton, root, local, ankles, feet)[0]


MakeRig = Callable[..., Path]


@pytest.fixture
def make_rig(tmp_path: Path) -> MakeRig:
    """A maker of glTF files with a skinned person: names, rest pose, units and axes as asked."""

    def make(
        names: dict[str, str],
        *,
        character: Character | None = None,
        arm_angle: float = np.pi / 2,
        unit: float = 1.0,
        seed: int = 1,
        posed: bool = False,
        lying: bool = False,
        without: tuple[str, ...] = (),
        armature_scale: tuple[float, float, float] = (1.0, 1.0, 1.0),
        surface: bool = True,
    ) -> Path:
        someone = character or adult()
        skeleton, random = someone.skeleton, np.random.default_rng(seed)
        bind = skeleton.forward(skeleton.offsets[0], arms_out(someone, arm_angle))
        vertices, normals = someone.skin.posed(kinematics.matrices(*bind))
        # Every tool has its own habit of laying a bone's axes: turn each at random.
        rolls = rotations.normalize(random.normal(size=(len(skeleton), 4)))
        # glTF people face +z, with y up; ours face +x, with z up.
        facing = rotations.from_yaw(-np.pi / 2)

        def outward(points: Floats) -> Floats:
            turned = rotations.rotate(facing, points) / unit
            return turned if lying else axes.y_up(turned)

        def outward_turns(turns: Floats) -> Floats:
            turned = rotations.multiply(facing, turns)
            if lying:
                return turned
            return rotations.multiply([np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0], turned)

        places, turns = outward(bind[0]), rotations.multiply(outward_turns(bind[1]), rolls)
        builder = GltfBuilder()
        # Exporters leave a scale on the armature; bones are stored in what it makes of metres.
        armature = builder.add_node("Armature", scale=armature_scale)
        stored = places / armature_scale[0]
        nodes: dict[str, int] = {}
        for index, joint in enumerate(skeleton.joints):
            if joint in without:
                continue
            parent = skeleton.parents[index]
            while parent >= 0 and skeleton.joints[parent] in without:
                parent = skeleton.parents[parent]
            around = rotations.IDENTITY if parent < 0 else turns[parent]
            origin = np.zeros(3) if parent < 0 else stored[parent]
            turn = rotations.multiply(rotations.inverse(around), turns[index])
            if posed:
                # The stored pose is a moment of some animation, not the bind pose.
                jolt = rotations.from_rotation_vector(random.normal(size=3) * 0.15)
                turn = rotations.multiply(turn, jolt)
            nodes[joint] = builder.add_node(
                names[joint],
                parent=armature if parent < 0 else nodes[skeleton.joints[parent]],
                translation=rotations.rotate(rotations.inverse(around), stored[index] - origin),
                rotation=turn,
            )
        for side in ("left", "right"):
            for extra, joint in (("twist", "thigh"), ("thumb1", "hand")):
                if f"{side}_{joint}" not in nodes:
                    continue
                builder.add_node(
                    f"{names[f'{side}_{joint}']}_{extra}", parent=nodes[f"{side}_{joint}"]
                )
        kept = [index for index, joint in enumerate(skeleton.joints) if joint in nodes]
        if not surface:
            path = tmp_path / "someone.glb"
            builder.save(path)
            return path
        frames = np.diag([*armature_scale, 1.0]) @ kinematics.matrices(stored[kept], turns[kept])
        skin = builder.add_skin(
            [nodes[skeleton.joints[index]] for index in kept],
            inverse_bind_matrices=np.linalg.inv(frames),
        )
        # Vertices of a joint left out follow the one above it.
        follow = np.arange(len(skeleton))
        for index in range(len(skeleton)):
            if index not in kept:
                follow[index] = follow[skeleton.parents[index]]
        table = np.zeros((len(vertices), len(kept)))
        rows = np.arange(len(vertices))[:, None]
        place = np.searchsorted(kept, follow[someone.skin.joints])
        np.add.at(table, (rows, place), someone.skin.weights)
        joints = np.argsort(-table, axis=1)[:, :4]
        mesh = builder.add_mesh(
            [
                Primitive(
                    positions=outward(vertices),
                    normals=outward(normals) * unit,
                    triangles=someone.skin.faces,
                    joints=joints.astype(np.int32),
                    weights=np.take_along_axis(table, joints, axis=1),
                )
            ],
            "Body",
        )
        builder.add_node("Body", parent=armature, mesh=mesh, skin=skin)
        path = tmp_path / "someone.glb"
        builder.save(path)
        return path

    return make


@pytest.fixture
def styles() -> dict[str, dict[str, str]]:
    """Bone names by tool: canonical joint to node name; "none" says nothing."""
    return {**STYLES, "none": nameless()}


@pytest.fixture
def walk() -> Callable[[Character], tuple[Floats, Floats]]:
    """Poses of a walk for a character."""
    return walking
