"""Whatever the bytes: a file becomes a world, or is refused with an error of our own."""

from __future__ import annotations

import copy
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from surefoot.errors import FileError, SurefootError
from surefoot.gltf import Channel, GltfBuilder, Primitive
from surefoot.world.loaders import load_world

OBJ = b"""# a room
o floor
v 0 0 0
v 4 0 0 1 0.5 0
v 4 0 4
v 0 0 4 1.0
f 1 2 3 4
g wall
v 0 2 0
v 4 2 0
f 1/1 2/2/2 -1//1 \\
  5
l 1 2
"""
STL = b"""solid a
facet normal 0 0 1
 outer loop
  vertex 0 0 0
  vertex 1 0 0
  vertex 0 1.5e0 0
 endloop
endfacet
endsolid a
"""
PLY_HEAD = b"""ply
format %s 1.0
comment made by hand
element vertex 4
property float x
property float y
property float z
property uchar red
property uchar green
property uchar blue
element face 2
property list uchar int vertex_indices
property short flags
end_header
"""
POINTS = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
PLY_TEXT = PLY_HEAD % b"ascii" + b"".join(b"%d %d %d 255 0 9\n" % p for p in POINTS)
PLY_TEXT += b"4 0 1 2 3 7\n3 0 1 2 8\n"


def ply_binary(order: str) -> bytes:
    name = {"<": b"binary_little_endian", ">": b"binary_big_endian"}[order]
    data = PLY_HEAD % name
    for point in POINTS:
        data += np.array(point, order + "f4").tobytes() + bytes([255, 0, 9])
    for face in ([0, 1, 2, 3], [0, 1, 2]):
        data += bytes([len(face)]) + np.array(face, order + "i4").tobytes() + b"\0\7"
    return data


STL_BINARY = bytes(80) + b"\1\0\0\0" + np.arange(12, dtype="<f4").tobytes() + b"\0\0"


def scene() -> GltfBuilder:
    builder = GltfBuilder()
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], float)
    part = Primitive(positions=corners, triangles=np.array([[0, 1, 2]]))
    mesh = builder.add_mesh([part], extras={"cost": 2})
    root = builder.add_node("root", translation=[0, 1, 0], scale=[2, 2, 2], extras={"a": [1, {}]})
    lift = builder.add_node("lift", parent=root, rotation=[1, 1, 0, 0], mesh=mesh)
    builder.add_node("wall", mesh=mesh, scale=[1, -1, 3])
    turns = np.array([[1.0, 0, 0, 0], [0, 0, 1, 0]])
    times = np.array([0.0, 1.0])
    slopes = (np.zeros((2, 4)), np.ones((2, 4)))
    builder.add_animation(
        [
            Channel(node=root, path="translation", times=times, values=corners[:2],
                    interpolation="linear"),
            Channel(node=lift, path="rotation", times=times, values=turns,
                    interpolation="cubic", tangents=slopes),
        ]
    )  # fmt: skip
    return builder


GLTF = json.loads(scene().to_gltf())
FILES = [
    (".obj", OBJ),
    (".stl", STL),
    (".stl", STL_BINARY),
    (".ply", PLY_TEXT),
    (".ply", ply_binary("<")),
    (".ply", ply_binary(">")),
    (".glb", scene().to_glb()),
]


def load_or_refuse(extension: str, data: bytes) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"x{extension}")
        path.write_bytes(data)
        try:
            world = load_world(path)
            for body in world.bodies.values():
                body.trajectory.pose(0.25)
        except SurefootError as error:
            # Either outcome is right, but a refusal names the file.
            assert isinstance(error, FileError)  # noqa: PT017
            assert str(error).startswith(f"{path}: ")  # noqa: PT017
            return False
        return True


@pytest.mark.parametrize(("extension", "data"), FILES)
def test_the_files_are_good_to_begin_with(extension, data):
    assert load_or_refuse(extension, data)


@pytest.mark.parametrize(("extension", "data"), FILES)
def test_changed_bytes(extension, data):
    edits = st.tuples(st.integers(0, len(data)), st.integers(0, 4), st.binary(max_size=4))

    @settings(max_examples=120)
    @given(st.lists(edits, min_size=1, max_size=4))
    def check(changes):
        changed = data
        for place, removed, added in changes:
            changed = changed[:place] + added + changed[place + removed :]
        load_or_refuse(extension, changed)

    check()


WORDS = ["0", "1", "-1", "5", "1e308", "nan", "99999999999999999999", "x", "", "#", "\\", "o", "g"]
WORDS += ["f", "v", "vertex", "element face 3", "property list char float q", "list", "\n", "\0"]


@pytest.mark.parametrize(("extension", "data"), [entry for entry in FILES if entry[1].isascii()])
def test_changed_words(extension, data):
    words = data.decode().replace("\n", " \n ").split(" ")
    edits = st.tuples(st.integers(0, len(words) - 1), st.sampled_from(WORDS) | st.text(max_size=3))

    @settings(max_examples=120)
    @given(st.lists(edits, min_size=1, max_size=4))
    def check(changes):
        changed = list(words)
        for place, word in changes:
            changed[place] = word
        load_or_refuse(extension, " ".join(changed).encode("utf-8", "surrogatepass"))

    check()


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every (container, key) below a JSON value."""
    keys = (
        range(len(value)) if isinstance(value, list) else value if isinstance(value, dict) else ()
    )
    for key in list(keys):
        yield value, key
        yield from places(value[key])


PLACES = len(list(places(GLTF)))
numbers = st.integers(-2, 6) | st.sampled_from([2**64, 5126, 1e-30, 1e30, 1e300, 0.5, -1.0])
values = st.one_of(
    st.none(), st.booleans(), numbers, st.sampled_from(["", "CUBICSPLINE", "scale", "VEC4"]),
    st.lists(numbers, max_size=4), st.just({}),
)  # fmt: skip


@settings(max_examples=250)
@given(st.lists(st.tuples(st.integers(0, PLACES - 1), values), min_size=1, max_size=3))
def test_changed_json(changes):
    document = copy.deepcopy(GLTF)
    for place, value in changes:
        found = list(places(document))
        container, key = found[place % len(found)]
        container[key] = value
    load_or_refuse(".gltf", json.dumps(document).encode())
