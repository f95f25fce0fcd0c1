from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from surefoot.animation import Animation
from surefoot.character import Character, people
from surefoot.math import rotations
from surefoot.studio.figures import Figure, figure


def bent(shape: Figure, frame: int) -> list[np.ndarray]:
    """The parts as a browser bends them: each bone turns and moves what was around it at rest."""
    moved: list[np.ndarray] = []
    for part in shape.parts:
        turn = rotations.to_matrix(shape.rotations[frame][part.bones])
        shift = shape.positions[frame][part.bones]
        around = part.vertices[:, None] - shape.rest[part.bones]
        placed = np.einsum("bij,vbj->vbi", turn, around) + shift
        moved.append(np.einsum("vb,vbi->vi", part.weights, placed))
    return moved


def random_motion(character: Character) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(3)
    count = len(character.skeleton.joints)
    turns = rotations.from_rotation_vector(random.normal(scale=0.25, size=(4, count, 3)))
    root = np.array([5.0, -3.0, 1.2]) + random.normal(scale=0.3, size=(4, 3))
    return np.arange(4) / 30.0, root, turns


def check(character: Character) -> None:
    times, root, turns = random_motion(character)
    shape = figure(character, times, root, turns)
    for frame in range(len(times)):
        vertices, _ = character.posed(root[frame], turns[frame])
        parts = bent(shape, frame)
        for part, moved, own in zip(shape.parts, parts, character.skin.parts, strict=True):
            assert np.allclose(moved[part.faces], vertices[own.faces], atol=2e-4)


def test_a_mannequin_is_bent_as_its_skin_is() -> None:
    check(people.child())


@pytest.mark.parametrize("name", ["CesiumMan", "RiggedFigure"])
def test_a_users_rig_is_bent_as_its_skin_is(data: Path, name: str) -> None:
    check(Character.from_gltf(data / "scenes" / "gltf" / f"{name}.glb"))


def test_moments_between_and_outside(ride: Animation) -> None:
    shape = figure(ride.character, ride.times, ride.root, ride.rotations, name="anna")
    assert shape.name == "anna"
    for t, frame in ((-5.0, 0), (ride.start, 0), (ride.times[7], 7), (99.0, -1)):
        positions, turned = shape.at(float(t))
        assert np.allclose(positions, shape.positions[frame], atol=1e-9)
        same = np.abs((turned * shape.rotations[frame]).sum(axis=-1))
        assert np.allclose(same, 1.0)
        assert np.allclose(shape.centre(float(t)), ride.root[frame])
    middle, turned = shape.at(float(ride.times[20] + ride.times[21]) / 2)
    assert np.allclose(middle, (shape.positions[20] + shape.positions[21]) / 2)
    assert np.allclose(np.linalg.norm(turned, axis=-1), 1.0)


def test_one_pose_is_enough() -> None:
    adult = people.adult()
    rest = np.tile(rotations.IDENTITY, (1, len(adult.skeleton.joints), 1))
    shape = figure(adult, np.array([2.0]), np.array([[0.0, 0.0, 0.9]]), rest)
    assert np.allclose(shape.at(7.0)[0], shape.positions[0])
    assert np.allclose(shape.centre(7.0), [0.0, 0.0, 0.9])
