"""Building a library out of a folder of motion, or of clips."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from surefoot.character import humanoid
from surefoot.character.humanoid import JOINTS
from surefoot.character.measures import Measures
from surefoot.errors import FileError, InputError, SurefootError
from surefoot.files import PathLike
from surefoot.motion.clip import Clip
from surefoot.motion.formats import LeftOut, read_folder
from surefoot.motion.library.library import Library
from surefoot.motion.plants import Plants, PlantSettings
from surefoot.motion.retargeting import to_humanoid
from surefoot.motion.steps import Steps, find_steps, joined

_SHORTEST = 0.25  # [s] of a clip that may hold a step


@dataclass(frozen=True)
class _Made:
    clip: Clip
    measures: Measures
    plants: Plants
    steps: Steps


def build_library(
    source: PathLike | Iterable[Clip | tuple[Clip, Measures]],
    *,
    settings: PlantSettings | None = None,
    scale: float | None = None,
    up: str | None = None,
    rate: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Library:
    """The library of a folder of motion files, or of clips.

    What cannot be used is left out, and `library.left_out` says why.

    Args:
        source: a folder; or clips of any skeleton; canonical ones may come with their measures.
        settings: what counts as a foot on the ground.
        scale: metres in one unit, for all files of a folder; found for each when not given.
        up: upward axis, for all files of a folder; found for each when not given.
        rate: [1/s], for all files of a folder; as each has it when not given.
        progress: called with how many clips are done, and how many there are.

    Raises:
        FileError: there is no such folder, it holds no motion files, or none can be used.
        InputError: no clips, or none of them can be used.
    """
    folder: Path | None = None
    left_out: list[LeftOut] = []
    given: list[Clip | tuple[Clip, Measures]] = []
    if isinstance(source, str | os.PathLike):
        folder = Path(source)
        clips, left_out = read_folder(folder, scale=scale, up=up, rate=rate)
        given += clips
    else:
        given += source
    made: list[_Made] = []

    def attempt(item: Clip | tuple[Clip, Measures]) -> _Made | str:
        try:
            return _make(item, settings)
        except SurefootError as error:
            return str(error)

    # Most of the work is done without the interpreter's lock, so threads help; the order stays.
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for index, (item, outcome) in enumerate(zip(given, pool.map(attempt, given), strict=True)):
            if isinstance(outcome, str):
                name = (item if isinstance(item, Clip) else item[0]).name
                place = Path(name) if folder is None else folder / name
                left_out.append(LeftOut(place, outcome))
            else:
                made.append(outcome)
            if progress is not None:
                progress(index + 1, len(given))
    if not made:
        _say_nothing_is_left(folder, left_out)
    return Library(
        clips=tuple(one.clip for one in made),
        measures=tuple(one.measures for one in made),
        plants=tuple(one.plants for one in made),
        steps=joined([one.steps for one in made]),
        left_out=tuple(left_out),
    )


def _make(item: Clip | tuple[Clip, Measures], settings: PlantSettings | None) -> _Made:
    """One clip with all that is known about it; says why where it is of no use."""
    clip, measures = (item, None) if isinstance(item, Clip) else item
    if clip.duration < _SHORTEST:
        raise InputError(
            f"clip {clip.name!r} lasts {clip.duration:.2g} s, too short for a step;"
            f" at least {_SHORTEST} s"
        )
    if measures is None:
        clip, measures = to_humanoid(clip)
    else:
        _check_body(clip, measures)
    steps, plants = find_steps(clip, measures, settings)
    if len(steps) == 0:
        raise InputError(
            f"clip {clip.name!r}: nobody steps or stands in it"
            + ("; no foot is ever on the ground" if len(plants) == 0 else "")
            + "; of a clip played on the spot, say that the floor is moving"
        )
    clip, plants = _over_ground(clip, plants)
    if not any(mode_of_travel(step.mode) for step in steps):
        clip = replace(clip, notes=(*clip.notes, "nobody takes a step in it"))
    return _Made(clip, measures, plants, steps)


def mode_of_travel(mode: str) -> bool:
    """Whether feet step in this mode."""
    return mode != "stand"


def _check_body(clip: Clip, measures: Measures) -> None:
    if clip.skeleton.joints != JOINTS:
        raise InputError(f"clip {clip.name!r} has measures but no canonical skeleton")
    own = humanoid.skeleton(measures)
    if not np.allclose(own.offsets, clip.skeleton.offsets, atol=1e-6):
        raise InputError(f"clip {clip.name!r}: its skeleton is not one of its measures")


def _over_ground(clip: Clip, plants: Plants) -> tuple[Clip, Plants]:
    """Who walks on a treadmill, walking over the ground instead."""
    if plants.floor_velocity is None:
        return clip, plants
    moved = plants.carried()
    root = clip.root.copy()
    root[:, :2] -= moved
    rows = plants.rows.copy()
    middle = np.rint((rows[:, 1] + rows[:, 2]) / 2 * plants.rate).astype(np.intp)
    rows[:, 3:5] -= moved[np.minimum(middle, plants.count - 1)]
    speed = float(np.linalg.norm(plants.floor_velocity, axis=1).mean())
    note = f"the floor moved at {speed:.2f} m/s, as a treadmill's; here the body travels instead"
    clip = replace(clip, root=root, notes=(*clip.notes, note))
    return clip, Plants(rows, plants.count, plants.rate)


def _say_nothing_is_left(folder: Path | None, left_out: list[LeftOut]) -> None:
    reasons = "".join(f"\n  - {one}" for one in left_out)
    if folder is not None:
        raise FileError(f"{folder}: no file of it can be used{reasons}")
    raise InputError(f"no clip can be used{reasons or ': there are none'}")
