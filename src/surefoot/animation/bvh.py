"""BVH files of animations: the canonical skeleton and its motion."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from surefoot.animation.animation import Animation
from surefoot.motion import Clip
from surefoot.motion.formats import write_bvh

# A micrometre, and a millionth of a degree.
_DECIMALS = 6


def save_bvh(path: str | PathLike[str], animation: Animation, *, root_motion: bool = True) -> None:
    """Writes the canonical skeleton's motion; see `Animation.save`."""
    root, turned = animation.local_poses(root_motion)
    clip = Clip(
        name=Path(path).stem,
        skeleton=animation.character.skeleton,
        rate=animation.rate,
        root=root,
        rotations=turned,
    )
    write_bvh(path, clip, decimals=_DECIMALS)
