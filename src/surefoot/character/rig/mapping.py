"""Bone mappings: which node of a file is which joint of ours; found, shown, saved, corrected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike

import numpy as np

from surefoot.arrays import Floats, shortened
from surefoot.character.humanoid import JOINTS, SIDES
from surefoot.character.rig.naming import limbs_by_name, trunk_by_name, understand
from surefoot.character.rig.topology import limbs_by_shape
from surefoot.character.rig.tree import Tree
from surefoot.errors import CharacterError, one_of
from surefoot.files import read_toml, write_atomic

REQUIRED: tuple[str, ...] = (
    "pelvis",
    "chest",
    "head",
    *(
        f"{side}_{bone}"
        for side in SIDES
        for bone in ("upper_arm", "forearm", "thigh", "shin", "foot")
    ),
)
"""The joints that a rig must have; the others may be missing."""


@dataclass(frozen=True)
class BoneMapping:
    """Canonical joints to the nodes of a file.

    Attributes:
        bones: canonical joint name to node name.
        sources: canonical joint name to how it was found: "name", "shape" or "given".
    """

    bones: Mapping[str, str]
    sources: Mapping[str, str]

    def describe(self) -> str:
        """A table for people: joint, node, and how it was found."""
        rows = [("joint", "node", "found by")]
        for joint in JOINTS:
            node = self.bones.get(joint, "-")
            rows.append((joint, node, self.sources.get(joint, "") or "-"))
        wide = [max(len(row[column]) for row in rows) for column in (0, 1)]
        return "\n".join(f"{a:<{wide[0]}}  {b:<{wide[1]}}  {c}".rstrip() for a, b, c in rows)

    def without(self, *joints: str) -> BoneMapping:
        """The mapping without some joints."""
        return BoneMapping(
            bones={joint: node for joint, node in self.bones.items() if joint not in joints},
            sources={joint: how for joint, how in self.sources.items() if joint not in joints},
        )

    def save(self, path: str | PathLike[str]) -> None:
        """Write the mapping as a small TOML file, one `joint = "node"` line for each bone."""
        lines = ["# Which node of the character's file is which joint. Correct lines as needed."]
        for joint in JOINTS:
            if joint in self.bones:
                text = self.bones[joint].replace("\\", "\\\\").replace('"', '\\"')
                lines.append(f'{joint} = "{text}"')
            else:
                lines.append(f'# {joint} = ""')
        write_atomic(path, ("\n".join(lines) + "\n").encode())


def load_bones(path: str | PathLike[str]) -> dict[str, str]:
    """The `joint = "node"` lines of a TOML file that `BoneMapping.save` wrote."""
    table = read_toml(path)
    for joint, node in table.items():
        if joint not in JOINTS:
            raise CharacterError(f"{path}: {one_of('joint', joint, JOINTS)}")
        if not isinstance(node, str):
            raise CharacterError(
                f"{path}: {joint} must be a node's name in quotes, got {shortened(node)}"
            )
    return table


def find_bones(
    tree: Tree, given: Mapping[str, str], up: Floats, title: str
) -> tuple[dict[str, int], BoneMapping]:
    """The bones of a person among the nodes of a file.

    Args:
        tree: the file's nodes.
        given: canonical joint to node name, for bones that are not to be guessed.
        up: `(3,)` unit vector, the file's upward direction.
        title: the file, for messages.

    Returns:
        Canonical joint to node of the tree, and the mapping to show.

    Raises:
        CharacterError: a bone is missing; lists those missing and the nodes there are.
    """
    fixed = _given(tree, given, title)
    found, source = likely_bones(tree, fixed, up)
    missing = [joint for joint in REQUIRED if joint not in found]
    if missing:
        nodes = [tree.names[node] for node in _candidates(tree)]
        shown = ", ".join(nodes[:60]) + (", ..." if len(nodes) > 60 else "")
        raise CharacterError(
            f"{title}: this is not the skeleton of a person, or its bones have unusual names;"
            f" missing: {', '.join(missing)}; the nodes there are: {shown or 'none'}."
            ' A mapping {"joint": "node name"} can say which is which.'
        )
    order = {joint: found[joint] for joint in JOINTS if joint in found}
    return order, BoneMapping(
        bones={joint: tree.names[node] for joint, node in order.items()},
        sources={joint: "given" if joint in fixed else source for joint in order},
    )


def likely_bones(
    tree: Tree, fixed: dict[str, int], up: Floats, needed: tuple[str, ...] = REQUIRED
) -> tuple[dict[str, int], str]:
    """The bones of a person as far as they are found, and how: by "name" or by "shape".

    Args:
        tree: the nodes.
        fixed: canonical joint to node, for bones that are not to be guessed.
        up: `(3,)` unit vector, the upward direction.
        needed: the joints without which names are not believed where shape finds them all.
    """
    candidates = _candidates(tree)
    by_name = limbs_by_name(tree, candidates)
    by_name = {joint: node for joint, node in by_name.items() if node not in fixed.values()}
    named = _complete(tree, by_name | fixed, candidates, up)
    if any(joint not in named for joint in needed):
        by_shape = limbs_by_shape(tree, candidates, up) | fixed
        shaped = _complete(tree, by_shape, candidates, up)
        if all(joint in shaped for joint in needed):
            return shaped, "shape"
    return named, "name"


def _given(tree: Tree, given: Mapping[str, str], title: str) -> dict[str, int]:
    fixed: dict[str, int] = {}
    for joint, name in given.items():
        if joint not in JOINTS:
            raise CharacterError(f"mapping for {title}: {one_of('joint', joint, JOINTS)}")
        if name not in tree.names:
            raise CharacterError(
                f"mapping for {title}: {joint}: {one_of('node', name, tree.names)}"
            )
        fixed[joint] = tree.names.index(name)
    return fixed


def _candidates(tree: Tree) -> list[int]:
    """The nodes that may be bones: those that skins follow, or all where there are few."""
    joints = [node for node, joint in enumerate(tree.joints) if joint]
    return joints if len(joints) >= 8 else list(range(len(tree.names)))


def _complete(
    tree: Tree, limbs: dict[str, int], candidates: list[int], up: Floats
) -> dict[str, int]:
    """Add the trunk, which follows from where the limbs hang, and the ends of limbs."""
    found = dict(limbs)
    inside = set(candidates)

    def only_child(node: int) -> int | None:
        children = [
            child
            for child in tree.children(node)
            if child in inside and not understand(tree.names[child]).helper
        ]
        return children[0] if len(children) == 1 else None

    for side in SIDES:
        for joint, base in (("foot", "shin"), ("toe", "foot"), ("hand", "forearm")):
            if f"{side}_{joint}" not in found and f"{side}_{base}" in found:
                child = only_child(found[f"{side}_{base}"])
                if child is not None and child not in found.values():
                    found[f"{side}_{joint}"] = child
    arms = [found[f"{side}_upper_arm"] for side in SIDES if f"{side}_upper_arm" in found]
    thighs = [found[f"{side}_thigh"] for side in SIDES if f"{side}_thigh" in found]
    if len(arms) < 2 or len(thighs) < 2:
        return found
    chest = found.setdefault("chest", tree.meeting(arms))
    pelvis = found.setdefault("pelvis", tree.meeting([*thighs, chest]))
    if pelvis < 0 or chest < 0 or chest == pelvis:
        return {joint: node for joint, node in found.items() if joint not in ("chest", "pelvis")}
    between = tree.above(chest)[1:]
    if pelvis in between:
        between = between[: between.index(pelvis)]
        if between:
            found.setdefault("spine", between[-1])
    _add_head(tree, found, candidates, up)
    for side, arm in zip(SIDES, arms, strict=True):
        above = tree.above(arm)[1:]
        if chest in above and above.index(chest) > 0:
            found.setdefault(f"{side}_shoulder", above[above.index(chest) - 1])
    return found


def _add_head(tree: Tree, found: dict[str, int], candidates: list[int], up: Floats) -> None:
    """The head by its name, or else the top of the chain from the chest that holds no arm."""
    chest = found["chest"]
    below = set(tree.below(chest)) - {chest}
    arms = {node for side in SIDES for node in tree.above(found[f"{side}_upper_arm"])}
    heads = [node for node in trunk_by_name(tree, candidates, "head") if node in below]
    if "head" not in found and heads:
        found["head"] = heads[0]
    if "head" not in found:
        height = tree.positions @ up
        inside = below & set(candidates)
        chain: list[int] = []
        at = chest
        while True:
            children = [node for node in tree.children(at) if node in inside - arms]
            children = [node for node in children if height[node] > height[chest]]
            if not children:
                break
            at = max(children, key=lambda node: float(height[tree.below(node)].max()))
            chain.append(at)
        if not chain:
            return
        # Two nodes are neck and head; of more, the first is the neck and the second the head,
        # unless they are a neck in many pieces.
        found["head"] = chain[-1] if len(chain) <= 3 else chain[1]
    between = tree.above(found["head"])[1:]
    if chest in between and between.index(chest) > 0:
        found.setdefault("neck", between[between.index(chest) - 1])


def refuse_animals(tree: Tree, bones: Mapping[str, int], up: Floats, title: str) -> None:
    """An error for a body that stands on its hands as well as on its feet."""
    places = tree.positions

    def middle(bone: str) -> Floats:
        return np.mean([places[bones[f"{side}_{bone}"]] for side in SIDES], axis=0)

    hips = middle("thigh")
    low = float((places[list(bones.values())] @ up).min())
    tall = float(hips @ up) - low
    end = "hand" if "left_hand" in bones else "forearm"
    hands = float(middle(end) @ up) - low
    trunk = middle("upper_arm") - hips
    upright = float(trunk @ up) / max(float(np.linalg.norm(trunk)), 1e-12)
    if upright < 0.6 and hands < 0.45 * tall:
        lean = np.degrees(np.arccos(np.clip(upright, -1.0, 1.0)))
        raise CharacterError(
            f"{title}: this is a quadruped, not a person: its trunk lies {lean:.0f} degrees from"
            " upright and all four limbs reach the ground"
        )
