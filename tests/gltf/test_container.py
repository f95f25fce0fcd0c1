from __future__ import annotations

import struct

import numpy as np
import pytest

from surefoot.errors import FileError, VersionError
from surefoot.gltf import GltfBuilder, read_gltf


def read(tmp_path, data, name="x.glb"):
    (tmp_path / name).write_bytes(data)
    return read_gltf(tmp_path / name)


@pytest.fixture
def glb():
    builder = GltfBuilder()
    builder.add_node("a", extras={"note": "ä"})
    builder.add_accessor(np.arange(3.0))
    return builder.to_glb()


def chunk(kind, data):
    return struct.pack("<I4s", len(data), kind) + data


def test_the_form_shows_in_the_bytes_and_not_in_the_name(tmp_path, glb):
    assert read(tmp_path, glb, "binary.gltf").nodes[0].extras == {"note": "ä"}
    text = b'\xef\xbb\xbf{"asset": {"version": "2.7"}, "nodes": [{"name": "b"}]}'
    assert read(tmp_path, text, "text.glb").nodes[0].name == "b"


def test_trailing_bytes_and_unknown_chunks_are_ignored(tmp_path, glb):
    assert len(read(tmp_path, glb + b"junk").nodes) == 1
    longer = glb + chunk(b"XTRA", b"1234")
    longer = longer[:8] + struct.pack("<I", len(longer)) + longer[12:]
    np.testing.assert_array_equal(read(tmp_path, longer).accessor(0), [0, 1, 2])


def test_every_truncation_is_refused(tmp_path, glb):
    for size in range(1, len(glb)):
        with pytest.raises(FileError, match=r"x\.glb: "):
            read(tmp_path, glb[:size])


def with_json(text):
    body = chunk(b"JSON", text)
    return b"glTF" + struct.pack("<II", 2, 12 + len(body)) + body


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b"glTF\2\0", "is truncated: 6 bytes, a GLB header takes 12"),
        (b"glTF" + struct.pack("<II", 1, 12), "is GLB version 1; version 2 can be read"),
        (b"glTF" + struct.pack("<II", 2, 99), "its header states 99 bytes, it has 12"),
        (b"glTF" + struct.pack("<II", 2, 3), "its header states 3 bytes, it has 12"),
        (b"glTF" + struct.pack("<II", 2, 12), "its first chunk must be JSON"),
        (b"glTF" + struct.pack("<II", 2, 16) + b"abcd", "chunk 0: is truncated in its header"),
        (
            b"glTF" + struct.pack("<II", 2, 24) + struct.pack("<I4s", 9, b"JSON") + b"{}  ",
            "chunk 0: states 9 bytes, 4 are left",
        ),
        (
            b"glTF" + struct.pack("<II", 2, 24) + struct.pack("<I4s", 4, b"BIN\0") + b"abcd",
            "its first chunk must be JSON",
        ),
        (with_json(b"{]  "), "is no JSON: "),
        (with_json(b"[]  "), "is no glTF file: its JSON is no object"),
        (b"{\n", "is no JSON: Expecting property name"),
        (b"{\n\n  oops}", "(line 3, column 3)"),
        (b'{"asset": NaN}', "is no JSON: NaN is no JSON number"),
        (b'{"a": -Infinity}', "is no JSON: -Infinity is no JSON number"),
        (b'{"a": ' + b"9" * 5000 + b"}", "is no JSON: "),
        (b'{"a": ' + b"[" * 100_000, "its JSON is nested too deeply"),
        (b"{\xff", "is no UTF-8 text (byte 1)"),
        (b"\xff\xfe{", "begins neither with 'glTF', as a .glb does, nor with '{'"),
        (b"Kaydara FBX", "begins neither with 'glTF'"),
        (b"{}", "asset: is missing"),
        (b'{"asset": 3}', "asset: must be an object, got 3"),
        (b'{"asset": {}}', "asset.version: is missing"),
        (b'{"asset": {"version": 2.0}}', "asset.version: must be text, got 2.0"),
        (b'{"asset": {"version": "1.0"}}', "asset.version: '1.0' cannot be read, only 2.0 can"),
        (
            b'{"asset": {"version": "2.1", "minVersion": "2.1"}}',
            "asset.minVersion: '2.1' cannot be read, only 2.0 can",
        ),
    ],
)
def test_what_is_no_gltf_is_refused(tmp_path, data, message):
    with pytest.raises(FileError) as error:
        read(tmp_path, data)
    assert str(error.value).startswith(f"{tmp_path / 'x.glb'}: ")
    assert message in str(error.value)


def test_another_version_is_a_version_error(tmp_path):
    with pytest.raises(VersionError):
        read(tmp_path, b'{"asset": {"version": "1.0"}}')


def test_missing_files_and_folders(tmp_path):
    with pytest.raises(FileError, match=r"nothing\.glb: there is no such file"):
        read_gltf(tmp_path / "nothing.glb")
    with pytest.raises(FileError, match="is no file, but a folder"):
        read_gltf(tmp_path)
    with pytest.raises(FileError, match="there is no such file"):
        read_gltf("a\0b.glb")
