"""Whole folders of motion: what can be read, and what was left out and why."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from surefoot.errors import FileError, SurefootError, one_of
from surefoot.files import PathLike, as_path
from surefoot.motion.clip import Clip
from surefoot.motion.formats.bvh import read_bvh
from surefoot.motion.formats.gltf import read_gltf_clips

KINDS = (".bvh", ".gltf", ".glb")
"""The endings of files of motion."""


@dataclass(frozen=True)
class LeftOut:
    """A file of a folder that gave no clips, and why."""

    path: Path
    reason: str

    def __str__(self) -> str:
        # Most reasons name the file already.
        return self.reason if str(self.path) in self.reason else f"{self.path}: {self.reason}"


def read_clips(
    path: PathLike,
    *,
    scale: float | None = None,
    up: str | None = None,
    rate: float | None = None,
) -> list[Clip]:
    """The clips of a file, by its ending: one of a BVH, one for each animation of a glTF.

    Args:
        path: a .bvh, .gltf or .glb file.
        scale: metres in one unit of the file; found when not given.
        up: the file's upward axis; found when not given.
        rate: [1/s]: frames a second; as the file has it when not given.

    Raises:
        FileError: it cannot be read, or holds no motion of a skeleton.
    """
    kind = as_path(path).suffix.lower()
    if kind not in KINDS:
        raise FileError(f"{path}: {one_of('kind of motion file', kind, KINDS)}")
    if kind == ".bvh":
        return [read_bvh(path, scale=scale, up=up, rate=rate)]
    clips = read_gltf_clips(path, scale=scale, up=up, rate=rate)
    if not clips:
        raise FileError(f"{path}: holds no animation of a skinned character")
    return clips


def read_folder(
    path: PathLike,
    *,
    scale: float | None = None,
    up: str | None = None,
    rate: float | None = None,
) -> tuple[list[Clip], list[LeftOut]]:
    """All clips in a folder and the folders below it, and the files that were left out.

    A file that cannot be read does not keep the others from being read. Clips are in the order
    of their files' names; those of a folder below have its name before theirs.

    Args:
        path: the folder.
        scale: metres in one unit, for all files; found for each when not given.
        up: upward axis, for all files; found for each when not given.
        rate: [1/s], for all files; as each has it when not given.

    Raises:
        FileError: there is no such folder, or it holds no files of motion at all.
    """
    folder = Path(path)
    if not folder.is_dir():
        raise FileError(f"{folder}: is no folder" if folder.exists() else f"{folder}: is not there")
    files = sorted(file for file in folder.rglob("*") if file.suffix.lower() in KINDS)
    if not files:
        raise FileError(f"{folder}: holds no files of motion ({', '.join(KINDS)})")

    def read(file: Path) -> list[Clip] | LeftOut:
        try:
            return read_clips(file, scale=scale, up=up, rate=rate)
        except SurefootError as error:
            return LeftOut(file, str(error))

    clips: list[Clip] = []
    left_out: list[LeftOut] = []
    names: set[str] = set()
    # Numbers are parsed without the interpreter's lock, so threads help; the order stays.
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        outcomes = list(pool.map(read, files))
    for file, found in zip(files, outcomes, strict=True):
        if isinstance(found, LeftOut):
            left_out.append(found)
            continue
        below = file.parent.relative_to(folder)
        for clip in found:
            name = clip.name if below == Path() else f"{below.as_posix()}/{clip.name}"
            if name in names:
                name += file.suffix
            names.add(name)
            clips.append(clip if name == clip.name else replace(clip, name=name))
    return clips, left_out
