from __future__ import annotations

import numpy as np
import pytest

from surefoot.animation.pictures import Extra, ball, figure
from surefoot.animation.pictures.colors import GROUND
from surefoot.animation.pictures.scene import Layer, assemble
from surefoot.errors import InputError
from surefoot.math import Pose
from surefoot.world import Body, Keyframed, World, primitives


def _rays_at(points, eye):
    away = points - eye
    return np.broadcast_to(eye, points.shape), away / np.linalg.norm(away, axis=1, keepdims=True)


def test_a_round_surface_has_the_normals_of_the_true_sphere():
    random = np.random.default_rng(1)
    sphere = ball((1.0, 2.0, 3.0), radius=0.5)
    origins, directions = _rays_at(
        np.array([1.0, 2.0, 3.0]) + random.uniform(-0.25, 0.25, (200, 3)), np.array([5.0, 1.0, 4.0])
    )
    seen = Layer([sphere]).trace(origins, directions)
    assert seen.hit.all()
    outward = seen.position - [1.0, 2.0, 3.0]
    outward /= np.linalg.norm(outward, axis=1, keepdims=True)
    assert (np.einsum("kc,kc->k", seen.normal, outward) > 0.9999).all()
    # The flat faces are further off than that: smoothing did something.
    assert (np.einsum("kc,kc->k", seen.facing, outward) < 0.9999).any()
    # Where the analytic sphere is met.
    middle = np.array([1.0, 2.0, 3.0]) - origins[0]
    b = directions @ middle
    depth = b - np.sqrt(b**2 - (middle @ middle - 0.25))
    np.testing.assert_allclose(seen.distance, depth, atol=0.01)


def test_surfaces_seen_from_the_back_face_the_viewer():
    sheet = figure([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], normals=np.eye(3)[[2, 2, 2]])
    seen = Layer([sheet]).trace(np.array([[0.2, 0.2, -1.0]]), np.array([[0.0, 0.0, 1.0]]))
    assert seen.back[0]
    np.testing.assert_allclose(seen.normal[0], [0, 0, -1])


def test_colours_of_faces_follow_the_faces_that_have_an_area():
    faces = [[0, 0, 1], [0, 1, 2], [1, 3, 2]]
    square = figure(
        [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], faces,
        face_colors=[[0, 0, 1], [1, 0, 0], [0, 1, 0]],
    )  # fmt: skip
    down = np.array([[0.0, 0.0, -1.0]] * 2)
    seen = Layer([square]).trace(np.array([[0.2, 0.2, 1.0], [0.8, 0.8, 1.0]]), down)
    np.testing.assert_array_equal(seen.color, [[1, 0, 0], [0, 1, 0]])


def test_ground_is_pale_and_other_bodies_keep_their_colour():
    world = World(
        [
            Body(name="plate", mesh=primitives.ground(10, 10)),
            Body(
                name="table", mesh=primitives.box((1, 1, 0.1), (0, 0, 0.7)), color=(0.1, 0.2, 0.3)
            ),
        ]
    )
    scene = assemble(world, 0.0, [])
    assert scene.solids.ground.tolist() == [True, False, False]
    seen = scene.solids.trace(
        np.array([[3.0, 3.0, 5.0], [0.0, 0.0, 5.0]]), np.array([[0.0, 0.0, -1.0]] * 2)
    )
    np.testing.assert_allclose(seen.color, [GROUND, (0.1, 0.2, 0.3)])


def test_moving_bodies_are_where_they_are_at_that_moment(yard):
    down = np.array([[0.0, 0.0, -1.0]])
    for t, x in ((0.0, -4.0), (3.0, -1.0), (8.0, 4.0)):
        seen = assemble(yard, t, []).solids.trace(np.array([[x, 3.0, 5.0]]), down)
        assert seen.distance[0] == pytest.approx(4.4)


def test_the_subject_leaves_out_the_ground(yard):
    points = assemble(yard, 4.0, []).subject
    low, high = points.min(axis=0), points.max(axis=0)
    np.testing.assert_allclose([low, high], [[-0.5, -0.5, 0.0], [0.5, 3.3, 1.0]], atol=1e-9)


def test_posed_extras_are_moved():
    extra = Extra(mesh=primitives.box((1, 1, 1)), pose=Pose.at(5, 0, 0))
    seen = Layer([extra]).trace(np.zeros((1, 3)), np.array([[1.0, 0.0, 0.0]]))
    assert seen.distance[0] == pytest.approx(4.5)


def test_nothing_to_draw_is_refused():
    with pytest.raises(InputError, match="nothing to draw"):
        assemble(World(), 0.0, [])


def test_extras_of_another_kind_are_refused(yard):
    with pytest.raises(InputError, match="extras must be"):
        assemble(yard, 0.0, [primitives.box((1, 1, 1))])


def test_rotated_round_bodies_turn_their_normals():
    tube = ball((0, 0, 0), radius=1.0)
    turned = tube.placed(Pose.at(0, 0, 0, yaw=1.0))
    rays = _rays_at(np.array([[0.1, 0.2, 0.3]]), np.array([4.0, 0.0, 0.0]))
    still, moved = Layer([tube]).trace(*rays), Layer([turned]).trace(*rays)
    np.testing.assert_allclose(moved.normal, still.normal, atol=0.01)


def test_a_wide_body_that_moves_is_no_ground():
    climbing = Keyframed([0.0, 5.0], [[0, 0, 0], [0, 0, 3]])
    plate = Body(name="plate", mesh=primitives.ground(10, 10))
    for body, ground in ((plate, True), (plate.moved(climbing), False)):
        assert assemble(World([body]), 0.0, []).solids.ground.tolist() == [ground, False]
