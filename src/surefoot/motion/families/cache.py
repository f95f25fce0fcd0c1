"""A cache of what families make, in the user's own folder: the same numbers, sooner.

What is kept there depends on nothing but its key: a hash of the gait model's source and of what
was asked for. A file that is damaged, or of another version, is made anew.
"""

from __future__ import annotations

import hashlib
import io
import os
import sys
import zipfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from surefoot import __version__
from surefoot.arrays import Floats
from surefoot.character.skeleton import Skeleton
from surefoot.errors import FileError
from surefoot.files import read_bytes, write_atomic
from surefoot.motion.clip import Clip
from surefoot.motion.families.family import Made
from surefoot.motion.footholds import SIDES, Foothold

VARIABLE = "SUREFOOT_CACHE"
"""The environment variable that names another folder; set but empty, nothing is kept."""

_VERSION = 1


def folder() -> Path | None:
    """Where things are kept; None where nothing should be."""
    chosen = os.environ.get(VARIABLE)
    if chosen is not None:
        return Path(chosen) if chosen else None
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    return base / "surefoot"


@cache
def source_hash() -> str:
    """A name for how motion is made: changes with every line of the gait model and below."""
    root = Path(__file__).resolve().parents[2]
    total = hashlib.sha256(f"{__version__} {_VERSION} {np.__version__}".encode())
    for part in ("math", "character", "world", "motion"):
        for file in sorted((root / part).rglob("*.py")):
            total.update(file.relative_to(root).as_posix().encode())
            total.update(file.read_bytes())
    return total.hexdigest()


def kept(asked: str, skeleton: Skeleton, make: Callable[[], Sequence[Made]]) -> tuple[Made, ...]:
    """What `make` makes, or what it made before when asked for the same.

    Args:
        asked: everything that it depends on beside the source, as text.
        skeleton: of its clips.
        make: makes it.
    """
    place = folder()
    key = hashlib.sha256(f"{source_hash()} {asked}".encode()).hexdigest()[:32]
    if place is not None:
        found = _read(place / f"{key}.npz", skeleton)
        if found is not None:
            return found
    made = tuple(make())
    if place is not None:
        _write(place, f"{key}.npz", made)
    return made


def _write(place: Path, name: str, made: Sequence[Made]) -> None:
    arrays: dict[str, np.ndarray] = {"count": np.array([len(made), _VERSION])}
    for index, one in enumerate(made):
        holds = np.array(
            [[SIDES.index(h.foot), h.start, h.end, *h.position, *h.rotation] for h in one.footholds]
        ).reshape(-1, 10)
        arrays |= {
            f"{index} name": np.array(one.clip.name),
            f"{index} numbers": np.array([one.clip.rate, one.blending]),
            f"{index} root": one.clip.root,
            f"{index} rotations": one.clip.rotations,
            f"{index} contacts": one.contacts,
            f"{index} path": np.column_stack([one.path, one.headings]),
            f"{index} footholds": holds,
        }
    data = io.BytesIO()
    np.savez(data, allow_pickle=False, **arrays)
    try:
        place.mkdir(parents=True, exist_ok=True)
        write_atomic(place / name, data.getvalue())
    except (OSError, FileError) as reason:
        # A cache that cannot be written costs time, nothing else.
        _say_once(f"surefoot: nothing is kept in {place}: {reason}")


@cache
def _say_once(message: str) -> None:
    print(message, file=sys.stderr)


def _read(path: Path, skeleton: Skeleton) -> tuple[Made, ...] | None:
    if not path.is_file():
        return None
    try:
        with np.load(io.BytesIO(read_bytes(path)), allow_pickle=False) as arrays:
            count, version = arrays["count"].tolist()
            if version != _VERSION:
                return None
            return tuple(_made(arrays, str(index), skeleton) for index in range(count))
    except (FileError, OSError, ValueError, KeyError, zipfile.BadZipFile):
        return None  # damaged: made anew


def _made(arrays: np.lib.npyio.NpzFile, index: str, skeleton: Skeleton) -> Made:
    def array(name: str) -> Floats:
        return arrays[f"{index} {name}"]

    rate, blending = array("numbers").tolist()
    path = array("path")
    return Made(
        clip=Clip(
            name=str(arrays[f"{index} name"]), skeleton=skeleton, rate=rate, root=array("root"),
            rotations=array("rotations"),
        ),
        footholds=tuple(
            Foothold(foot=SIDES[int(row[0])], body=None, start=float(row[1]), end=float(row[2]),
                     position=row[3:6], rotation=row[6:])
            for row in array("footholds")
        ),
        contacts=arrays[f"{index} contacts"],
        path=path[:, :3],
        headings=path[:, 3],
        blending=blending,
    )  # fmt: skip
