"""Libraries as files: one ZIP with a header in JSON, and arrays.

Poses are float32: a joint at the end of a limb is off by less than a thousandth of a millimetre.
Steps are as they are in memory, to the last bit.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from surefoot import schema
from surefoot.archives import entries
from surefoot.arrays import Floats
from surefoot.character import humanoid
from surefoot.character.measures import Measures
from surefoot.errors import FileError, SurefootError
from surefoot.files import PathLike, read_bytes, write_atomic
from surefoot.motion.clip import Clip
from surefoot.motion.formats import LeftOut
from surefoot.motion.library.library import Library
from surefoot.motion.plants import Plants
from surefoot.motion.steps import Steps
from surefoot.motion.steps.steps import COLUMNS

KIND, VERSION = "library", 1

_HEADER = "library.json"
# So that the same library is the same file, byte for byte.
_WHEN = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, kw_only=True)
class _Entry:
    name: str
    rate: float
    frames: int
    notes: tuple[str, ...]
    measures: Measures
    plants: int


@dataclass(frozen=True, kw_only=True)
class _Left:
    path: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class _Header:
    hash: str
    clips: tuple[_Entry, ...]
    steps: int
    left_out: tuple[_Left, ...]


def save_library(library: Library, path: PathLike) -> Path:
    """Writes a library; the file appears whole or not at all."""
    header = _Header(
        hash=library.hash,
        clips=tuple(
            _Entry(
                name=clip.name,
                rate=clip.rate,
                frames=len(clip),
                notes=clip.notes,
                measures=measures,
                plants=len(plants),
            )
            for clip, measures, plants in zip(
                library.clips, library.measures, library.plants, strict=True
            )
        ),
        steps=len(library.steps),
        left_out=tuple(_Left(path=str(one.path), reason=one.reason) for one in library.left_out),
    )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        text = schema.dumps(header, kind=KIND, version=VERSION, name=str(path))
        _put(archive, _HEADER, text.encode())
        for index, (clip, plants) in enumerate(zip(library.clips, library.plants, strict=True)):
            _put_array(archive, f"clips/{index}/root", clip.root.astype("<f4"))
            _put_array(archive, f"clips/{index}/rotations", clip.rotations.astype("<f4"))
            _put_array(archive, f"clips/{index}/plants", plants.rows.astype("<f8"))
        for name in COLUMNS:
            _put_array(archive, f"steps/{name}", getattr(library.steps, name))
    return write_atomic(path, buffer.getvalue())


def load_library(path: PathLike) -> Library:
    """The library that `save_library` wrote.

    Raises:
        FileError: the file is missing, broken or truncated, or no library.
        VersionError: it was written by another version.
    """
    title = str(path)
    contents = entries(read_bytes(path), title, "library")
    try:
        return _read(contents, title)
    except FileError:
        raise
    # What can be wrong once all checksums hold: entries that are missing or do not fit together.
    except (SurefootError, LookupError, ValueError, TypeError, ArithmeticError) as reason:
        raise FileError(f"{title}: broken library: {reason}") from reason


def _read(contents: Mapping[str, bytes], title: str) -> Library:
    if _HEADER not in contents:
        raise FileError(f"{title}: no library: it has no {_HEADER}")
    header = schema.loads(contents[_HEADER], _Header, kind=KIND, version=VERSION, name=title)
    clips: list[Clip] = []
    plants: list[Plants] = []
    for index, entry in enumerate(header.clips):
        skeleton = humanoid.skeleton(entry.measures)
        count, joints = entry.frames, len(skeleton)
        root = _array(contents, f"clips/{index}/root", "<f4", (count, 3))
        turned = _array(contents, f"clips/{index}/rotations", "<f4", (count, joints, 4))
        rows = _array(contents, f"clips/{index}/plants", "<f8", (entry.plants, 8))
        clips.append(
            Clip(
                name=entry.name,
                skeleton=skeleton,
                rate=entry.rate,
                root=_double(root),
                rotations=_double(turned),
                notes=entry.notes,
            )
        )
        plants.append(Plants(_double(rows), count, entry.rate))
    columns: dict[str, Any] = {
        name: _array(contents, f"steps/{name}", np.dtype(kind).str, (header.steps, *shape))
        for name, (kind, shape) in COLUMNS.items()
    }
    library = Library(
        clips=tuple(clips),
        measures=tuple(entry.measures for entry in header.clips),
        plants=tuple(plants),
        steps=Steps(clips=tuple(clip.name for clip in clips), **columns),
        left_out=tuple(LeftOut(Path(one.path), one.reason) for one in header.left_out),
    )
    # Rotations rounded to float32 and made unit again may differ in their last bit.
    library.__dict__["hash"] = header.hash
    return library


def _put(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, _WHEN)
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, data, compresslevel=6)


def _put_array(archive: zipfile.ZipFile, name: str, array: npt.NDArray[Any]) -> None:
    """First all first bytes of the numbers, then all second ones: alike bytes compress better."""
    flat = np.ascontiguousarray(array).reshape(-1)
    planes = flat.view(np.uint8).reshape(len(flat), flat.itemsize)
    _put(archive, name, np.ascontiguousarray(planes.T).tobytes())


def _array(
    contents: Mapping[str, bytes], name: str, kind: str, shape: tuple[int, ...]
) -> npt.NDArray[Any]:
    dtype = np.dtype(kind)
    if name not in contents:
        raise ValueError(f"it has no {name}")
    data, count = contents[name], prod(shape)
    if min(shape) < 0 or len(data) != count * dtype.itemsize:
        raise ValueError(f"{name} has {len(data)} bytes, expected {count * dtype.itemsize}")
    planes = np.frombuffer(data, np.uint8).reshape(dtype.itemsize, count)
    return np.ascontiguousarray(planes.T).view(dtype).reshape(shape)


def _double(array: npt.NDArray[Any]) -> Floats:
    return array.astype(np.float64)
