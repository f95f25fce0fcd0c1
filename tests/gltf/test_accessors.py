from __future__ import annotations

import numpy as np
import pytest

from surefoot.errors import FileError, InputError
from surefoot.gltf import GltfBuilder, read_gltf
from surefoot.gltf.buffers import Budget

DTYPES = ["int8", "uint8", "int16", "uint16", "uint32", "float32"]
SHAPES = [(), (2,), (3,), (4,), (2, 2), (3, 3), (4, 4)]


def some(dtype, shape, count=5, seed=0):
    random = np.random.default_rng(seed)
    if dtype == "float32":
        return random.normal(size=(count, *shape)).astype(dtype)
    info = np.iinfo(dtype)
    return random.integers(info.min, info.max, (count, *shape), dtype=dtype, endpoint=True)


@pytest.mark.parametrize("use", [None, "vertex"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_kind_survives_writing_and_reading(tmp_path, dtype, shape, use):
    values = some(dtype, shape)
    builder = GltfBuilder()
    index = builder.add_accessor(values, use=use, bounds=True)
    builder.save(tmp_path / "x.glb")
    read = read_gltf(tmp_path / "x.glb")
    array = read.accessor(index)
    assert array.dtype == np.dtype(dtype)
    np.testing.assert_array_equal(array, values)
    assert not array.flags.writeable
    entry = read.json["accessors"][0]
    flat = (values.transpose(0, 2, 1) if len(shape) == 2 else values).reshape(5, -1)
    assert entry["min"] == flat.min(axis=0).tolist()
    assert entry["max"] == flat.max(axis=0).tolist()


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16"])
def test_normalized_integers_are_fractions(tmp_path, dtype):
    info = np.iinfo(dtype)
    builder = GltfBuilder()
    index = builder.add_accessor(np.array([info.min, 0, 1, info.max], dtype), normalized=True)
    builder.save(tmp_path / "x.gltf")
    lowest = -1.0 if info.min else 0.0  # -128 and -127 both mean -1
    np.testing.assert_allclose(
        read_gltf(tmp_path / "x.gltf").accessor(index), [lowest, 0, 1 / info.max, 1], rtol=1e-15
    )


def test_float64_is_rounded_and_equal_arrays_are_stored_once(tmp_path):
    builder = GltfBuilder()
    first = builder.add_accessor(np.array([0.1, 0.2]))
    assert builder.add_accessor(np.array([0.1, 0.2])) == first
    assert builder.add_accessor(np.array([0.1, 0.2]), bounds=True) != first
    builder.save(tmp_path / "x.glb")
    np.testing.assert_array_equal(
        read_gltf(tmp_path / "x.glb").accessor(first), np.array([0.1, 0.2], np.float32)
    )


def test_an_accessor_that_is_not_there(write_json):
    with pytest.raises(InputError, match="accessor 0 is out of range, the file has 0"):
        read_gltf(write_json({})).accessor(0)


def test_interleaved_attributes(write_json):
    packed = np.zeros(4, np.dtype([("p", "<f4", 3), ("c", "<u1", 4), ("n", "<i2", 2)]))
    packed["p"], packed["c"] = some("float32", (3,), 4), some("uint8", (4,), 4)
    packed["n"] = some("int16", (2,), 4)
    body = {
        "bufferViews": [{"buffer": 0, "byteLength": packed.nbytes, "byteStride": 20}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
            {"bufferView": 0, "byteOffset": 12, "componentType": 5121, "count": 4, "type": "VEC4"},
            {"bufferView": 0, "byteOffset": 16, "componentType": 5122, "count": 4, "type": "VEC2"},
        ],
    }
    read = read_gltf(write_json(body, packed.tobytes()))
    for index, name in enumerate("pcn"):
        np.testing.assert_array_equal(read.accessor(index), packed[name])


def test_the_last_column_of_a_small_matrix_needs_no_padding(write_json):
    data = bytes([1, 2, 0, 0, 3, 4])
    accessor = {"bufferView": 0, "componentType": 5121, "count": 1, "type": "MAT2"}
    body = {"bufferViews": [{"buffer": 0, "byteLength": 6}], "accessors": [accessor]}
    np.testing.assert_array_equal(read_gltf(write_json(body, data)).accessor(0), [[[1, 3], [2, 4]]])


def sparse(count=5, base=True, where=(1, 4), component=5121, **changes):
    """JSON and data of a sparse accessor of VEC2 floats."""
    values = some("float32", (2,), 5)
    patch = np.array([[10, 11], [12, 13]], "<f4")
    kinds = {5120: "<i1", 5121: "<u1", 5123: "<u2", 5125: "<u4"}
    indices = np.array(where, kinds[component]).tobytes()
    data = values.tobytes() + patch.tobytes() + indices
    accessor = {"componentType": 5126, "count": count, "type": "VEC2"}
    if base:
        accessor["bufferView"] = 0
    accessor["sparse"] = {
        "count": 2,
        "indices": {"bufferView": 2, "componentType": component},
        "values": {"bufferView": 1},
    } | changes
    views = [
        {"buffer": 0, "byteLength": 40},
        {"buffer": 0, "byteOffset": 40, "byteLength": 16},
        {"buffer": 0, "byteOffset": 56, "byteLength": len(indices)},
    ]
    expected = values.copy() if base else np.zeros((5, 2), np.float32)
    expected[[1, 4]] = patch
    return {"bufferViews": views, "accessors": [accessor]}, data, expected


@pytest.mark.parametrize("base", [True, False])
@pytest.mark.parametrize("component", [5121, 5123, 5125])
def test_sparse_accessors(write_json, base, component):
    body, data, expected = sparse(base=base, component=component)
    np.testing.assert_array_equal(read_gltf(write_json(body, data)).accessor(0), expected)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"where": (4, 1)}, "accessors[0].sparse.indices: must increase"),
        ({"where": (1, 5)}, "accessors[0].sparse.indices: 5 is out of range, the accessor has 5"),
        ({"component": 5120}, "accessors[0].sparse.indices.componentType: 5120 is no unsigned"),
        ({"count": 1}, "accessors[0].sparse.count: must be at most 1, got 2"),
        (
            {"values": {"bufferView": 9}},
            "sparse.values.bufferView: 9 is out of range, the file has 3",
        ),
        ({"values": {}}, "accessors[0].sparse.values.bufferView: is missing"),
    ],
)
def test_bad_sparse_accessors(write_json, arguments, message):
    body, data, _ = sparse(**arguments)
    with pytest.raises(FileError) as error:
        read_gltf(write_json(body, data)).accessor(0)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bufferView": 12}, "accessors[0].bufferView: 12 is out of range, the file has 1"),
        ({"bufferView": -1}, "accessors[0].bufferView: -1 is out of range, the file has 1"),
        ({"bufferView": "a"}, "accessors[0].bufferView: must be an integer, got 'a'"),
        ({"bufferView": True}, "accessors[0].bufferView: must be an integer, got true"),
        ({"bufferView": 0.5}, "accessors[0].bufferView: must be an integer, got 0.5"),
        ({"count": 0}, "accessors[0].count: must be at least 1, got 0"),
        ({"count": -4}, "accessors[0].count: must be at least 1, got -4"),
        ({"count": 4}, "accessors[0]: 4 elements end at byte 48 of bufferViews[0], which has 36"),
        ({"count": 10**15}, "accessors[0].count: needs"),
        ({"count": 10**400}, "accessors[0].count: needs"),
        ({"count": 10**9, "bufferView": None}, "accessors[0].count: needs"),
        ({"byteOffset": -1}, "accessors[0].byteOffset: must be at least 0, got -1"),
        ({"byteOffset": 4}, "accessors[0]: 3 elements end at byte 40"),
        ({"byteOffset": 2**70}, "accessors[0]: 3 elements end at byte"),
        ({"componentType": 5124}, "accessors[0].componentType: 5124 is unknown; there are: 5120"),
        ({"type": "VEC5"}, "accessors[0].type: 'VEC5' is unknown; there are: SCALAR, VEC2"),
        ({"type": 3}, "accessors[0].type: must be text, got 3"),
        ({"normalized": 1}, "accessors[0].normalized: must be true or false, got 1"),
    ],
)
def test_bad_accessors(write_json, triangle, changes, message):
    body, data = triangle
    entry = body["accessors"][0] | changes
    entry = {key: value for key, value in entry.items() if value is not None}
    accessors = {"accessors": [entry], "bufferViews": body["bufferViews"][:1]}
    path = write_json(accessors, data)
    with pytest.raises(FileError) as error:
        read_gltf(path).accessor(0)
    assert f"{path}: {message}" in str(error.value)


def test_what_is_not_finite_is_refused(write_json, triangle):
    body, data = triangle
    data = data[:16] + np.array([np.nan], "<f4").tobytes() + data[20:]
    with pytest.raises(FileError, match=r"accessors\[0\]: element 1 is not a finite number"):
        read_gltf(write_json(body, data))


def test_many_accessors_on_the_same_bytes_cannot_fill_the_memory(write_json, monkeypatch):
    monkeypatch.setattr("surefoot.gltf.document.Budget", lambda: Budget(200_000))
    accessor = {"componentType": 5126, "count": 1000, "type": "MAT4"}
    body = {
        "accessors": [accessor] * 4,
        "skins": [{"joints": [0], "inverseBindMatrices": index} for index in range(4)],
        "nodes": [{}],
    }
    with pytest.raises(FileError, match=r"accessors\[3\]\.count: needs 64000 bytes"):
        read_gltf(write_json(body))
