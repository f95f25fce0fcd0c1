"""Which way a rig is up and faces, how large it is, and its measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats, Ints
from surefoot.character.humanoid import SIDES
from surefoot.character.measures import ADULT, Measures
from surefoot.character.rig.tree import Tree
from surefoot.errors import CharacterError

USUAL_HEIGHT = 1.75
"""[m]: given to rigs whose size is that of no person in any usual unit."""

# Units that files come in, and metres in one of them. People are 0.4 to 3.2 m tall.
_UNITS = (("metres", 1.0), ("centimetres", 0.01), ("millimetres", 0.001))
_SMALLEST, _TALLEST = 0.4, 3.2

# Where toes can bend, over the distance from ankle to toe tip; and where a foot without toes
# that bend rolls over.
_BEND = (0.35, 0.95)
_TIP = 0.94

GLTF_UP: Floats = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True, eq=False)
class Cloud:
    """The surface's vertices `(v, 3)` in the file's axes, and the node `(v,)` each follows most."""

    vertices: Floats
    nodes: Ints

    def of(self, nodes: list[int]) -> Floats:
        """The vertices that follow any of `nodes`."""
        return self.vertices[np.isin(self.nodes, nodes)]


def upward(tree: Tree, bones: Mapping[str, int]) -> Floats:
    """The file's upward axis `(3,)`: Y as glTF says, unless the body plainly lies across it."""
    feet = np.mean([tree.positions[bones[f"{side}_foot"]] for side in SIDES], axis=0)
    along = tree.positions[bones["head"]] - feet
    along = along / max(float(np.linalg.norm(along)), 1e-12)
    if along @ GLTF_UP > 0.5:
        return GLTF_UP
    axis = int(np.argmax(np.abs(along)))
    return np.eye(3)[axis] * np.sign(along[axis])


def frame_of(
    tree: Tree, bones: Mapping[str, int], cloud: Cloud, height: float | None
) -> tuple[Floats, list[str]]:
    """The similarity `(4, 4)` from the file's axes and units into surefoot's, and notes on it.

    Args:
        tree: the nodes in the bind pose.
        bones: canonical joint to node.
        cloud: the surface.
        height: [m], the height wanted; None to find the file's unit.
    """
    notes: list[str] = []
    up = upward(tree, bones)
    if up is not GLTF_UP:
        notes.append(f"up is {_axis_name(up)} of the file, not Y as glTF says")
    places = tree.positions
    left, right = places[bones["left_thigh"]], places[bones["right_thigh"]]
    side = (left - right) - ((left - right) @ up) * up
    if np.linalg.norm(side) < 1e-9:
        raise CharacterError("the hip joints coincide, so the rig has no left and right")
    side = side / np.linalg.norm(side)
    ahead = np.cross(side, up)
    turn = np.stack([ahead, side, up])
    points = cloud.vertices if len(cloud.vertices) else places[list(bones.values())]
    levels = points @ up
    ground = float(levels.min())
    head = cloud.of(tree.below(bones["head"]))
    top = float((head @ up).max()) if len(head) else float(levels.max())
    scale, said = _scale(top - ground, height)
    notes.append(said)
    frame = np.eye(4)
    frame[:3, :3] = scale * turn
    hips = turn @ ((left + right) / 2)
    frame[:3, 3] = -scale * np.array([hips[0], hips[1], ground])
    return frame, notes


def facing_is_reversed(tree: Tree, bones: Mapping[str, int], cloud: Cloud) -> bool:
    """Whether the feet point back from what the sides of the bones say."""
    up = upward(tree, bones)
    places = tree.positions
    side = places[bones["left_thigh"]] - places[bones["right_thigh"]]
    toes = _toes(tree, bones, cloud)
    return toes is not None and float(toes @ np.cross(side, up)) < 0.0


def toes_bend(tree: Tree, bones: Mapping[str, int], cloud: Cloud) -> bool:
    """Whether the toe bones lie where toes bend; some rigs have them below the ankle."""
    if "left_toe" not in bones or "right_toe" not in bones:
        return False
    ahead = _toes(tree, bones, cloud)
    if ahead is None:
        return False
    up = upward(tree, bones)
    ahead = ahead - (ahead @ up) * up
    ahead = ahead / max(float(np.linalg.norm(ahead)), 1e-12)
    for side in SIDES:
        foot = tree.positions[bones[f"{side}_foot"]]
        surface = cloud.of(tree.below(bones[f"{side}_foot"]))
        bend = float((tree.positions[bones[f"{side}_toe"]] - foot) @ ahead)
        if bend <= 0.0:
            return False
        if len(surface):
            tip = float(((surface - foot) @ ahead).max())
            if not _BEND[0] * tip < bend < _BEND[1] * tip:
                return False
    return True


def _toes(tree: Tree, bones: Mapping[str, int], cloud: Cloud) -> Floats | None:
    """Which way the feet point `(3,)`: by the toes, or by the surface of the feet."""
    total = np.zeros(3)
    for side in SIDES:
        foot = bones[f"{side}_foot"]
        surface = cloud.of(tree.below(foot))
        if f"{side}_toe" in bones:
            total += tree.positions[bones[f"{side}_toe"]] - tree.positions[foot]
        elif len(surface):
            total += (surface.min(axis=0) + surface.max(axis=0)) / 2 - tree.positions[foot]
    return total if np.linalg.norm(total) > 1e-9 else None


def _axis_name(axis: Floats) -> str:
    at = int(np.argmax(np.abs(axis)))
    return ("-" if axis[at] < 0 else "+") + "XYZ"[at]


def _scale(size: float, height: float | None) -> tuple[float, str]:
    """Metres in one unit of the file, and how that was found."""
    if size <= 0:
        raise CharacterError("the rig has no height")
    if height is not None:
        return height / size, f"scaled to the height given, {height:.2f} m"
    for unit, metres in _UNITS:
        if _SMALLEST <= size * metres <= _TALLEST:
            return metres, f"the file is in {unit}: the character is {size * metres:.2f} m tall"
    return USUAL_HEIGHT / size, (
        f"{size:.3g} units tall fits no person in metres, centimetres or millimetres;"
        f" scaled to {USUAL_HEIGHT:.2f} m"
    )


def measure(tree: Tree, bones: Mapping[str, int], cloud: Cloud, frame: Floats) -> Measures:
    """The measures of a rig, from its bones and its surface; by proportions where it has none."""

    def moved(points: Floats) -> Floats:
        return points @ frame[:3, :3].T + frame[:3, 3]

    place = {joint: moved(tree.positions[node]) for joint, node in bones.items()}
    everything = moved(cloud.vertices) if len(cloud.vertices) else np.stack([*place.values()])
    head = moved(cloud.of(tree.below(bones["head"])))
    tall = float(head[:, 2].max()) if len(head) else 1.08 * float(everything[:, 2].max())

    def between(first: str, second: str) -> float:
        return float(
            np.mean([np.linalg.norm(place[f"{s}_{first}"] - place[f"{s}_{second}"]) for s in SIDES])
        )

    def mean(bone: str, axis: int) -> float:
        return float(np.mean([np.abs(place[f"{side}_{bone}"][axis]) for side in SIDES]))

    thigh, shin = between("thigh", "shin"), between("shin", "foot")
    ankle = max(mean("foot", 2), 0.01 * tall)
    foot = _foot(tree, bones, cloud, place, moved, tall)
    hips = thigh + shin + ankle
    shoulder = max(mean("upper_arm", 2), hips + 0.05 * tall)
    skull = float(place["head"][2])
    neck = float(place["neck"][2]) if "neck" in place else 0.5 * (shoulder + skull)
    neck = float(np.clip(neck, hips + 0.05 * tall, 0.97 * tall))
    skull = float(np.clip(skull, neck + 0.01 * tall, 0.98 * tall))
    hand = 0.5 * between("forearm", "hand") if "left_hand" in place else ADULT.hand * tall
    forearm = between("forearm", "hand") if "left_hand" in place else ADULT.forearm * tall
    eyes = skull + 0.38 * (tall - skull)
    return Measures(
        height=tall,
        mass=ADULT.body_mass_index * tall**2,
        thigh=thigh,
        shin=shin,
        ankle_height=ankle,
        hip_width=2 * max(mean("thigh", 1), 0.01 * tall),
        shoulder_width=2 * max(mean("upper_arm", 1), 0.02 * tall),
        shoulder_height=shoulder,
        upper_arm=between("upper_arm", "forearm"),
        forearm=forearm,
        hand=hand,
        neck_height=neck,
        head_height=skull,
        chin_height=min(skull, eyes - 0.01 * tall),
        eye_height=eyes,
        **foot,
    )


def _foot(
    tree: Tree,
    bones: Mapping[str, int],
    cloud: Cloud,
    place: Mapping[str, Floats],
    moved: Callable[[Floats], Floats],
    tall: float,
) -> dict[str, float]:
    """Lengths of the foot from its surface, or in proportion to the height."""
    length, width = ADULT.foot_length * tall, ADULT.foot_width * tall
    heel, ball, rise = 0.235 * length, 0.485 * length, 0.014 * tall
    behind: list[float] = []
    ahead: list[float] = []
    across: list[float] = []
    for side in SIDES:
        surface = moved(cloud.of(tree.below(bones[f"{side}_foot"])))
        if len(surface) < 4:
            continue
        apart = surface - place[f"{side}_foot"]
        behind.append(-float(apart[:, 0].min()))
        ahead.append(float(apart[:, 0].max()))
        across.append(float(np.ptp(apart[:, 1])))
    if len(behind) == 2 and np.mean(ahead) > 0.01 * tall:
        heel = max(float(np.mean(behind)), 0.005 * tall)
        length = heel + float(np.mean(ahead))
        width = float(np.mean(across))
        # A foot without toes that bend rolls over its tip.
        ball = _TIP * (length - heel)
    if "left_toe" in bones:
        toes = np.mean([place[f"{side}_toe"] - place[f"{side}_foot"] for side in SIDES], axis=0)
        ball = float(toes[0])
        rise = max(float(np.mean([place[f"{side}_toe"][2] for side in SIDES])), 0.002 * tall)
        length = max(length, heel + 1.1 * ball)
    return {
        "foot_length": length,
        "foot_width": width,
        "heel_behind": heel,
        "ball_ahead": ball,
        "ball_height": rise,
    }
