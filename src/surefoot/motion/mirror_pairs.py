"""Which joint is the mirror image of which: by name, or by shape where names say nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.skeleton import Skeleton

# Words for the sides, as far as tools and people write them into the names of joints.
_LEFT = {"left", "l", "lf", "lft", "links", "gauche", "izquierda", "izq", "sinistra"}
_RIGHT = {"right", "r", "rt", "rgt", "rechts", "droite", "derecha", "der", "destra"}
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^A-Za-z0-9]+")
# How far, over the larger, the lengths of bones may differ that mirror each other.
_ALIKE = 0.12

UNPAIRED = -1
"""The mirror image of a joint that has none: a sword in one hand."""


def mirror_pairs(skeleton: Skeleton, bones: Mapping[str, int]) -> tuple[int, ...]:
    """For each joint its mirror image: itself in the middle, `UNPAIRED` where there is none.

    Args:
        skeleton: any.
        bones: canonical joint to index, for those that are known; they are believed first.
    """
    pairs = _by_name(skeleton)
    if all(pair in (joint, UNPAIRED) for joint, pair in enumerate(pairs)):
        pairs = _by_shape(skeleton)
    for joint, index in bones.items():
        if joint.startswith("left_") and (other := "right_" + joint[5:]) in bones:
            pairs[index], pairs[bones[other]] = bones[other], index
    return _consistent(skeleton, pairs)


def side_and_rest(name: str) -> tuple[str, tuple[str, ...]]:
    """The side that a joint's name says ("left", "right" or ""), and the name without it."""
    words: list[str] = []
    side = ""
    spaced = name.replace("左", " left ").replace("右", " right ")
    for word in (word.lower().strip() for word in _WORD.findall(spaced)):
        found, rest = _side(word) if not side else ("", word)
        side = side or found
        words += ["*", rest] if found else [rest]
    return side, tuple(word for word in words if word)


def _side(word: str) -> tuple[str, str]:
    """The side that a word says, and what is left of it."""
    for side, words in (("left", _LEFT), ("right", _RIGHT)):
        if word in words:
            return side, ""
        if word.startswith(side):
            return side, word[len(side) :]
    return "", word


def _by_name(skeleton: Skeleton) -> list[int]:
    named: dict[tuple[str, tuple[str, ...]], int] = {}
    sides: list[tuple[str, tuple[str, ...]]] = []
    for joint, name in enumerate(skeleton.joints):
        said = side_and_rest(name)
        sides.append(said)
        if said[0]:
            named.setdefault(said, joint)
    pairs: list[int] = []
    for joint, (side, rest) in enumerate(sides):
        other = named.get(("right" if side == "left" else "left", rest))
        paired = other is not None and named[(side, rest)] == joint
        # A letter may say no side: L5 is a vertebra, if there is no R5.
        pairs.append(other if side and other is not None and paired else joint)
    return pairs


def _by_shape(skeleton: Skeleton) -> list[int]:
    """Siblings whose bones, and all below, have the same lengths are mirror images."""
    children: list[list[int]] = [[] for _ in skeleton.joints]
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0:
            children[parent].append(joint)
    lengths = np.linalg.norm(skeleton.offsets, axis=1)
    shapes: list[Floats] = [np.empty(0)] * len(skeleton)
    for joint in reversed(range(len(skeleton))):
        below = [shapes[child] for child in children[joint]]
        shapes[joint] = np.concatenate([[lengths[joint]], *(sorted(below, key=len))])

    def apart(first: int, second: int) -> float:
        a, b = np.sort(shapes[first]), np.sort(shapes[second])
        if len(a) != len(b):
            return np.inf
        return float(np.abs(a - b).max() / max(float(a.max()), float(b.max()), 1e-9))

    pairs = list(range(len(skeleton)))
    waiting = [(0, 0)]
    while waiting:
        one, other = waiting.pop()
        pairs[one], pairs[other] = other, one
        free, targets = list(children[one]), list(children[other])
        for distance, a, b in sorted((apart(a, b), a, b) for a in free for b in targets if a != b):
            if distance < _ALIKE and a in free and b in targets:
                free.remove(a)
                targets.remove(b)
                if one == other:
                    free.remove(b)
                    targets.remove(a)
                waiting.append((a, b))
        for child in free:
            # In the middle of the body, what has no like is in the middle too.
            if one == other:
                waiting.append((child, child))
            else:
                pairs[child] = UNPAIRED
    return pairs


def _consistent(skeleton: Skeleton, pairs: list[int]) -> tuple[int, ...]:
    """Pairs whose parents are a pair too; others have no mirror image."""
    checked: list[int] = []
    for joint, parent in enumerate(skeleton.parents):
        pair = pairs[joint]
        if joint == 0:
            checked.append(0)
        elif pair == UNPAIRED or checked[parent] == UNPAIRED or pairs[pair] != joint:
            checked.append(UNPAIRED)
        else:
            checked.append(pair if skeleton.parents[pair] == checked[parent] else UNPAIRED)
    # A joint may only be found to have no image after its image was taken for one.
    return tuple(
        pair if pair == UNPAIRED or checked[pair] == joint else UNPAIRED
        for joint, pair in enumerate(checked)
    )
