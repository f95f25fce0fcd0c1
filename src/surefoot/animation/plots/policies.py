"""Pictures of policies: which action where (coros2009 Fig. 7), and bodies on their way."""

from __future__ import annotations

from colorsys import hls_to_rgb

import numpy as np

from surefoot.animation.pictures import Camera, Picture, filmstrip, render
from surefoot.animation.plots.chart import FAINT, Chart, Color
from surefoot.physics.policies.playing import Performance
from surefoot.physics.policies.policy import Policy

_CELL = 14
_MOMENTS = 8


def policy_plot(policy: Policy, *, states: int = 40, seed: int = 0) -> Picture:
    """Best actions by colour: random states in rows, the task's first parameter in columns.

    Other parameters are where they are nearest to zero.
    """
    rng = np.random.default_rng(seed)
    count = min(states, len(policy.best))
    rows = np.sort(rng.choice(len(policy.best), count, replace=False))
    grid = policy.best[rows].reshape(count, *policy.space.shape)
    for axis in policy.space.axes[:0:-1]:
        grid = grid[..., int(np.abs(axis.points).argmin())]
    first = policy.space.axes[0]
    wide, high = _CELL * grid.shape[1], _CELL * count
    chart = Chart((wide + 330, high + 50))
    chart.text(6, 15, f"{policy.body.name}, {policy.task}: the best action")
    for i, row in enumerate(grid):
        for j, action in enumerate(row):
            color = _color(int(action), len(policy.actions))
            chart.box(
                10 + _CELL * j, 30 + _CELL * i, 9 + _CELL * (j + 1), 29 + _CELL * (i + 1), color
            )
    for j in range(0, grid.shape[1], max(1, grid.shape[1] // 8)):
        chart.text(10 + _CELL * j, high + 42, f"{first.points[j]:.1f}", FAINT)
    for k, action in enumerate(policy.actions):
        top = 34 + 18 * k
        chart.box(wide + 25, top, wide + 39, top + 12, _color(k, len(policy.actions)))
        chart.text(wide + 46, top + 10, str(action))
    return chart.picture


def _color(action: int, count: int) -> Color:
    if action < 0:
        return (40, 40, 40)
    hue, light = action / max(count, 1), 0.45 + 0.15 * (action % 2)
    red, green, blue = hls_to_rgb(hue, light, 0.65)
    return (int(255 * red), int(255 * green), int(255 * blue))


def performance_strip(played: Performance) -> Picture:
    """Some moments of a performance from the side and a little above, goals included."""
    world = played.world()
    places = np.concatenate([played.frames[:, :2], played.goals[:, :2]])
    low, high = places.min(axis=0), places.max(axis=0)
    middle, reach = (low + high) / 2, float(np.linalg.norm(high - low))
    away = np.array([0.35, -1.0, 0.55]) * max(3.0, 1.1 * reach + 1.5)
    target = np.array([middle[0], middle[1], 0.6])
    camera = Camera(target + away, target, size=(420, 300), field_of_view=0.75)
    moments = np.linspace(0.0, played.seconds, _MOMENTS)
    pictures = [render(world, float(t), camera, quality="draft") for t in moments]
    return filmstrip(pictures, columns=_MOMENTS // 2, gap=2)
