"""Plots of controllers: what tasks are worth to them, and where they go."""

from __future__ import annotations

from math import pi

import numpy as np

from surefoot.animation.pictures.picture import Picture
from surefoot.animation.plots.chart import FAINT, INK, Chart, Color
from surefoot.arrays import Floats
from surefoot.control import Configuration, Controller, Obstacle

SIZE = 460
"""Pixels of a plot's side."""

_LOW: Color = (62, 32, 96)
_MIDDLE: Color = (38, 130, 142)
_HIGH: Color = (246, 222, 90)
_WAY: Color = (200, 60, 30)
_CELLS = 115


def value_plot(controller: Controller, *, reach: float = 6.0, action: int | None = None) -> Picture:
    """What a place is worth to a controller after an action, by where it is [m].

    The place is what the first two task parameters are about: a target, the axis of a cylinder, or
    the nearest point of a line; other parameters are in the middle of their axes. The character is
    in the middle and faces right.

    Args:
        controller: whose task has a place.
        reach: [m] from the middle to the sides.
        action: that was just done; standing when not given.
    """
    task, solution = controller.task, controller.learned.solution
    done = controller.repertoire.standing if action is None else action
    state = int(controller.repertoire.ends[controller.repertoire.action_moves[done]])
    others = [float(axis.points[np.argmin(np.abs(axis.points))]) for axis in task.space.free]
    steps = (np.arange(_CELLS) + 0.5) / _CELLS * 2 * reach - reach
    values = np.empty((_CELLS, _CELLS))
    for i, y in enumerate(steps):
        for j, x in enumerate(steps):
            place = [x, y] if task.space.place == "plane" else [np.hypot(x, y), np.arctan2(y, x)]
            values[i, j] = solution.value(state, [*place, *others])
    chart = Chart((SIZE + 120, SIZE + 40))
    low, high = np.percentile(values, [2, 100])
    side = SIZE / _CELLS
    for i in range(_CELLS):
        for j in range(_CELLS):
            share = float(np.clip((values[i, j] - low) / max(high - low, 1e-9), 0.0, 1.0))
            left, top = j * side, SIZE - (i + 1) * side + 30
            chart.box(left, top, left + side + 0.4, top + side + 0.4, _mixed(share))
    _body(chart, SIZE / 2, SIZE / 2 + 30)
    chart.text(6, 15, f"{controller.name}: value [s] by place, {2 * reach:g} m across")
    for k in range(60):
        top = 30 + SIZE * (1 - (k + 1) / 60)
        chart.box(SIZE + 20, top, SIZE + 45, top + SIZE / 60 + 0.4, _mixed(k / 59))
    chart.text(SIZE + 52, 36, f"{high:.1f}", FAINT)
    chart.text(SIZE + 52, SIZE + 24, f"{low:.1f}", FAINT)
    return chart.picture


def rollouts_plot(
    controller: Controller, obstacle: Obstacle | None = None, *, reach: float = 7.0, count: int = 16
) -> Picture:
    """Where a controller goes from a stand, to targets all around; seen from above.

    Args:
        controller: whose.
        obstacle: its idea of what is in the way.
        reach: [m] from the middle to the sides.
        count: of targets.
    """
    chart = Chart((SIZE, SIZE + 40))
    scale = SIZE / (2 * reach)

    def pixels(points: Floats) -> Floats:
        return np.column_stack(
            [SIZE / 2 + scale * points[:, 0], SIZE / 2 + 30 - scale * points[:, 1]]
        )

    start = Configuration.standing(controller.repertoire)
    circle = np.linspace(0.0, 2 * pi, 60)
    ring = np.column_stack([np.cos(circle), np.sin(circle)])
    if obstacle is not None:
        chart.line(pixels(ring * controller.task.size + [obstacle.x, obstacle.y]), INK, 2.0)
    far = 0.8 * reach
    for angle in 2 * pi * np.arange(count) / count:
        target = np.array([far * np.cos(angle), far * np.sin(angle), 0.0])
        rollout = controller.rollout(start, target, obstacle=obstacle)
        _, way = rollout.path()
        chart.line(pixels(way[:, :2]), _WAY if rollout else FAINT, 1.4)
        chart.line(pixels(ring * controller.task.arrival + target[:2]), FAINT, 0.8)
    _body(chart, SIZE / 2, SIZE / 2 + 30)
    chart.text(6, 15, f"{controller.name}: from a stand to targets around, {2 * reach:g} m across")
    return chart.picture


def _body(chart: Chart, x: float, y: float) -> None:
    """A body that faces right."""
    shape = np.array([[-7.0, -6.0], [9.0, 0.0], [-7.0, 6.0], [-7.0, -6.0]])
    chart.line(shape + np.array([x, y]), (255, 255, 255), 4.0)
    chart.line(shape + np.array([x, y]), INK, 2.0)


def _mixed(share: float) -> Color:
    first, second = (_LOW, _MIDDLE) if share < 0.5 else (_MIDDLE, _HIGH)
    part = 2 * share if share < 0.5 else 2 * share - 1
    red, green, blue = (round(a + part * (b - a)) for a, b in zip(first, second, strict=True))
    return red, green, blue
