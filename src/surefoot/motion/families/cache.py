"""A cache of what families make, in the user's own folder: the same numbers, sooner.

What is kept there depends on nothing but its key: a hash of the gait model's source and of what
was asked for. A file that is damaged, or of another version, is made anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from surefoot import __version__, caches
from surefoot.archives import Record
from surefoot.arrays import Floats
from surefoot.character.skeleton import Skeleton
from surefoot.errors import VersionError
from surefoot.motion.clip import Clip
from surefoot.motion.families.family import Made
from surefoot.motion.footholds import SIDES, Foothold

_VERSION = 1


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
    place = caches.folder()
    if place is None:
        return tuple(make())
    path = place / f"{hashlib.sha256(f'{source_hash()} {asked}'.encode()).hexdigest()[:32]}.npz"
    found = caches.read(path, lambda arrays: _decoded(path, arrays, skeleton), anew="made anew")
    if found is None:
        found = tuple(make())
        caches.write(path, _encoded(found))
    return found


def _encoded(made: Sequence[Made]) -> Record:
    arrays: Record = {"count": np.array([len(made), _VERSION])}
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
    return arrays


def _decoded(path: Path, arrays: Record, skeleton: Skeleton) -> tuple[Made, ...]:
    count, version = arrays["count"].tolist()
    if version != _VERSION:
        raise VersionError(f"{path} is of version {version}, this is {_VERSION}")
    return tuple(_made(arrays, str(index), skeleton) for index in range(count))


def _made(arrays: Record, index: str, skeleton: Skeleton) -> Made:
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
