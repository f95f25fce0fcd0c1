"""Messages of the crowd protocol: a JSON object, and arrays behind it.

A message is eight bytes, two little-endian unsigned 32-bit lengths; then so many bytes of JSON in
UTF-8; then so many bytes of arrays. The JSON names the arrays under "arrays", in their order, each
as `{"name", "dtype", "shape"}`; they follow each other without gaps, little-endian, last axis
fastest. Whoever speaks another version is told so and sent away.
"""

from __future__ import annotations

import json
import socket
import struct
import time
from collections.abc import Mapping
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from surefoot.errors import SurefootError

VERSION = 1
"""Of the protocol."""

HEADER = struct.Struct("<II")
MOST_TEXT = 1 << 20
"""[bytes] of JSON that a client may send."""

Arrays = Mapping[str, npt.NDArray[Any]]


class ProtocolError(SurefootError):
    """What came is no message of this protocol: the connection cannot be trusted any more."""


class Gone(Exception):  # noqa: N818 - no error: clients may go
    """The other side closed the connection."""


def pack(message: Mapping[str, Any], arrays: Arrays | None = None) -> bytes:
    """A message as it is sent."""
    parts = {name: _little(array) for name, array in (arrays or {}).items()}
    listed = [
        {"name": name, "dtype": array.dtype.name, "shape": list(array.shape)}
        for name, array in parts.items()
    ]
    whole = {**message, "arrays": listed} if listed else dict(message)
    text = json.dumps(whole, allow_nan=False, separators=(",", ":")).encode()
    data = b"".join(array.tobytes() for array in parts.values())
    return HEADER.pack(len(text), len(data)) + text + data


def send(connection: socket.socket, data: bytes, seconds: float) -> None:
    """Sends a whole message, or raises `Gone` when the other side does not take it in time.

    Args:
        connection: to whom.
        data: from `pack`.
        seconds: [s] for the whole message; who does not read by then has stopped reading.
    """
    deadline = time.monotonic() + seconds
    view = memoryview(data)
    try:
        while view:
            connection.settimeout(max(deadline - time.monotonic(), 1e-3))
            view = view[connection.send(view) :]
            if view and time.monotonic() > deadline:
                raise Gone
    except OSError as reason:
        raise Gone from reason


def receive(connection: socket.socket, idle: float, seconds: float) -> dict[str, Any]:
    """The next message from a client, which sends no arrays.

    Args:
        connection: from whom.
        idle: [s] to wait for it to begin.
        seconds: [s] for the rest of it, once it has begun.

    Raises:
        Gone: the other side closed the connection, or is silent for too long.
        ProtocolError: what came is no message.
    """
    first = _exactly(connection, 1, idle)
    deadline = time.monotonic() + seconds
    head = first + _exactly(connection, HEADER.size - 1, seconds)
    text_size, data_size = HEADER.unpack(head)
    if not 0 < text_size <= MOST_TEXT or data_size != 0:
        raise ProtocolError(
            f"a message begins with its lengths: 1 to {MOST_TEXT} bytes of JSON and no arrays,"
            f" got {text_size} and {data_size}"
        )
    text = _exactly(connection, text_size, max(deadline - time.monotonic(), 1e-3))
    try:
        message: Any = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as reason:
        raise ProtocolError(f"a message holds JSON: {str(reason)[:100]}") from reason
    if not isinstance(message, dict):
        raise ProtocolError("a message is a JSON object")
    return cast("dict[str, Any]", message)


def _exactly(connection: socket.socket, size: int, seconds: float) -> bytes:
    deadline = time.monotonic() + seconds
    parts: list[bytes] = []
    while size:
        connection.settimeout(max(deadline - time.monotonic(), 1e-3))
        try:
            part = connection.recv(min(size, 1 << 16))
        except OSError as reason:
            raise Gone from reason
        if not part:
            raise Gone
        parts.append(part)
        size -= len(part)
        if size and time.monotonic() > deadline:
            # Byte after byte, for ever: as good as silent.
            raise Gone
    return b"".join(parts)


def _little(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is no number")
