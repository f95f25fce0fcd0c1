"""Rotations and poses: the laws of their groups."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from references.motions import matrices, rotation_vectors_to_matrices
from surefoot.arrays import Floats
from surefoot.errors import InputError
from surefoot.math import Pose
from surefoot.math import rotations as turns


@pytest.fixture(scope="module")
def some() -> Floats:
    """Rotations everywhere, among them the identity, half turns and tiny ones."""
    rng = np.random.default_rng(0)
    exact = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [-1, 0, 0, 0], [1, 1, 1, 1]]
    tiny = np.concatenate([np.ones((5, 1)), 1e-9 * rng.normal(size=(5, 3))], axis=1)
    return turns.normalize(np.concatenate([rng.normal(size=(200, 4)), exact, tiny]))


def _same(first: Floats, second: Floats, within: float = 1e-12) -> bool:
    """Equal as rotations: a quaternion and its negative turn alike."""
    cosine = np.abs((first * second).sum(axis=-1))
    return bool(np.allclose(cosine, 1, atol=within))


def test_matrices_agree_with_another_formula(some: Floats) -> None:
    assert np.allclose(turns.to_matrix(some), matrices(some), atol=1e-14)


def test_group_axioms(some: Floats) -> None:
    rng = np.random.default_rng(1)
    a, b, c = some, some[rng.permutation(len(some))], some[rng.permutation(len(some))]
    assert np.allclose(
        turns.multiply(turns.multiply(a, b), c), turns.multiply(a, turns.multiply(b, c)), atol=1e-14
    )
    assert np.allclose(turns.multiply(a, turns.IDENTITY), a)
    assert np.allclose(turns.multiply(turns.IDENTITY, a), a)
    assert np.allclose(turns.multiply(a, turns.inverse(a)), turns.IDENTITY, atol=1e-14)
    assert np.allclose(turns.multiply(turns.inverse(a), a), turns.IDENTITY, atol=1e-14)
    backward = turns.multiply(turns.inverse(b), turns.inverse(a))
    assert np.allclose(turns.inverse(turns.multiply(a, b)), backward, atol=1e-14)


def test_rotation_acts_like_its_matrix(some: Floats) -> None:
    rng = np.random.default_rng(2)
    points = rng.normal(size=(len(some), 3))
    turned = turns.rotate(some, points)
    assert np.allclose(turned, np.einsum("nij,nj->ni", matrices(some), points), atol=1e-13)
    assert np.allclose(np.linalg.norm(turned, axis=1), np.linalg.norm(points, axis=1))
    other = some[rng.permutation(len(some))]
    both = turns.rotate(turns.multiply(some, other), points)
    assert np.allclose(both, turns.rotate(some, turns.rotate(other, points)), atol=1e-13)
    assert np.allclose(
        turns.rotate(some, [1.0, 2.0, 3.0])[7], turns.rotate(some[7], [1.0, 2.0, 3.0])
    )


def test_matrix_round_trips(some: Floats) -> None:
    assert _same(turns.from_matrix(turns.to_matrix(some)), some)
    made = turns.to_matrix(some)
    assert np.allclose(made @ np.swapaxes(made, 1, 2), np.eye(3), atol=1e-13)
    assert np.allclose(np.linalg.det(made), 1)
    assert np.allclose(turns.to_matrix(turns.from_matrix(made)), made, atol=1e-13)


def test_rotation_vector_round_trips(some: Floats) -> None:
    vectors = turns.to_rotation_vector(some)
    assert (np.linalg.norm(vectors, axis=1) <= np.pi + 1e-12).all()
    assert _same(turns.from_rotation_vector(vectors), some)
    assert np.allclose(rotation_vectors_to_matrices(vectors), turns.to_matrix(some), atol=1e-12)
    for size in (0.0, 1e-300, 1e-15, 1e-9, 1e-4, 1.0, 3.1):
        vector = size * np.array([0.6, 0.0, -0.8])
        assert np.allclose(
            turns.to_rotation_vector(turns.from_rotation_vector(vector)),
            vector,
            rtol=1e-9,
            atol=1e-300,
        )


def test_slerp_ends_and_rate(some: Floats) -> None:
    rng = np.random.default_rng(3)
    start, end = some, some[rng.permutation(len(some))]
    assert _same(turns.slerp(start, end, 0.0), start)
    assert _same(turns.slerp(start, end, 1.0), end)
    # Constant rate: equal shares turn by equal angles about the same axis.
    shares = np.linspace(0, 1, 9)
    way = np.stack([turns.slerp(start, end, share) for share in shares])
    steps = turns.to_rotation_vector(turns.multiply(way[1:], turns.inverse(way[:-1])))
    assert np.allclose(steps, steps[0], atol=1e-9)
    whole = np.linalg.norm(
        turns.to_rotation_vector(turns.multiply(end, turns.inverse(start))), axis=1
    )
    assert np.allclose(np.linalg.norm(steps.sum(axis=0), axis=1), whole, atol=1e-9)
    assert np.allclose(np.linalg.norm(way, axis=-1), 1, atol=1e-12)


def test_slerp_goes_the_short_way() -> None:
    quarter = turns.from_yaw(np.pi / 2)
    assert turns.yaw(turns.slerp(turns.IDENTITY, -quarter, 0.5)) == pytest.approx(np.pi / 4)


def test_yaw_and_axis_angle_agree() -> None:
    angles = np.linspace(-3.1, 3.1, 41)
    assert np.allclose(turns.from_yaw(angles), turns.from_axis_angle([0, 0, 2], angles))
    assert np.allclose(turns.yaw(turns.from_yaw(angles)), angles)
    axes = np.random.default_rng(4).normal(size=(41, 3))
    vectors = axes / np.linalg.norm(axes, axis=1, keepdims=True) * angles[:, None]
    assert _same(turns.from_axis_angle(axes, angles), turns.from_rotation_vector(vectors))


def test_between_turns_one_direction_into_another() -> None:
    rng = np.random.default_rng(5)
    start = np.concatenate([rng.normal(size=(100, 3)), np.eye(3), -np.eye(3), np.eye(3)])
    end = np.concatenate(
        [rng.normal(size=(100, 3)), np.eye(3), np.eye(3), np.roll(np.eye(3), 1, 0)]
    )
    turn = turns.between(start, end)
    goal = end / np.linalg.norm(end, axis=1, keepdims=True)
    from_ = start / np.linalg.norm(start, axis=1, keepdims=True)
    assert np.allclose(turns.rotate(turn, from_), goal, atol=1e-7)
    angle = np.linalg.norm(turns.to_rotation_vector(turn), axis=1)
    assert np.allclose(np.cos(angle), (from_ * goal).sum(axis=1), atol=1e-9)


def test_leading_axes_broadcast(some: Floats) -> None:
    a, b = some[:6].reshape(3, 2, 4), some[6:8]
    assert turns.multiply(a, b).shape == (3, 2, 4)
    assert turns.slerp(a, b, [[0.1], [0.2], [0.3]]).shape == (3, 2, 4)
    assert turns.rotate(a[:, None], np.zeros((5, 1, 3))).shape == (3, 5, 2, 3)
    assert turns.to_matrix(a).shape == (3, 2, 3, 3)
    assert turns.from_matrix(turns.to_matrix(a)).shape == (3, 2, 4)


# --- poses ---------------------------------------------------------------------------------------


def _poses(some: Floats) -> list[Pose]:
    rng = np.random.default_rng(6)
    return [Pose(rng.normal(size=3), q) for q in some[:60]]


def _close(first: Pose, second: Pose) -> bool:
    return np.allclose(first.position, second.position, atol=1e-12) and _same(
        first.rotation, second.rotation
    )


def test_poses_are_a_group(some: Floats) -> None:
    poses = _poses(some)
    for a, b, c in zip(poses, poses[1:], poses[2:], strict=False):
        assert _close((a @ b) @ c, a @ (b @ c))
        assert _close(a @ a.inverse(), Pose())
        assert _close(a.inverse() @ a, Pose())
        assert _close(a @ Pose(), a)
        assert _close((a @ b).inverse(), b.inverse() @ a.inverse())


def test_poses_act_on_points(some: Floats) -> None:
    points = np.random.default_rng(7).normal(size=(4, 5, 3))
    poses = _poses(some)
    for a, b in itertools.pairwise(poses):
        assert np.allclose((a @ b).apply(points), a.apply(b.apply(points)), atol=1e-12)
        assert np.allclose(a.unapply(a.apply(points)), points, atol=1e-12)
        assert np.allclose(a.inverse().apply(points), a.unapply(points), atol=1e-12)


def test_poses_are_values(some: Floats) -> None:
    first, again = Pose([1, 2, 3], [2, 0, 0, 0]), Pose([1.0, 2.0, 3.0])
    assert first == again
    assert hash(first) == hash(again)
    assert first != Pose([1, 2, 4])
    assert first != "pose"
    with pytest.raises(ValueError, match="read-only"):
        first.position[0] = 5
    # Unit quaternions stay as they are to the last bit.
    for pose in _poses(some):
        assert Pose(pose.position, pose.rotation).rotation.tobytes() == pose.rotation.tobytes()
    assert np.allclose(
        Pose.at(1, 2, 3, yaw=0.5).apply([1, 0, 0]), [1 + np.cos(0.5), 2 + np.sin(0.5), 3]
    )


@pytest.mark.parametrize("rotation", [[0, 0, 0, 0], [1e-200, 0, 0, 0]])
def test_no_rotation_of_zero_length(rotation: list[float]) -> None:
    with pytest.raises(InputError, match="non-zero length"):
        Pose([0, 0, 0], rotation)  # pyright: ignore
