"""Whatever the bytes: a glTF file is read, or refused with an error of our own."""

from __future__ import annotations

import copy
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from surefoot.errors import FileError
from surefoot.gltf import Channel, GltfBuilder, Primitive, read_gltf


def example() -> GltfBuilder:
    builder = GltfBuilder()
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], float)
    material = builder.add_material(base_color=(0.5, 0.5, 0.5))
    joints, weights = np.zeros((3, 4), int), np.tile([1.0, 0, 0, 0], (3, 1))
    part = Primitive(positions=corners, triangles=np.array([[0, 1, 2]]), normals=corners + 1,
                     joints=joints, weights=weights, material=material)  # fmt: skip
    mesh = builder.add_mesh([part])
    root = builder.add_node("root", translation=[0, 1, 0], extras={"a": 1})
    skin = builder.add_skin([builder.add_node("joint", parent=root)], np.eye(4)[None])
    builder.add_node("body", mesh=mesh, skin=skin)
    builder.add_animation(
        [
            Channel(node=root, path="translation", times=np.array([0.0, 1]),
                    values=corners[:2], interpolation="linear"),
        ]
    )  # fmt: skip
    return builder


DOCUMENT = json.loads(example().to_gltf())
GLB = example().to_glb()

numbers = st.integers(-3, 6) | st.sampled_from([2**31, 2**64, -(2**63), 10**30, 5126, 5123, 252])
values = st.recursive(
    st.none()
    | st.booleans()
    | numbers
    | st.floats()
    | st.sampled_from(["", "VEC3", "data:,", ".."]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=4,
)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every (container, key) below a JSON value."""
    pairs = (
        value.items() if isinstance(value, dict)
        else enumerate(value) if isinstance(value, list) else ()
    )  # fmt: skip
    for key, inner in list(pairs):
        yield value, key
        yield from places(inner)


PLACES = len(list(places(DOCUMENT)))


def read_or_refuse(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.glb")
        path.write_bytes(data)
        try:
            read = read_gltf(path)
            read.global_matrices()
            read.visible()
        except FileError as error:
            assert str(error).startswith(f"{path}: ")  # noqa: PT017 - either outcome is right


@settings(max_examples=250)
@given(st.lists(st.tuples(st.integers(0, PLACES - 1), st.none() | values), min_size=1, max_size=3))
def test_changed_json(changes):
    document = copy.deepcopy(DOCUMENT)
    for place, value in changes:
        found = list(places(document))
        container, key = found[place % len(found)]
        if value is None:
            del container[key]
        else:
            container[key] = value
        if not list(places(document)):
            break
    read_or_refuse(json.dumps(document).encode())


@settings(max_examples=300)
@given(
    st.lists(st.tuples(st.integers(0, len(GLB) - 1), st.integers(0, 255)), max_size=6),
    st.integers(0, len(GLB)),
    st.booleans(),
)
def test_changed_bytes(changes, end, cut):
    data = bytearray(GLB)
    for place, value in changes:
        data[place] = value
    read_or_refuse(bytes(data[:end] if cut else data))


@settings(max_examples=100)
@given(st.binary(max_size=200))
def test_any_bytes(data):
    read_or_refuse(data)
    read_or_refuse(GLB[:20] + data)
