"""Levels keyed at the frame rates of modelling tools are exported, and play as they move."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from surefoot.animation import save_world
from surefoot.world import Body, Keyframed, World
from surefoot.world.keyframes import Repeat
from surefoot.world.loaders import load_world
from surefoot.world.primitives import slab

SPEED = 2.0  # [m/s] of the bodies, at most


def level(rate: float, first: float, repeat: Repeat) -> World:
    """Two bodies with a key each frame: one closes its round, one jumps at its end."""
    generator = np.random.default_rng(7)
    times = first + np.arange(17) / rate
    bodies: list[Body] = []
    for name in ("closed", "open"):
        steps = generator.uniform(-1.0, 1.0, (17, 3)) * SPEED / (2.0 * rate)
        points = np.cumsum(steps, axis=0)
        if name == "closed":
            points = points * np.minimum(np.arange(17), np.arange(17)[::-1])[:, None] / 8.0
        motion = Keyframed(times, points, repeat=repeat)
        bodies.append(Body(name=name, mesh=slab((1.0, 1.0, 0.2)), trajectory=motion))
    return World(bodies, name="frames")


@pytest.mark.parametrize("repeat", ["once", "loop", "ping-pong"])
@pytest.mark.parametrize(
    ("rate", "first", "length"),
    [
        *[(rate, 1 / 24, 100 / 24) for rate in (24.0, 25.0, 29.97, 30.0, 60.0)],
        (24.0, 3600.0, 100 / 24),
        (29.97, 3600.0, 900.0),
    ],
)
def test_levels_of_frames_play_as_they_move(
    tmp_path: Path, rate: float, first: float, repeat: Repeat, length: float
) -> None:
    world = level(rate, first, repeat)
    start = first + 12 / rate
    save_world(tmp_path / "level.glb", world, start=start, end=start + length)
    again = load_world(tmp_path / "level.glb")
    times = np.linspace(0.0, length, 2003)[1:-1]
    # Single precision puts a key at most one number early or late, and values half a one off.
    late = float(np.spacing(np.float32(length)))
    for body in world:
        expected, _ = body.trajectory.poses(times + start)
        found, _ = again[body.name].trajectory.poses(times)
        speed = float(np.linalg.norm(body.trajectory.velocity(times + start)[0], axis=-1).max())
        error = np.linalg.norm(found - expected, axis=1)
        if body.name == "open" and repeat == "loop":  # a jump takes a moment in a file
            span = 16 / rate
            phase = np.abs((times + start - first + span / 2) % span - span / 2)
            error = error[phase > 2e-4 + late]
        assert error.max() <= speed * late + 1e-6
