from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import surefoot.world.loaders
from surefoot.errors import FileError, InputError
from surefoot.gltf import read_gltf
from surefoot.world.loaders import EXTENSIONS, load_world, read_world

OBJ = "o a\nv 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n"
STL = (
    "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 2 0\n"
    "endloop\nendfacet\nendsolid\n"
)
PLY = (
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
    "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
    "0 0 0\n1 0 0\n0 2 0\n3 0 1 2\n"
)


@pytest.fixture
def data_folder(data: Path) -> Path:
    return data / "scenes"


def test_every_public_name_exists():
    for name in surefoot.world.loaders.__all__:
        assert getattr(surefoot.world.loaders, name) is not None


@pytest.mark.parametrize(
    ("name", "text", "up"),
    [("a.obj", OBJ, "y"), ("a.OBJ", OBJ, "y"), ("a.stl", STL, "z"), ("a.ply", PLY, "z")],
)
def test_static_formats_and_their_axes(tmp_path, name, text, up):
    (tmp_path / name).write_text(text)
    world, report = read_world(tmp_path / name)
    assert world.name == "a"
    assert (report.bodies, report.triangles, report.skipped, report.animations) == (1, 1, (), ())
    assert not world["a"].trajectory.moving
    tall = world["a"].mesh.bounds[1]
    np.testing.assert_array_equal(tall, [1, 0, 2] if up == "y" else [1, 2, 0])
    tall = load_world(tmp_path / name, up="y", scale=0.5)["a"].mesh.bounds[1]
    np.testing.assert_array_equal(tall, [0.5, 0, 1])
    tall = load_world(str(tmp_path / name), up="z")["a"].mesh.bounds[1]
    np.testing.assert_array_equal(tall, [1, 2, 0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"up": "x"}, "unknown up axis 'x'; there are: y, z"),
        ({"scale": 0}, "scale must be greater than 0, got 0"),
        ({"scale": -1}, "scale must be greater than 0, got -1"),
        ({"scale": "big"}, "scale must be a number, got 'big'"),
        ({"repeat": "never"}, "unknown repeat 'never'; there are: loop, once, ping-pong"),
        ({"animation": "a"}, "unknown animation 'a'; there are: none"),
    ],
)
def test_bad_settings(tmp_path, options, message):
    (tmp_path / "a.obj").write_text(OBJ)
    with pytest.raises(InputError) as error:
        load_world(tmp_path / "a.obj", **options)
    assert message in str(error.value)


def test_unknown_extensions(tmp_path):
    with pytest.raises(FileError) as error:
        load_world(tmp_path / "scene.fbx")
    message = "unknown extension '.fbx'; there are: .glb, .gltf, .json, .obj, .ply, .stl"
    assert str(error.value) == f"{tmp_path / 'scene.fbx'}: {message}"
    with pytest.raises(FileError, match="unknown extension ''"):
        load_world(tmp_path / "scene")


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_missing_and_empty_files(tmp_path, extension):
    path = tmp_path / f"scene{extension}"
    with pytest.raises(FileError) as error:
        load_world(path)
    assert str(error.value) == f"{path}: there is no such file"
    path.write_bytes(b"")
    with pytest.raises(FileError) as error:
        load_world(path)
    assert str(error.value) == f"{path}: is empty"


def test_what_has_no_area_is_reported(tmp_path):
    (tmp_path / "a.obj").write_text(OBJ + "o line\nf 1 1 2\n")
    world, report = read_world(tmp_path / "a.obj")
    assert list(world.bodies) == ["a"]
    assert [str(entry) for entry in report.skipped] == ["mesh 'line': its triangles have no area"]


def test_coordinates_that_no_world_can_have(tmp_path):
    (tmp_path / "a.obj").write_text(OBJ.replace("v 1 0 0", "v 1e200 0 0"))
    for scale in (1.0, 1e-100, 1e14):
        with pytest.raises(FileError, match="body 'a': coordinates must be within 10,000,000 m"):
            load_world(tmp_path / "a.obj", scale=scale)
    with pytest.raises(InputError, match="scale must be within 1e15 of zero"):
        load_world(tmp_path / "a.obj", scale=1e100)


@pytest.mark.parametrize("name", ["small_house_collision", "small_warehouse_collision"])
def test_rooms_with_furniture(data_folder, name):
    path = data_folder / "aws_robomaker" / f"{name}.obj"
    lines = path.read_text().splitlines()
    world, report = read_world(path)
    assert list(world.bodies) == [line[2:] for line in lines if line.startswith("o ")]
    assert report.skipped == ()
    faces = sum(line.startswith("f ") for line in lines)
    vertices = np.array([line.split()[1:] for line in lines if line.startswith("v ")], float)
    assert 0.99 * faces <= report.triangles <= faces  # a few have no area
    bounds = np.array([body.mesh.bounds for body in world.bodies.values()])
    low, high = bounds[:, 0].min(axis=0), bounds[:, 1].max(axis=0)
    assert low[2] == pytest.approx(vertices[:, 1].min())
    assert high[2] == pytest.approx(vertices[:, 1].max())
    assert low[1] == pytest.approx(-vertices[:, 2].max())


def test_polygons_and_groups_of_recast(data_folder):
    world, _ = read_world(data_folder / "recast" / "nav_test.obj")
    assert list(world.bodies) == ["nav_test.obj/Generic", "nav_test.obj/Cube"]


def test_animated_box(data_folder):
    path = data_folder / "gltf" / "BoxAnimated.glb"
    world, report = read_world(path)
    assert list(world.bodies) == ["inner_box", "outer_box"]
    assert report.animations == ("animation0",)
    inner, outer = world["inner_box"].trajectory, world["outer_box"].trajectory
    assert inner.moving
    assert not outer.moving
    # Straight from the accessors: node 0 rises along four keys, node 2 below it turns half round
    # about x between 1.25 s and 2.5 s; both start over with the animation, at 3.708 s.
    gltf = read_gltf(path)
    times, heights = gltf.accessor(8).astype(float), gltf.accessor(9)[:, 1].astype(float)
    for t in (0.0, 0.3, 1.1, 1.25, 1.6, 1.875, 2.3, 2.5, 3.0, 3.7, 3.9, 5.5, 8.0):
        inside = t % times[-1]
        pose = inner.pose(t)
        np.testing.assert_allclose(
            pose.position, [0, 0, np.interp(inside, times, heights)], atol=1e-6
        )
        angle = np.pi * np.clip((inside - 1.25) / 1.25, 0, 1)
        up = pose.apply([0.0, 0.0, 1.0]) - pose.position
        np.testing.assert_allclose(up[2], np.cos(angle), atol=1e-6)
        np.testing.assert_allclose(abs(up[1]), np.sin(angle), atol=1e-6)
    np.testing.assert_allclose(
        world["inner_box"].mesh.bounds, [[-0.33504, -0.33504, -0.5], [0.33504, 0.33504, 0.5]]
    )
    assert world["inner_box"].color == pytest.approx((0.8, 0.415942, 0.795292))
    assert inner.pose(10.0).position[2] != 0.0
    resting = load_world(path, repeat="once")["inner_box"].trajectory
    np.testing.assert_allclose(resting.pose(10.0).position, [0, 0, heights[-1]], atol=1e-6)


@pytest.mark.parametrize("name", ["RiggedSimple", "RiggedFigure", "CesiumMan", "Fox"])
def test_characters_are_not_part_of_a_world(data_folder, name):
    world, report = read_world(data_folder / "gltf" / f"{name}.glb")
    assert len(world) == 0
    assert [entry.kind for entry in report.skipped] == ["skinned mesh"]


def test_a_robot_of_rigid_parts(data_folder):
    path = data_folder / "gltf" / "RobotExpressive.glb"
    world, report = read_world(path)
    kinds = [entry.kind for entry in report.skipped]
    assert kinds.count("skinned mesh") == 2
    assert {entry.name for entry in report.skipped[:2]} == {"Hand.L", "Hand.R"}
    assert kinds.count("animation") == 13
    assert len(report.animations) == 14
    assert {"Head", "Torso", "Foot.L", "Foot.R"} <= set(world.bodies)
    walking = load_world(path, animation="Walking")
    feet = [walking["Foot.L"].trajectory.pose(t).position for t in np.linspace(0, 0.9, 10)]
    assert np.ptp(feet, axis=0).max() > 0.1
    standing = world.at(0.0)
    heads = standing["Head"].trajectory.pose(0).apply(standing["Head"].mesh.bounds.mean(axis=0))
    soles = standing["Foot.L"].trajectory.pose(0).apply(standing["Foot.L"].mesh.bounds.mean(axis=0))
    assert heads[2] > soles[2] + 1.0
