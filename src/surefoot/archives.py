"""Compressed data read with every size checked first: ZIP files, and NumPy's arrays in them.

What a file states about itself is not believed: memory stays in proportion to the file's own
size, and bytes that are no archive give a `FileError`, whichever part of them is damaged.
"""

from __future__ import annotations

import io
import math
import struct
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from surefoot.errors import FileError
from surefoot.files import SIZE_LIMIT
from surefoot.limits import MAX_EXPANSION

Record: TypeAlias = dict[str, npt.NDArray[Any]]

_SMALL: Final = 2**20
"""[bytes] Decoded from however few: small things compress best."""

_DAMAGE: Final = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, struct.error, EOFError, OSError),
    *(ValueError, LookupError, TypeError, ArithmeticError, RuntimeError, SyntaxError),
)
"""All that zipfile, zlib and numpy raise for bytes that are damaged, encrypted or made up."""


def entries(data: bytes, name: str, kind: str = "archive") -> dict[str, bytes]:
    """The contents of a ZIP file by name, each with its checksum verified.

    Args:
        data: the file.
        name: what errors call it.
        kind: what it should be, for errors.

    Raises:
        FileError: it is damaged, or holds more than `MAX_EXPANSION` times its own size.
    """
    allowed = _allowed(data)
    found: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            listed = archive.infolist()
            if sum(entry.file_size for entry in listed) > allowed:
                raise FileError(f"{name}: holds more than {allowed:,} bytes")
            for entry in listed:
                # Told how much to read, zipfile never inflates more than that.
                with archive.open(entry) as stream:
                    content = stream.read(entry.file_size)
                if len(content) != entry.file_size:
                    raise FileError(f"{name}: {entry.filename} is truncated")
                found[entry.filename] = content
    except _DAMAGE as reason:
        raise FileError(f"{name}: no {kind}, or a damaged one: {reason}") from reason
    return found


def inflated(data: bytes, size: int) -> bytes:
    """The `size` bytes that zlib compressed to `data`.

    Raises:
        ValueError: it does not hold as many.
    """
    packed = zlib.decompressobj()
    try:
        content = packed.decompress(data, min(size, SIZE_LIMIT) + 1)
    except zlib.error as reason:
        raise ValueError(str(reason)) from reason
    if len(content) != size or not packed.eof:
        raise ValueError(f"{size:,} bytes expected in {len(data):,} compressed ones")
    return content


def packed(arrays: Mapping[str, npt.NDArray[Any]], *, small: bool = False) -> bytes:
    """Arrays as the bytes of an .npz file; `small` compresses them, which takes its time."""
    data = io.BytesIO()
    save = np.savez_compressed if small else np.savez
    save(data, allow_pickle=False, **arrays)
    return data.getvalue()


def unpacked(data: bytes, name: str) -> Record:
    """The arrays of an .npz file by name.

    Args:
        data: the file.
        name: what errors call it.

    Raises:
        FileError: it is damaged or holds something else.
    """
    arrays: Record = {}
    for entry, content in entries(data, name).items():
        key = entry.removesuffix(".npy")
        try:
            arrays[key] = _array(content)
        except _DAMAGE as reason:
            raise FileError(f"{name}: {key} is no array of numbers: {reason}") from reason
    return arrays


def _array(content: bytes) -> npt.NDArray[Any]:
    stream = io.BytesIO(content)
    version = np.lib.format.read_magic(stream)
    read = np.lib.format.read_array_header_1_0
    if version != (1, 0):
        read = np.lib.format.read_array_header_2_0
    shape, fortran, dtype = read(stream)
    if dtype.kind not in "biufUS":
        raise ValueError(f"numbers or text expected, got {dtype}")
    body = memoryview(content)[stream.tell() :]
    if any(n < 0 for n in shape) or math.prod(shape) * dtype.itemsize != len(body):
        raise ValueError(f"{len(body)} bytes do not make {dtype} of shape {list(shape)}")
    flat = np.frombuffer(body, dtype) if len(body) else np.empty(0, dtype)
    return flat.reshape(shape, order="F" if fortran else "C").copy()


def _allowed(data: bytes) -> int:
    """[bytes] That may be decoded from `data`."""
    return min(_SMALL + MAX_EXPANSION * len(data), SIZE_LIMIT)
