"""Which limb a bone is, by shape alone: two chains that mirror each other are legs, or arms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.rig.tree import Tree

# Shares of a chain's length: bones shorter than the first are helpers; a bone shorter than the
# second before two longer ones is a collar bone.
_TINY, _COLLAR = 0.04, 0.45
# How far the mirror image of a chain may lie from the other, over the chain's length.
_ALIKE = 0.15


@dataclass(frozen=True)
class Pair:
    """Two chains of nodes that mirror each other, and how long they are."""

    first: tuple[int, ...]
    second: tuple[int, ...]
    length: float


def limbs_by_shape(tree: Tree, candidates: list[int], up: Floats) -> dict[str, int]:
    """The limb bones found by shape, as canonical joint name to node; empty if there are none.

    Args:
        tree: the nodes.
        candidates: which of them can be bones.
        up: `(3,)` unit vector, the file's upward direction.
    """
    pairs = _outermost(tree, symmetric_pairs(tree, candidates))
    if len(pairs) < 2:
        return {}
    pairs = sorted(pairs, key=lambda pair: -pair.length)[:2]
    height = tree.positions @ up
    # The pair that starts lower: hips are below shoulders, even where arms hang to the ground.
    legs, arms = sorted(
        pairs, key=lambda pair: float(height[[pair.first[0], pair.second[0]]].sum())
    )
    if len(_without_helpers(tree, legs.first)) < 3:
        return {}
    found: dict[str, int] = {}
    for pair, limb in ((legs, _leg), (arms, _arm)):
        first, second = limb(tree, pair.first), limb(tree, pair.second)
        for bone in first.keys() & second.keys():
            found[f"left_{bone}"], found[f"right_{bone}"] = first[bone], second[bone]
    # Which side is left follows from where the toes point.
    ahead = _ahead(tree, found, up)
    left = np.cross(up, ahead)
    for bone in ("thigh", "upper_arm"):
        apart = tree.positions[found[f"left_{bone}"]] - tree.positions[found[f"right_{bone}"]]
        if apart @ left < 0:
            limb = ("thigh", "shin", "foot", "toe") if bone == "thigh" else (
                "shoulder", "upper_arm", "forearm", "hand")  # fmt: skip
            for name in limb:
                if f"left_{name}" in found:
                    left_node, right_node = found[f"left_{name}"], found[f"right_{name}"]
                    found[f"left_{name}"], found[f"right_{name}"] = right_node, left_node
    return found


def symmetric_pairs(tree: Tree, candidates: list[int]) -> list[Pair]:
    """Pairs of sibling chains, each the mirror image of the other."""
    inside = set(candidates)
    places = tree.positions
    size = float(np.ptp(places[candidates], axis=0).max()) if candidates else 0.0
    chains = _chains(tree, inside)
    pairs: list[Pair] = []
    for parent in range(-1, len(tree.names)):
        siblings = [node for node in tree.children(parent) if node in inside]
        for at, first in enumerate(siblings):
            for second in siblings[at + 1 :]:
                a, b = chains[first], chains[second]
                length = _length(places[list(a)])
                if len(a) != len(b) or len(a) < 2 or length < 0.15 * size:
                    continue
                if _mirror_images(places[list(a)], places[list(b)], length):
                    pairs.append(Pair(a, b, length))
    return pairs


def _chains(tree: Tree, inside: set[int]) -> dict[int, tuple[int, ...]]:
    """From each node down the longest way."""
    places = tree.positions
    chains: dict[int, tuple[int, ...]] = {}
    lengths: dict[int, float] = {}
    # Children come after their parents, so backward every chain below is known.
    for node in sorted(inside, reverse=True):
        best, longest = (), 0.0
        for child in tree.children(node):
            if child in inside:
                length = lengths[child] + float(np.linalg.norm(places[child] - places[node]))
                if not best or length > longest:
                    best, longest = chains[child], length
        chains[node], lengths[node] = (node, *best), longest
    return chains


def _length(points: Floats) -> float:
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


def _mirror_images(first: Floats, second: Floats, length: float) -> bool:
    """Whether a plane midway between two chains reflects one into the other."""
    across = (first - second).mean(axis=0)
    size = float(np.linalg.norm(across))
    if size < 0.02 * length:
        return False
    across = across / size
    middle = (first + second).mean(axis=0) / 2
    reflected = first - 2 * ((first - middle) @ across)[:, None] * across
    return bool(np.linalg.norm(reflected - second, axis=1).max() < _ALIKE * length)


def _outermost(tree: Tree, pairs: list[Pair]) -> list[Pair]:
    """Pairs that are not part of another pair's limbs (fingers are part of arms)."""
    kept: list[Pair] = []
    for pair in pairs:
        above = set(tree.above(pair.first[0])[1:])
        if not any(above & {*other.first, *other.second} for other in pairs):
            kept.append(pair)
    return kept


def _without_helpers(tree: Tree, chain: tuple[int, ...]) -> list[int]:
    """The chain without joints that coincide with the one before."""
    places, length = tree.positions, _length(tree.positions[list(chain)])
    kept = [chain[0]]
    for node in chain[1:]:
        if np.linalg.norm(places[node] - places[kept[-1]]) > _TINY * length:
            kept.append(node)
    return kept


def _leg(tree: Tree, chain: tuple[int, ...]) -> dict[str, int]:
    nodes = _without_helpers(tree, chain)
    return dict(zip(("thigh", "shin", "foot", "toe"), nodes, strict=False))


def _arm(tree: Tree, chain: tuple[int, ...]) -> dict[str, int]:
    nodes = _without_helpers(tree, chain)
    lengths = np.linalg.norm(np.diff(tree.positions[nodes], axis=0), axis=1)
    names = ("upper_arm", "forearm", "hand")
    if len(nodes) >= 4 and lengths[0] < _COLLAR * lengths[1:3].max():
        names = ("shoulder", *names)
    return dict(zip(names, nodes, strict=False))


def _ahead(tree: Tree, found: dict[str, int], up: Floats) -> Floats:
    """The level direction that the toes point in, or else that the knees bend to."""
    places = tree.positions

    def sideways(bone: str, base: str) -> Floats:
        apart = sum(
            (places[found[f"{side}_{bone}"]] - places[found[f"{side}_{base}"]]
             for side in ("left", "right")), np.zeros(3),
        )  # fmt: skip
        return apart - (apart @ up) * up

    if "left_toe" in found:
        return sideways("toe", "foot")
    return sideways("shin", "foot")
