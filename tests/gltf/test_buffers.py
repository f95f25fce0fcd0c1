from __future__ import annotations

import json
import os

import numpy as np
import pytest

from surefoot.errors import FileError
from surefoot.gltf import read_gltf


@pytest.fixture
def write(write_json, triangle):
    """Writes a triangle whose buffer 0 has the fields given."""
    body, _ = triangle

    def write(**buffer):
        return write_json(body | {"buffers": [{"byteLength": 42} | buffer]})

    return write


def test_buffers_beside_the_file(write, triangle, tmp_path):
    (tmp_path / "parts").mkdir()
    for name in ("parts/my data.bin", "100%.bin"):
        (tmp_path / name).write_bytes(triangle[1])
    for uri in ("parts/my%20data.bin", "parts/../parts/my data.bin", "./100%25.bin"):
        read = read_gltf(write(uri=uri))
        np.testing.assert_array_equal(read.meshes[0].primitives[0].triangles, [[0, 1, 2]])


def test_a_file_in_a_linked_folder_finds_its_buffers(write, triangle, tmp_path):
    path = write(uri="data.bin")
    (tmp_path / "data.bin").write_bytes(triangle[1])
    link = tmp_path / "link"
    link.symlink_to(tmp_path)
    assert len(read_gltf(link / path.name).meshes) == 1


def test_percent_encoded_data(write, triangle):
    text = "".join(f"%{byte:02x}" for byte in triangle[1])
    assert len(read_gltf(write(uri="data:," + text)).meshes) == 1


def test_the_binary_chunk_is_buffer_zero(write_glb, triangle):
    body, data = triangle
    body["buffers"] = [{"byteLength": 42}]
    assert len(read_gltf(write_glb(body, data)).meshes[0].primitives[0].positions) == 3
    body["buffers"] = [{"byteLength": 42, "uri": "data:,"}, {"byteLength": 42}]
    body["bufferViews"][0]["buffer"] = 1
    with pytest.raises(FileError, match=r"buffers\[1\]: has no uri"):
        read_gltf(write_glb(body, data))


def test_a_buffer_that_nothing_uses_is_not_opened(write_json, triangle):
    body, data = triangle
    document = json.loads(write_json(body, data).read_text())
    unused = {"byteLength": 10, "uri": "https://example.org/x.bin"}
    document["buffers"].insert(0, unused)
    for view in document["bufferViews"]:
        view["buffer"] = 1
    assert len(read_gltf(write_json(document)).meshes) == 1


@pytest.mark.parametrize(
    ("uri", "message"),
    [
        ("../secret.bin", "points outside the file's folder"),
        ("%2e%2e/secret.bin", "points outside the file's folder"),
        ("sub/../../secret.bin", "points outside the file's folder"),
        ("/etc/hostname", "points outside the file's folder"),
        ("%2Fetc/hostname", "points outside the file's folder"),
        ("..\\secret.bin", "points outside the file's folder"),
        ("C%3A/secret.bin", "points outside the file's folder"),
        ("a%00b", "points outside the file's folder"),
        ("", "points outside the file's folder"),
        ("link.bin", "points outside the file's folder"),
        ("linked/secret.bin", "points outside the file's folder"),
        ("http://example.org/a.bin", "network and absolute URIs are refused"),
        ("//example.org/a.bin", "network and absolute URIs are refused"),
        ("file:///etc/hostname", "network and absolute URIs are refused"),
        ("FTP:a.bin", "network and absolute URIs are refused"),
        ("none.bin", "there is no file 'none.bin' beside the glTF file"),
        (".", "there is no file '.' beside the glTF file"),
        ("pipe.bin", "there is no file 'pipe.bin' beside the glTF file"),
        ("data:nonsense", "is a data URI without data"),
        ("data:application/octet-stream;base64,????", "is no base64"),
        (17, "must be text, got 17"),
    ],
)
def test_where_buffers_must_not_come_from(write, tmp_path, uri, message):
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "secret.bin").write_bytes(bytes(42))
    (inner / "link.bin").symlink_to(tmp_path / "secret.bin")
    (inner / "linked").symlink_to(tmp_path)
    if hasattr(os, "mkfifo"):
        os.mkfifo(inner / "pipe.bin")
    path = write(uri=uri).rename(inner / "scene.gltf")
    with pytest.raises(FileError) as error:
        read_gltf(path)
    assert f"{path}: buffers[0].uri: " in str(error.value)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("buffer", "message"),
    [
        ({}, "buffers[0]: has no uri, and there is no binary chunk for it"),
        ({"byteLength": 0, "uri": "data:,"}, "buffers[0].byteLength: must be at least 1"),
        ({"byteLength": "x", "uri": "data:,"}, "buffers[0].byteLength: must be an integer"),
        ({"uri": "data:,abc"}, "buffers[0].byteLength: is 42, but there are 3"),
        ({"byteLength": 2**40, "uri": "data:,"}, "buffers[0].byteLength: needs 1099511627776"),
    ],
)
def test_bad_buffers(write, buffer, message):
    with pytest.raises(FileError) as error:
        read_gltf(write(**buffer))
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("view", "message"),
    [
        ({"buffer": 3}, "bufferViews[0].buffer: 3 is out of range, the file has 1"),
        ({"byteLength": 43}, "bufferViews[0]: ends at byte 43 of its buffer, which has 42"),
        ({"byteOffset": 30}, "bufferViews[0]: ends at byte 66 of its buffer, which has 42"),
        ({"byteOffset": -1}, "bufferViews[0].byteOffset: must be at least 0"),
        ({"byteLength": -36}, "bufferViews[0].byteLength: must be at least 1"),
        ({"byteLength": 2**65}, "bufferViews[0]: ends at byte"),
        ({"byteStride": 8}, "accessors[0]: its elements take 12 bytes, the view's stride is 8"),
        ({"byteStride": 256}, "bufferViews[0].byteStride: must be at most 252"),
        ({"byteStride": 16}, "accessors[0]: 3 elements end at byte 44 of bufferViews[0]"),
    ],
)
def test_bad_views(write_json, triangle, view, message):
    body, data = triangle
    body["bufferViews"][0] |= view
    with pytest.raises(FileError) as error:
        read_gltf(write_json(body, data))
    assert message in str(error.value)
