"""Filmstrips of gaits: `python tools/picture_bodies.py BODY GAIT [FILE.png]`.

Two steps of a simulated body from the side and from the front; GAIT is a name or a TOML file. The
pictures of docs/bodies.md come from here.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from surefoot.animation.pictures import Camera, Picture, filmstrip, render
from surefoot.physics import Body, load_body, load_gait
from surefoot.physics.playing import play

MOMENTS, RATE = 7, 100.0
HEIGHTS = {"humanoid": 1.9, "bird": 1.35, "raptor": 1.6}
"""[m] that a picture spans."""


def known(name: str, gait: str) -> tuple[Body, str]:
    """A body that knows the gait, and what it calls it."""
    body = load_body(name)
    if not gait.endswith(".toml"):
        return body, gait
    read = load_gait(gait)
    return replace(body, gaits={**body.gaits, read.name: read}), read.name


def pictured(name: str, gait: str) -> Picture:
    """The filmstrip."""
    body, gait = known(name, gait)
    played = play(body, [gait], 4.0, frames_per_second=RATE)
    print("\n".join(played.told()))
    run, world = played.runs[0], played.world()
    step = float(run.of("duration")[0] / max(run.of("strikes")[0], 1.0))
    span = HEIGHTS.get(name, 1.9)
    rows: list[Picture] = []
    for around in (-np.pi / 2, 0.0):
        for k in range(MOMENTS):
            t = 1.5 + 2 * step * k / (MOMENTS - 1)
            frame = played.frames[min(int(t * RATE), len(played.frames) - 1)]
            w, x, y, z = frame[3:7]
            yaw = np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)) + around
            target = np.array([frame[0], frame[1], 0.48 * span])
            eye = target + 2.6 * span * np.array([np.cos(yaw), np.sin(yaw), 0.12])
            camera = Camera(eye=eye, target=target, size=(200, 260), view_height=span)
            rows.append(render(world, t, camera, quality="draft"))
    return filmstrip(rows, columns=MOMENTS)


if __name__ == "__main__":
    body, gait, *rest = sys.argv[1:]
    out = rest[0] if rest else f"{body}_{Path(gait).stem.replace(' ', '_')}.png"
    pictured(body, gait).save(out)
