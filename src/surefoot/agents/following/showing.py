"""Pictures of simulated bodies that follow plans."""

from __future__ import annotations

import numpy as np

from surefoot.agents.following.result import Followed
from surefoot.animation.pictures import Camera, Picture, filmstrip, render

_MOMENTS = 8


def followed_strip(followed: Followed) -> Picture:
    """Some moments from the side and above; the camera goes with the body."""
    world, frames = followed.world(), followed.ground.lowered(followed.frames)
    pictures: list[Picture] = []
    for at in np.linspace(0, len(frames) - 1, _MOMENTS).astype(int):
        target = frames[at, :3] - np.array([0.0, 0.0, 0.3])
        camera = Camera(
            target + np.array([-1.5, -5.0, 2.6]), target, size=(480, 340), field_of_view=0.85
        )
        moment = followed.start + float(at) / followed.rate
        pictures.append(render(world, moment, camera, quality="good"))
    return filmstrip(pictures, columns=_MOMENTS // 2, gap=2)
