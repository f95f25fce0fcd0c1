from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from surefoot.character import adult, kinematics
from surefoot.character.skin import vertex_normals
from surefoot.errors import CharacterError
from surefoot.math import rotations


def test_the_rest_pose_leaves_the_skin_where_it_is():
    someone = adult()
    skeleton = someone.skeleton
    vertices, normals = someone.posed(skeleton.offsets[0], skeleton.rest_rotations)
    np.testing.assert_allclose(vertices, someone.skin.vertices, atol=1e-12)
    np.testing.assert_allclose(normals, someone.skin.normals, atol=1e-9)


def test_a_moved_root_moves_the_skin_rigidly():
    someone = adult()
    skeleton = someone.skeleton
    local = skeleton.rest_rotations.copy()
    local[0] = turn = rotations.from_rotation_vector([0.2, 0.4, 2.0])
    vertices, normals = someone.posed([3.0, 2.0, 1.0], local)
    expected = rotations.rotate(turn, someone.skin.vertices - skeleton.offsets[0])
    expected += np.array([3.0, 2.0, 1.0])
    np.testing.assert_allclose(vertices, expected, atol=1e-12)
    np.testing.assert_allclose(normals, rotations.rotate(turn, someone.skin.normals), atol=1e-9)


def test_vertices_of_one_joint_move_with_it():
    someone = adult()
    skeleton, skin = someone.skeleton, someone.skin
    random = np.random.default_rng(2)
    local = rotations.from_rotation_vector(random.normal(size=(3, len(skeleton), 3)) * 0.5)
    positions, world = skeleton.forward(np.zeros((3, 3)), local)
    vertices, _ = skin.posed(kinematics.matrices(positions, world))
    rest, turns = skeleton.rest_pose()
    whole = np.flatnonzero(skin.weights.max(axis=1) > 1 - 1e-12)
    assert len(whole) > 1000
    joint = skin.joints[whole, skin.weights[whole].argmax(axis=1)]
    inside = rotations.rotate(rotations.inverse(turns[joint]), skin.vertices[whole] - rest[joint])
    expected = positions[:, joint] + rotations.rotate(world[:, joint], inside)
    np.testing.assert_allclose(vertices[:, whole], expected, atol=1e-12)


def test_colours_and_faces_go_together():
    skin = adult().skin
    assert len(skin.faces) == len(skin.face_colors) == sum(len(part.faces) for part in skin.parts)
    np.testing.assert_array_equal(skin.face_colors[0], skin.parts[0].color)
    np.testing.assert_array_equal(skin.face_colors[-1], skin.parts[-1].color)


def test_skins_that_cannot_be_are_refused():
    skin = adult().skin
    with pytest.raises(CharacterError, match="joints must be in 0 to 20"):
        replace(skin, joints=skin.joints + 1)
    with pytest.raises(CharacterError, match="weights must not be negative"):
        replace(skin, weights=-skin.weights)
    with pytest.raises(CharacterError, match="weights must not be negative, nor all zero"):
        replace(skin, weights=0 * skin.weights)
    with pytest.raises(CharacterError, match="needs normals"):
        replace(skin, normals=skin.normals[1:])
    with pytest.raises(CharacterError, match="'legs' has faces beyond its vertices"):
        replace(skin, parts=(replace(skin.parts[0], faces=skin.parts[0].faces + 10**6),))
    with pytest.raises(CharacterError, match=r"follows 21 joints.*got \(5, 4, 4\)"):
        skin.posed(np.tile(np.eye(4), (5, 1, 1)))


def test_normals_of_a_tetrahedron_point_out_of_its_corners():
    corners = np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
    faces = np.array([[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]], dtype=np.int32)
    np.testing.assert_allclose(vertex_normals(corners, faces), corners / np.sqrt(3), atol=1e-12)
