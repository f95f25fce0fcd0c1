"""A journal: records that are only ever added, so that what was written survives a kill.

A file begins with a line that says what it is and whose. Each record carries its length, a checksum
and its number; one that was cut off is dropped with all that follows it, and writing goes on from
there. Two that do the same work at once write the same records: each counts once.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy.typing as npt

from surefoot.archives import Record, packed, unpacked
from surefoot.caches import make_room
from surefoot.errors import FileError
from surefoot.files import read_bytes

VERSION = 2
"""Of the files."""

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
        self.path, self.records, self._told = path, list[Record](), told
        self._first = f"surefoot journal {VERSION} {key}\n".encode()
        if path is None:
            return
        good = self._read(path, told) if os.path.lexists(path) else 0
        try:
            make_room(path)
            if good == 0:
                path.write_bytes(self._first)
            elif good < path.stat().st_size:
                told(f"{path}: a record was cut off or damaged; going on from the one before it")
                os.truncate(path, good)
        except OSError as reason:
            told(f"nothing is kept in {path.parent}: {reason}")
            self.path = None

    def _read(self, path: Path, told: Callable[[str], None]) -> int:
        """How many bytes of the file are good."""
        try:
            data = read_bytes(path)
        except FileError as reason:
            told(f"{reason}; begun anew")
            return 0
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
                try:
                    self.records.append(unpacked(body, f"record {number}"))
                except FileError:
                    break
            at += _HEAD.size + length
        return at

    def add(self, record: Mapping[str, npt.NDArray[Any]]) -> None:
        """Writes a record; when this returns it is on the disk."""
        number = len(self.records)
        self.records.append(dict(record))
        if self.path is None:
            return
        body = packed(record)
        try:
            with self.path.open("ab") as stream:
                stream.write(_HEAD.pack(len(body), zlib.crc32(body), number) + body)
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as reason:  # a full disk costs time, not what was worked out
            self._told(f"nothing more is kept in {self.path}: {reason}")
            self.path = None
