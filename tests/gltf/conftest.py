"""Fixtures for glTF files: hand-written JSON."""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest


@pytest.fixture
def write_json(tmp_path: Path) -> Callable[..., Path]:
    """Writes JSON (with a version) as a .gltf file; `data` becomes its embedded buffer 0."""

    def write(body: dict[str, Any], data: bytes = b"", name: str = "scene.gltf") -> Path:
        document = {"asset": {"version": "2.0"}} | body
        if data and "buffers" not in document:
            uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
            document["buffers"] = [{"byteLength": len(data), "uri": uri}]
        path = tmp_path / name
        path.write_text(json.dumps(document))
        return path

    return write


@pytest.fixture
def write_glb(tmp_path: Path) -> Callable[..., Path]:
    """Writes JSON and a binary chunk as a .glb file."""

    def write(body: dict[str, Any], data: bytes = b"", name: str = "scene.glb") -> Path:
        text = json.dumps({"asset": {"version": "2.0"}} | body).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
        if data:
            data += bytes(-len(data) % 4)
            chunks += struct.pack("<II", len(data), 0x004E4942) + data
        path = tmp_path / name
        path.write_bytes(b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks)
        return path

    return write


@pytest.fixture
def triangle() -> tuple[dict[str, Any], bytes]:
    """The JSON and the buffer of one triangle: positions, then 16-bit indices."""
    data = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4").tobytes()
    data += np.array([0, 1, 2], "<u2").tobytes()
    body = {
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "name": "flag"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": 36},
            {"buffer": 0, "byteOffset": 36, "byteLength": 6},
        ],
    }
    return body, data


@pytest.fixture(scope="session")
def data_folder(data: Path) -> Path:
    """The folder with the Khronos sample models."""
    return data / "scenes" / "gltf"
