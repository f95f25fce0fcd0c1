"""Which limb a bone is, by its name, in the habits of the tools people use.

`mixamorig:LeftUpLeg`, `J_Bip_L_UpperLeg`, `DEF-thigh.L`, `thigh_l`, `Bip01 L Thigh`, `lHip` and
`leg_joint_L_1` are all split into words; words that say the side or nothing are taken out; what
is left is looked up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from surefoot.character.rig.tree import Tree

# What a word (or words run together) can mean, and how sure that is: the lowest rank wins. A bone
# called "foot" is the foot, unless another is called "ankle"; then it is the toes.
_MEANINGS: tuple[tuple[str, int, str], ...] = (
    ("shoulder", 0, "clavicle collar collarbone clav"),
    ("shoulder", 1, "shoulder"),
    ("upper_arm", 0, "upperarm uparm armupper shldr bicep"),
    ("upper_arm", 1, "arm"),
    ("upper_arm", 3, "shoulder"),
    ("forearm", 0, "forearm lowerarm lowarm armlower elbow"),
    ("hand", 0, "hand wrist"),
    ("hand", 1, "palm"),
    ("thigh", 0, "thigh upleg upperleg legupper femur"),
    ("thigh", 1, "hip"),
    ("thigh", 2, "leg"),
    ("shin", 0, "shin calf lowerleg lowleg leglower knee"),
    ("shin", 1, "leg"),
    ("foot", 0, "ankle"),
    ("foot", 1, "foot"),
    ("toe", 0, "toe toes ball"),
    ("toe", 3, "foot"),
)

# Limbs whose bones share a name and are told apart by number or by order.
_CHAINS: dict[str, dict[int, tuple[str, ...]]] = {
    "leg": {
        2: ("thigh", "shin"),
        3: ("thigh", "shin", "foot"),
        4: ("thigh", "shin", "foot", "toe"),
    },
    "arm": {
        2: ("upper_arm", "forearm"),
        3: ("upper_arm", "forearm", "hand"),
        4: ("shoulder", "upper_arm", "forearm", "hand"),
    },
}

_LEFT = {"left", "l", "lf", "lft"}
_RIGHT = {"right", "r", "rt", "rgt"}
_NOISE = {
    "armature", "b", "base", "bend", "bip", "biped", "bone", "c", "cc", "character", "def", "j",
    "jnt", "joint", "jt", "m", "mixamorig", "org", "rig", "sk", "skel", "skeleton", "valve",
    "valvebiped",
}  # fmt: skip
_HELPERS = {
    "adj", "attach", "breast", "bust", "control", "corrective", "ctrl", "dummy", "ear", "eff",
    "effector", "end", "eye", "finger", "fk", "hair", "helper", "ik", "index", "jaw", "mch",
    "metacarpal", "middle", "nub", "pinky", "pole", "prop", "ring", "roll", "share", "skirt",
    "socket", "tail", "target", "thumb", "tip", "tongue", "tweak", "twist", "weapon",
}  # fmt: skip


@dataclass(frozen=True)
class Word:
    """A bone's name, understood.

    Attributes:
        side: "left", "right" or "" when it says none.
        stem: the words that are left, run together and in lower case.
        helper: a twist, finger, control or such bone, which no limb's chain goes through.
    """

    side: str
    stem: str
    helper: bool


def understand(name: str) -> Word:
    """The side and the stem of a bone's name."""
    plain = name.rsplit(":", 1)[-1].split("#", 1)[0]
    plain = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", plain)
    # lHip, LThigh: one letter for the side before a capital.
    plain = re.sub(r"(?<![A-Za-z])([LRlr])(?=[A-Z][a-z])", r"\1 ", plain)
    words = re.findall(r"[a-z]+", plain.lower())
    split: list[str] = []
    for word in words:
        for side in ("left", "right"):
            if word.startswith(side) and word != side:
                word = word[len(side) :]
                split.append(side)
        split.append(word)
    side = ""
    if _LEFT & set(split):
        side = "left"
    elif _RIGHT & set(split):
        side = "right"
    kept = [word for word in split if word not in _LEFT | _RIGHT | _NOISE]
    return Word(side=side, stem="".join(kept), helper=bool(_HELPERS & set(split)))


def limbs_by_name(tree: Tree, candidates: list[int]) -> dict[str, int]:
    """The limb bones that names tell, as canonical joint name to node of the tree."""
    words = {node: understand(tree.names[node]) for node in candidates}
    found: dict[str, int] = {}
    for side in ("left", "right"):
        nodes = [node for node in candidates if words[node].side == side and not words[node].helper]
        for stem, shares in _CHAINS.items():
            chain = [node for node in nodes if words[node].stem == stem]
            chain = [node for node in chain if set(chain) <= _line(tree, node)]
            named = shares.get(min(len(chain), max(shares)))
            if named is not None:
                found |= {f"{side}_{bone}": node for bone, node in zip(named, chain, strict=False)}
        options = sorted(
            (rank, len(tree.above(node)), node, f"{side}_{bone}")
            for node in nodes
            for bone, rank, stems in _MEANINGS
            if words[node].stem in stems.split()
        )
        for _, _, node, bone in options:
            if bone not in found and node not in found.values():
                found[bone] = node
    return found


def trunk_by_name(tree: Tree, candidates: list[int], bone: str) -> list[int]:
    """The nodes without a side whose name starts as `bone` ("neck", "head"), topmost first."""
    words = {node: understand(tree.names[node]) for node in candidates}
    named = [
        node
        for node in candidates
        if not words[node].side and not words[node].helper and words[node].stem.startswith(bone)
    ]
    return sorted(named, key=lambda node: len(tree.above(node)))


def _line(tree: Tree, node: int) -> set[int]:
    """All nodes above and below one, and itself."""
    return {*tree.above(node), *tree.below(node)}
