"""The binary data of a glTF file: its GLB chunk, data URIs, and files beside it."""

from __future__ import annotations

import base64
import binascii
import re
from pathlib import Path
from urllib.parse import unquote, unquote_to_bytes

from surefoot.files import SIZE_LIMIT, read_bytes
from surefoot.gltf.fields import Field

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")


class Budget:
    """How many bytes may still be decoded from one file; the sum is at most `SIZE_LIMIT`."""

    def __init__(self, limit: int = SIZE_LIMIT) -> None:
        self._limit = limit
        self._left = limit

    def spend(self, size: int, field: Field) -> None:
        """Take `size` bytes for `field`, before they are allocated."""
        if size > self._left:
            raise field.error(
                f"needs {size} bytes; the whole file may decode to at most {self._limit}"
            )
        self._left -= size


class Buffers:
    """The buffers and buffer views of one file; a buffer is loaded when it is first used."""

    def __init__(self, root: Field, folder: Path, chunk: bytes | None, budget: Budget) -> None:
        self._folder = folder
        self._chunk = chunk
        self._budget = budget
        self._buffers = root.elements("buffers")
        self._views = root.elements("bufferViews")
        self._loaded: dict[int, memoryview] = {}

    @property
    def view_count(self) -> int:
        """How many buffer views the file has."""
        return len(self._views)

    def view(self, index: int) -> tuple[memoryview, int]:
        """The bytes of a buffer view, and the stride it states (0 when it states none)."""
        field = self._views[index]
        buffer = self._buffer(field.require("buffer").index(len(self._buffers)))
        offset = field.optional_integer("byteOffset", 0)
        length = field.require("byteLength").integer(low=1)
        if offset + length > len(buffer):
            raise field.error(
                f"ends at byte {offset + length} of its buffer, which has {len(buffer)}"
            )
        stride = field.get("byteStride")
        step = 0 if stride is None else stride.integer(low=4, high=252)
        return buffer[offset : offset + length], step

    def _buffer(self, index: int) -> memoryview:
        if index not in self._loaded:
            field = self._buffers[index]
            length = field.require("byteLength").integer(low=1)
            data = self._load(index, field)
            if len(data) < length:
                raise field.require("byteLength").error(f"is {length}, but there are {len(data)}")
            self._loaded[index] = memoryview(data)[:length]
        return self._loaded[index]

    def _load(self, index: int, field: Field) -> bytes:
        uri = field.get("uri")
        if uri is None:
            if index == 0 and self._chunk is not None:
                return self._chunk
            raise field.error("has no uri, and there is no binary chunk for it")
        text = uri.string()
        self._budget.spend(field.require("byteLength").integer(low=1), field.require("byteLength"))
        if text[:5].lower() == "data:":
            return _data_uri(uri)
        return read_bytes(_beside(uri, self._folder))


def _data_uri(field: Field) -> bytes:
    head, comma, body = field.string()[5:].partition(",")
    if not comma:
        raise field.error("is a data URI without data")
    if not head.lower().endswith(";base64"):
        return unquote_to_bytes(body)
    try:
        return base64.b64decode(unquote(body), validate=True)
    except (binascii.Error, ValueError) as reason:
        raise field.error(f"is no base64: {reason}") from reason


def _beside(field: Field, folder: Path) -> Path:
    """The file that a relative URI names, if it is inside the folder of the glTF file."""
    uri = field.string()
    if _SCHEME.match(uri) or uri.startswith("//"):
        raise field.error(
            f"{uri[:80]!r} is not beside the file; network and absolute URIs are refused"
        )
    name = unquote(uri)
    outside = field.error(f"{uri[:80]!r} points outside the file's folder")
    # A backslash or a drive letter is a separator on Windows only: refused everywhere alike.
    if not name or name.startswith("/") or "\\" in name or ":" in name or "\0" in name:
        raise outside
    try:
        # `resolve` follows every link and `..`, so what counts is where the file really is.
        path = (folder / name).resolve()
        inside = path.is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError) as reason:
        raise field.error(f"{uri[:80]!r} cannot be resolved: {reason}") from reason
    if not inside:
        raise outside
    if not path.is_file():
        raise field.error(f"there is no file {name!r} beside the glTF file")
    return path
