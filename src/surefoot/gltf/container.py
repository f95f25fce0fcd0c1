"""The outer shell of a glTF file: JSON text, or a GLB with its chunks."""

from __future__ import annotations

import json
import struct
from typing import Any, Final, NoReturn

from surefoot.errors import FileError, VersionError
from surefoot.gltf.fields import Field

GLB_MAGIC: Final = b"glTF"
CHUNK_JSON: Final = 0x4E4F534A
CHUNK_BINARY: Final = 0x004E4942


def open_container(file: str, data: bytes) -> tuple[Field, bytes | None]:
    """The JSON root of a glTF file and, for a GLB that has one, its binary chunk.

    Which of the two it is shows in the first bytes; the name does not matter.
    """
    if data[:4] == GLB_MAGIC:
        text, binary = _glb_chunks(file, data)
    elif data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{":
        text, binary = data, None
    else:
        raise FileError(
            f"{file}: is no glTF file: it begins neither with 'glTF', as a .glb does, nor with"
            " '{', as a .gltf does"
        )
    root = Field(file, "", parse_json(file, text))
    if not isinstance(root.value, dict):
        raise root.error("is no glTF file: its JSON is no object")
    _check_version(root)
    return root, binary


def parse_json(file: str, data: bytes) -> Any:
    """The value of strict JSON text: UTF-8, no NaN, not nested without end."""

    def refuse(constant: str) -> NoReturn:
        raise ValueError(f"{constant} is no JSON number")

    try:
        return json.loads(data.decode("utf-8-sig"), parse_constant=refuse)
    except UnicodeDecodeError as reason:
        raise FileError(f"{file}: is no UTF-8 text (byte {reason.start})") from reason
    except json.JSONDecodeError as reason:
        where = f"line {reason.lineno}, column {reason.colno}"
        raise FileError(f"{file}: is no JSON: {reason.msg} ({where})") from reason
    except ValueError as reason:
        raise FileError(f"{file}: is no JSON: {reason}") from reason
    except RecursionError as reason:
        raise FileError(f"{file}: its JSON is nested too deeply") from reason


def _glb_chunks(file: str, data: bytes) -> tuple[bytes, bytes | None]:
    if len(data) < 12:
        raise FileError(f"{file}: is truncated: {len(data)} bytes, a GLB header takes 12")
    version, length = struct.unpack_from("<II", data, 4)
    if version != 2:
        raise VersionError(f"{file}: is GLB version {version}; version 2 can be read")
    if length < 12 or length > len(data):
        raise FileError(
            f"{file}: is truncated: its header states {length} bytes, it has {len(data)}"
        )
    chunks: list[tuple[int, bytes]] = []
    at = 12
    # Only the first two chunks mean anything in version 2.
    while at < length and len(chunks) < 2:
        if at + 8 > length:
            raise FileError(f"{file}: chunk {len(chunks)}: is truncated in its header")
        size, kind = struct.unpack_from("<II", data, at)
        if at + 8 + size > length:
            raise FileError(
                f"{file}: chunk {len(chunks)}: states {size} bytes, {length - at - 8} are left"
            )
        chunks.append((kind, data[at + 8 : at + 8 + size]))
        at += 8 + size
    if not chunks or chunks[0][0] != CHUNK_JSON:
        raise FileError(f"{file}: its first chunk must be JSON")
    binary = chunks[1][1] if len(chunks) > 1 and chunks[1][0] == CHUNK_BINARY else None
    return chunks[0][1], binary


def _check_version(root: Field) -> None:
    asset = root.require("asset")
    for key in ("version", "minVersion"):
        field = asset.require(key) if key == "version" else asset.get(key)
        if field is None:
            continue
        major, _, minor = field.string().partition(".")
        # A newer minor version stays readable by definition, unless `minVersion` denies it.
        readable = major == "2" and (key == "version" or minor == "0")
        if not readable:
            raise VersionError(
                f"{root.file}: {field.path}: {field.string()!r} cannot be read, only 2.0 can"
            )
