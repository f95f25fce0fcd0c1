"""Clips of any skeleton, to look at: the file's own bones over our mannequin, moment by moment.

    python examples/pictures_of_clips.py out/clips walk.bvh run.glb ...

The mannequin has the actor's measures and the clip on the canonical skeleton; red lines are the
bones as the file has them. Knees, feet and heads should be where the red ones are.
"""

from __future__ import annotations

import sys
from math import pi
from pathlib import Path

import numpy as np

from surefoot.animation.pictures import Camera, Extra, Picture, filmstrip, path, person, render
from surefoot.arrays import Floats
from surefoot.character import Character, adult, humanoid
from surefoot.character.mannequin import mannequin
from surefoot.motion import Clip
from surefoot.motion.formats import read_clips
from surefoot.motion.retargeting import to_humanoid
from surefoot.world import Body, World
from surefoot.world.primitives import slab

COUNT = 12  # pictures in a row


def actor(clip: Clip) -> tuple[Clip, Character]:
    """The clip on the canonical skeleton, and a mannequin of the actor's size."""
    moved, measures = to_humanoid(clip)
    skeleton = humanoid.skeleton(measures)
    who = Character(
        name=clip.name,
        skeleton=skeleton,
        measures=measures,
        capabilities=adult().capabilities,
        skin=mannequin(skeleton, measures, {}),
    )
    return moved, who


def bones(clip: Clip, positions: Floats) -> list[Extra]:
    """The file's skeleton in one pose, as lines that shine through."""
    lines: list[Extra] = []
    for joint, parent in enumerate(clip.skeleton.parents):
        ends = positions[[parent, joint]]
        if parent >= 0 and np.linalg.norm(ends[1] - ends[0]) > 0.01:
            lines.append(path(ends, color=(0.8, 0.05, 0.02), radius=0.008, through=1.0))
    return lines


def strip(clip: Clip, *, azimuth: float = -pi / 2, raw: bool = True) -> Picture:
    """Moments of a clip in a row, seen from a side of where the actor faces."""
    moved, who = actor(clip)
    ground = World([Body(name="ground", mesh=slab((60.0, 60.0, 0.2)))])
    positions, _ = clip.forward()
    facing = moved.headings()
    pictures: list[Picture] = []
    for frame in np.linspace(0, len(clip) - 1, COUNT).astype(int):
        angle = azimuth + facing[frame]
        away = np.array([np.cos(angle), np.sin(angle), 0.06])
        target = moved.root[frame] * [1.0, 1.0, 0.0] + [0.0, 0.0, 0.5 * who.measures.height]
        target[2] += max(moved.root[frame, 2] - 1.2 * who.measures.leg_length, 0.0)
        camera = Camera(
            target + 8 * away, target, size=(150, 250), view_height=1.25 * who.measures.height
        )
        figure = person(who, moved.root[frame], moved.rotations[frame])
        extras = [figure, *(bones(clip, positions[frame]) if raw else [])]
        pictures.append(render(ground, 0.0, camera, extras=extras, quality="draft"))
    return filmstrip(pictures, gap=2)


def main(folder: Path, files: list[Path]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        for clip in read_clips(file):
            for side, azimuth in (("side", -pi / 2), ("front", 0.2)):
                name = f"{clip.name}_{side}.png".replace("/", "_").replace(" ", "_")
                strip(clip, azimuth=azimuth).save(folder / name)
                print(folder / name)


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(file) for file in sys.argv[2:]])
