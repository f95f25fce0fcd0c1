"""Crowds, to look at: from above as time goes by, and close by where bodies come nearest.

python examples/pictures_of_crowds.py corridor 3 out/crowds
"""

from __future__ import annotations

import sys
from math import pi
from pathlib import Path

import numpy as np

from surefoot.agents import scenes
from surefoot.agents.collisions import find_touches
from surefoot.agents.film import Film
from surefoot.agents.play import play
from surefoot.animation.pictures import Camera, Picture, filmstrip, person, render
from surefoot.arrays import Floats


def shot(film: Film, index: int, camera: Camera, around: Floats | None = None) -> Picture:
    """Everybody at a moment, or only those within 3 m of a place."""
    agents, roots, rotations = film.frame(index)
    cast = [
        person(film.characters[agent], roots[row], rotations[row])
        for row, agent in enumerate(agents)
        if around is None or np.hypot(*(roots[row] - around)[:2]) < 3.0
    ]
    return render(film.world, film.times[index], camera, extras=cast, quality="draft")


def above(film: Film, count: int = 8) -> Picture:
    """The whole crowd from above."""
    everywhere = np.concatenate([film.take(agent).root for agent in film.agents])
    camera = Camera.framing(everywhere, azimuth=-pi / 2, elevation=1.45, size=(480, 360))
    frames = np.linspace(0, len(film) - 1, count).astype(int).tolist()
    times = [f"{film.times[index]:.1f} s" for index in frames]
    return filmstrip([shot(film, index, camera) for index in frames], times, columns=4)


def nearest(film: Film, count: int = 8) -> Picture:
    """Moments around the one at which two pelvises are nearest to each other."""
    least, where, when = np.inf, np.zeros(3), 0
    for index in range(len(film)):
        _, roots, _ = film.frame(index)
        apart = np.hypot(*(roots[:, None] - roots[None])[..., :2].transpose(2, 0, 1))
        np.fill_diagonal(apart, np.inf)
        if apart.size and apart.min() < least:
            least, when = float(apart.min()), index
            pair = np.unravel_index(int(apart.argmin()), apart.shape)
            where = roots[list(pair)].mean(axis=0)
    box = where + np.array([[-1.2, -1.2, -0.9], [1.2, 1.2, 0.8]])
    camera = Camera.framing(box, azimuth=-pi / 3, elevation=1.1, size=(400, 400))
    frames = [min(max(when + 6 * k, 0), len(film) - 1) for k in range(-count // 2, count // 2)]
    times = [f"{film.times[index]:.2f} s" for index in frames]
    return filmstrip([shot(film, index, camera, where) for index in frames], times, columns=4)


def main(name: str = "corridor", seed: str = "0", folder: str = "out/crowds") -> None:
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    film = play(scenes.load(name, seed=int(seed))).film
    print(len(find_touches(film).contacts), "contacts")
    above(film).save(target / f"{name} above.png")
    nearest(film).save(target / f"{name} near.png")


if __name__ == "__main__":
    main(*sys.argv[1:])
