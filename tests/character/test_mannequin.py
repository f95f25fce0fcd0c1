from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from surefoot.character import adult, child, tall_adult
from surefoot.character.mannequin.surfaces import End, loft, patch, sphere, through
from surefoot.math import rotations

PEOPLE = [adult, child, tall_adult]


def pieces(faces, count):
    """The faces of each connected surface."""
    label = np.arange(count)
    while True:
        least = label[faces].min(axis=1)
        after = label.copy()
        np.minimum.at(after, faces, least[:, None])
        after = after[after]
        if np.array_equal(after, label):
            break
        label = after
    return [faces[label[faces[:, 0]] == root] for root in np.unique(label[faces[:, 0]])]


def volume(vertices, faces):
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    return float((a * np.cross(b, c)).sum() / 6)


def assert_closed(faces):
    """Every edge is used once in each direction."""
    edges = Counter(
        (int(a), int(b)) for column in range(3) for a, b in faces[:, [column, column - 2]]
    )
    assert max(edges.values()) == 1
    assert all((b, a) in edges for a, b in edges)


@pytest.mark.parametrize("make", PEOPLE)
def test_every_piece_is_closed_and_faces_outward(make):
    skin = make().skin
    found = pieces(skin.faces, len(skin.vertices))
    assert len(found) > 25
    for faces in found:
        assert_closed(faces)
        assert volume(skin.vertices, faces) > 0


@pytest.mark.parametrize("make", PEOPLE)
def test_the_mannequin_has_its_measures(make):
    someone = make()
    low, high = someone.skin.vertices.min(axis=0), someone.skin.vertices.max(axis=0)
    assert low[2] == pytest.approx(0.0, abs=1e-9)
    assert high[2] == pytest.approx(someone.measures.height, abs=0.02)
    assert 4000 <= len(someone.skin.faces) <= 8000
    soles = next(part for part in someone.skin.parts if part.name == "soles")
    sole = someone.skin.vertices[np.unique(soles.faces)]
    ankle = someone.skeleton.rest_pose()[0][someone.skeleton.index("left_foot")]
    assert sole[:, 0].min() - ankle[0] == pytest.approx(someone.measures.heel[0], abs=0.002)
    assert sole[:, 0].max() - ankle[0] == pytest.approx(someone.measures.toe_tip[0], abs=0.002)


@pytest.mark.parametrize("make", PEOPLE)
def test_the_mannequin_is_the_same_on_both_sides(make):
    vertices = make().skin.vertices
    there = {tuple(row) for row in np.round(vertices, 6) + 0.0}
    mirrored = np.round(vertices * [1.0, -1.0, 1.0], 6) + 0.0
    assert all(tuple(row) in there for row in mirrored)


def test_normals_point_out_of_the_surface():
    skin = adult().skin
    corners = skin.vertices[skin.faces]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.linalg.norm(across, axis=1)
    real = area > 1e-9
    facing = (across[real] / area[real, None] * skin.normals[skin.faces[real, 0]]).sum(axis=1)
    assert (facing > 0).mean() > 0.99


def test_the_visor_is_on_the_front_of_the_head():
    someone = adult()
    visor = next(part for part in someone.skin.parts if part.name == "visor")
    points = someone.skin.vertices[np.unique(visor.faces)]
    head = someone.skeleton.rest_pose()[0][someone.skeleton.index("head")]
    assert points[:, 0].max() > head[0] + 0.08
    assert abs(points[:, 2].mean() - someone.measures.eye_height) < 0.03


@pytest.mark.parametrize(
    ("bends", "least"),
    [
        ({"left_shin": (1, 2.4), "left_thigh": (1, -1.8)}, 0.98),
        ({"left_forearm": (1, -2.3)}, 0.98),
        ({"left_upper_arm": (0, 2.6), "left_shoulder": (0, 0.3)}, 0.85),
        ({"spine": (1, 0.7), "chest": (1, 0.5)}, 0.75),
        ({"left_toe": (1, -1.0), "left_foot": (1, 0.8)}, 0.85),
        ({"head": (2, 0.7), "neck": (2, 0.6)}, 0.75),
    ],
)
def test_no_piece_collapses_when_joints_bend_far(bends, least):
    someone = adult()
    skeleton, skin = someone.skeleton, someone.skin
    local = skeleton.rest_rotations.copy()
    for joint, (axis, angle) in bends.items():
        index = skeleton.index(joint)
        local[index] = rotations.multiply(
            rotations.from_axis_angle(np.eye(3)[axis], angle), local[index]
        )
    posed, _ = someone.posed(skeleton.offsets[0], local)
    for faces in pieces(skin.faces, len(skin.vertices)):
        assert volume(posed, faces) > least * volume(skin.vertices, faces)


def test_a_bent_knee_stays_round():
    someone = adult()
    skeleton = someone.skeleton
    local = skeleton.rest_rotations.copy()
    local[skeleton.index("left_shin")] = rotations.from_axis_angle([0.0, 1.0, 0.0], 2.2)
    places, _ = skeleton.forward(skeleton.offsets[0], local)
    knee = places[skeleton.index("left_shin")]
    posed, _ = someone.posed(skeleton.offsets[0], local)
    # On the outside of the bend, the direction between the two bones' fronts.
    outside = np.array([np.cos(1.1), 0.0, np.sin(1.1)])
    reach = ((posed - knee) @ outside)[np.linalg.norm(posed - knee, axis=1) < 0.08].max()
    assert reach > 0.045


def test_curves_pass_through_their_stations_without_overshoot():
    stations = np.array([[0.0, 1.0, 0.0], [1.0, 3.0, 0.0], [1.5, 3.0, 1.0], [4.0, 0.0, 5.0]])
    np.testing.assert_allclose(through(stations, stations[:, 0]), stations[:, 1:], atol=1e-12)
    fine = through(stations, np.linspace(-1.0, 5.0, 500))
    assert fine.min() >= -1e-12
    assert fine[:, 0].max() <= 3.0 + 1e-12
    assert (np.diff(fine[:, 1]) >= -1e-12).all()


def test_simple_surfaces_have_the_volumes_of_their_solids():
    ball = sphere(2.0, rings=60, segments=120)
    assert volume(ball.vertices, ball.faces) == pytest.approx(32 * np.pi / 3, rel=0.01)
    tube = loft(
        [(0.0, 1.0, 1.0, 1.0, 1.0), (5.0, 1.0, 1.0, 1.0, 1.0)],
        low=End(depth=1e-3, inset=1e-3),
        high=End(depth=1e-3, inset=1e-3),
        rings=4,
        segments=200,
    )
    assert volume(tube.vertices, tube.faces) == pytest.approx(5 * np.pi, rel=0.01)
    mirrored = tube.moved([0.0, 3.0, 0.0]).mirrored()
    assert volume(mirrored.vertices, mirrored.faces) == pytest.approx(5 * np.pi, rel=0.01)
    height, left = np.meshgrid(np.arange(3.0), np.arange(4.0), indexing="ij")
    outer = np.stack([np.ones_like(height), left, height], axis=-1)
    plate = patch(outer, outer - [1.0, 0.0, 0.0])
    assert_closed(plate.faces)
    assert volume(plate.vertices, plate.faces) == pytest.approx(6.0)
