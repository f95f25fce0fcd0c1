"""A clip to look at: heights and speeds of both feet, plants shaded, steps above."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from surefoot.animation.pictures.picture import Picture
from surefoot.animation.plots.chart import FAINT, INK, PAPER, Chart, Color, Panel, even_ticks
from surefoot.arrays import Floats
from surefoot.motion.footholds import SIDES
from surefoot.motion.plants import FootPaths, Plants
from surefoot.motion.steps import Step, Steps

FOOT_COLORS: Mapping[str, Color] = {"left": (32, 104, 190), "right": (206, 84, 32)}
MODE_COLORS: Mapping[str, Color] = {
    "walk": (88, 150, 92),
    "run": (196, 134, 22),
    "turn": (126, 96, 176),
    "stand": (150, 158, 166),
    "jump": (196, 62, 84),
    "crouch": (112, 112, 60),
    "step up": (36, 140, 146),
    "step down": (36, 112, 160),
}

_SIZE = (1200, 760)
_LEFT, _RIGHT = 62, 24
_TICKS = (0.0, 0.1, 0.3, 1.0, 2.0, 4.0, 8.0, 16.0)  # [m/s]
_PARTS = {"heel": (1.6, 1.0), "ankle": (1.6, 1.0), "toe": (1.2, 0.55), "tip": (0.8, 0.4)}


def plot_clip(
    feet: FootPaths,
    plants: Plants,
    steps: Steps | None = None,
    *,
    title: str = "",
    notes: str = "",
) -> Picture:
    """Heights and speeds of both feet over time, plants shaded, steps above.

    Args:
        feet: where they go.
        plants: what was found in them.
        steps: of the same clip.
        title: of the picture.
        notes: a line below it.
    """
    chart = Chart(_SIZE)
    end = max(float(feet.times[-1]), 1e-3)
    times = even_ticks(0.0, end, 16)
    chart.text(_LEFT, 20, title, INK, size=17)
    chart.text(_LEFT, 41, notes, FAINT, size=11)
    _legend(chart, feet)
    _steps(chart, steps, end)

    low, high = _heights(feet)
    speeds = {side: _speeds(feet, plants, side) for side in SIDES}
    fastest = max(
        1.0, *(float(speed.max()) for parts in speeds.values() for speed in parts.values())
    )
    top, each, gap = 108, 140, 14
    for row, side in enumerate(SIDES):
        color = FOOT_COLORS[side]
        paths: Mapping[str, Floats] = getattr(feet, side)
        for column in (0, 1):
            upper = top + (2 * row + column) * (each + gap) + 8 * row
            edges = (_LEFT, upper, _SIZE[0] - _RIGHT, upper + each, 0.0, end)
            panel = (
                Panel(chart, *edges, low, high)
                if column == 0
                else Panel(chart, *edges, 0.0, fastest, np.sqrt)
            )
            for plant in plants.of(side):
                panel.shade(plant.start, plant.end, color, 0.10 + 0.14 * plant.confidence)
            rising = even_ticks(low, high, 5)
            panel.axes(rising if column == 0 else [v for v in _TICKS if v <= fastest], times)
            for part, path in paths.items():
                width, alpha = _PARTS[part]
                values = path[:, 2] if column == 0 else speeds[side][part]
                panel.curve(feet.times, values, color, width, alpha)
            what = "height [m]" if column == 0 else "speed [m/s], spread by its root"
            panel.title(f"{side} foot: {what}")
    bottom = top + 4 * each + 3 * gap + 8
    for time in times:
        x = _LEFT + time / end * (_SIZE[0] - _LEFT - _RIGHT)
        chart.text(x, bottom + 11, f"{time:g}", FAINT, size=10, anchor="mm")
    chart.text(_SIZE[0] - _RIGHT, bottom + 27, "time [s]", FAINT, size=10, anchor="rm")
    return chart.picture


def _heights(feet: FootPaths) -> tuple[float, float]:
    paths = [*feet.left.values(), *feet.right.values()]
    heights = np.concatenate([np.asarray(path)[:, 2] for path in paths])
    low, high = float(heights.min()), float(heights.max())
    return low - 0.02, max(high, low + 0.3) + 0.04


def _speeds(feet: FootPaths, plants: Plants, side: str) -> dict[str, Floats]:
    """How fast `(n,)` [m/s] each part moves against the floor, lightly smoothed."""
    moved = plants.carried()
    width = max(1, round(0.03 * feet.rate))
    kernel = np.hanning(2 * width + 1)
    kernel /= kernel.sum()
    result: dict[str, Floats] = {}
    for part, path in getattr(feet, side).items():
        on_floor = np.asarray(path).copy()
        on_floor[:, :2] -= moved
        if len(on_floor) < 2:
            result[part] = np.zeros(len(on_floor))
            continue
        velocity = np.gradient(on_floor, axis=0) * feet.rate
        padded = np.pad(velocity, ((width, width), (0, 0)), mode="edge")
        smooth = np.stack([np.convolve(column, kernel, "valid") for column in padded.T], axis=1)
        result[part] = np.linalg.norm(smooth, axis=1)
    return result


def _legend(chart: Chart, feet: FootPaths) -> None:
    x = _SIZE[0] - _RIGHT
    for part in reversed(feet.parts):
        name = {"toe": "ball of the foot", "tip": "tip of the toes"}.get(part, part)
        chart.text(x, 41, name, FAINT, size=10, anchor="rm")
        x -= chart.width_of(name, 10) + 8
        width, alpha = _PARTS[part]
        chart.line(np.array([[x - 20.0, 41.0], [x, 41.0]]), INK, width, alpha)
        x -= 36
    chart.text(x, 41, "planted", FAINT, size=10, anchor="rm")
    x -= chart.width_of("planted", 10) + 8
    chart.box(x - 20, 35, x - 10, 47, FOOT_COLORS["left"], 0.24)
    chart.box(x - 10, 35, x, 47, FOOT_COLORS["right"], 0.24)


def _steps(chart: Chart, steps: Steps | None, end: float) -> None:
    """A band of steps, each with its mode, and the foot that swings."""
    if steps is None:
        return
    top, bottom = 62, 98
    span = _SIZE[0] - _LEFT - _RIGHT
    chart.text(_LEFT - 6, (top + bottom) / 2, "steps", FAINT, size=10, anchor="rm")
    for step in steps:
        left, right = (_LEFT + span * time / end for time in (step.start, step.end))
        color = MODE_COLORS[step.mode]
        chart.box(left + 0.7, top, right - 0.7, bottom, color, 0.85)
        middle = (left + right) / 2
        for line, (words, size) in enumerate(((step.mode, 11), (_told(step), 9))):
            if chart.width_of(words, size) < right - left - 6:
                chart.text(middle, top + 11 + 15 * line, words, PAPER, size=size, anchor="mm")


def _told(step: Step) -> str:
    if step.mode == "stand":
        return f"{step.duration:.1f} s"
    if step.mode == "turn":
        return f"{np.degrees(step.rotation_angle):.0f} deg"
    foot = "" if step.swing == "both" else f"{step.swing}, "
    return f"{foot}{step.speed:.1f} m/s"
