"""Films as files and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from math import radians
from os import PathLike

import numpy as np

from surefoot.agents.film import Film
from surefoot.animation.gltf_cast import Figure, save_cast
from surefoot.animation.pictures import Camera, Picture, filmstrip, person, render
from surefoot.arrays import Floats
from surefoot.errors import InputError


def save_film(
    path: str | PathLike[str], film: Film, *, fps: float = 30.0, notes: Sequence[str] = ()
) -> None:
    """Writes a film as `.glb` or `.gltf`: the world and all who were in it.

    Args:
        path: the file.
        film: one frame or more.
        fps: [1/s], > 0: as many frames of the film are written as come nearest to it.
        notes: lines for the file's `extras`.
    """
    if not len(film):
        raise InputError("the film is empty")
    spacing = float(np.mean(np.diff(film.times))) if len(film) > 1 else 1.0 / fps
    step = max(1, round(1.0 / (fps * spacing)))
    fewer = film.every(step)
    figures: list[Figure] = []
    for agent in fewer.agents:
        take = fewer.take(agent)
        if len(take.times):
            name = f"{take.character.name} {agent}"
            figures.append(Figure(name, take.character, take.times, take.root, take.rotations))
    save_cast(path, film.world, figures, rate=1.0 / (spacing * step), extras={"notes": list(notes)})


def film_picture(
    film: Film,
    moment: float | None = None,
    *,
    size: tuple[int, int] = (1280, 720),
    quality: str = "good",
    azimuth: float = -60.0,
    elevation: float = 35.0,
    around: Floats | None = None,
) -> Picture:
    """Everybody at one moment.

    Args:
        film: one frame or more.
        moment: [s]; in the middle of the film when not given.
        size: width and height [pixels].
        quality: "draft", "good" or "best".
        azimuth: [degrees] where the camera stands.
        elevation: [degrees].
        around: `(n, 3)` [m] what to have in view; everybody when not given.
    """
    index = len(film) // 2
    if moment is not None:
        index = int(np.argmin(np.abs(np.array(film.times) - moment)))
    agents, roots, rotations = film.frame(index)
    if around is None:
        spread = [roots + np.array([x, y, z]) for x in (-1, 1) for y in (-1, 1) for z in (-1, 0.9)]
        around = np.concatenate(spread)
    camera = Camera.framing(around, radians(azimuth), radians(elevation), size=size)
    people = [
        person(film.characters[agent], roots[row], rotations[row])
        for row, agent in enumerate(agents)
    ]
    return render(film.world, film.times[index], camera, extras=people, quality=quality)


def film_strip(
    film: Film,
    moments: Sequence[float],
    *,
    size: tuple[int, int] = (640, 480),
    quality: str = "good",
) -> Picture:
    """Everybody at several moments [s], seen from the same place."""
    everywhere = np.concatenate([film.take(agent).spots for agent in film.agents])
    corners = np.stack([everywhere.min(axis=0), everywhere.max(axis=0)])
    corners[1, 2] += 1.8
    shots = [
        film_picture(film, moment, around=corners, size=size, quality=quality) for moment in moments
    ]
    return filmstrip(shots)
