"""A journal: records that are only ever added, so that what was written survives a kill.

A file begins with a line that says what it is and whose. Each record carries its length, a checksum
and its number; one that was cut off is dropped with all that follows it, and writing goes on from
there. Two that do the same work at once write the same records: each counts once.
"""

from __future__ import annotations

import io
import os
import struct
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from surefoot.errors import FileError

VERSION = 2
"""Of the files."""

Record = dict[str, npt.NDArray[Any]]

_HEAD = struct.Struct("<III")


class Journal:
    """Records of one piece of work, known by its key."""

    def __init__(self, path: Path | None, key: str, told: Callable[[str], None]) -> None:
        """Reads what there is.

        Args:
            path: of the file; None keeps nothing.
            key: a hash of everything that the records depend on.
            told: called with a sentence where a file is of no use.
        """
        self.path, self.records = path, list[Record]()
        self._first = f"surefoot journal {VERSION} {key}\n".encode()
        if path is None:
            return
        good = self._read(path, told) if path.is_file() else 0
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if good == 0:
                path.write_bytes(self._first)
            elif good < path.stat().st_size:
                told(f"{path}: the last record was cut off; going on from the one before it")
                os.truncate(path, good)
        except OSError as reason:
            told(f"nothing is kept in {path.parent}: {reason}")
            self.path = None

    def _read(self, path: Path, told: Callable[[str], None]) -> int:
        """How many bytes of the file are good."""
        data = path.read_bytes()
        if not data.startswith(self._first):
            told(f"{path} is of another version, of something else, or damaged; begun anew")
            return 0
        at = len(self._first)
        while at + _HEAD.size <= len(data):
            length, check, number = _HEAD.unpack_from(data, at)
            body = data[at + _HEAD.size : at + _HEAD.size + length]
            if len(body) < length or zlib.crc32(body) != check or number > len(self.records):
                break
            if number == len(self.records):
                self.records.append(unpacked(body))
            at += _HEAD.size + length
        return at

    def add(self, record: Mapping[str, npt.NDArray[Any]]) -> None:
        """Writes a record; when this returns it is on the disk."""
        number = len(self.records)
        self.records.append(dict(record))
        if self.path is None:
            return
        body = packed(record)
        with self.path.open("ab") as stream:
            stream.write(_HEAD.pack(len(body), zlib.crc32(body), number) + body)
            stream.flush()
            os.fsync(stream.fileno())


def packed(arrays: Mapping[str, npt.NDArray[Any]], *, small: bool = False) -> bytes:
    """Arrays as bytes; `small` takes its time."""
    data = io.BytesIO()
    save = np.savez_compressed if small else np.savez
    save(data, allow_pickle=False, **arrays)
    return data.getvalue()


def unpacked(data: bytes, name: str = "a record") -> Record:
    """The arrays that were packed.

    Raises:
        FileError: it holds something else.
    """
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            return {key: arrays[key] for key in arrays.files}
    except Exception as reason:
        # numpy, zipfile and zlib each have errors of their own for bytes that are no archive.
        raise FileError(f"{name}: damaged: {reason}") from reason
