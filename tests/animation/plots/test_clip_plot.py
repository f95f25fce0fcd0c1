"""Plots of clips show what they should where they should."""

from __future__ import annotations

import numpy as np
import pytest

from references.known_steps import walk
from surefoot.animation.plots import plot_clip
from surefoot.animation.plots.chart import Chart, Panel, even_ticks
from surefoot.animation.plots.clip_plot import FOOT_COLORS, MODE_COLORS
from surefoot.motion.plants import FootPaths, find_plants
from surefoot.motion.steps import MODES, find_steps


def test_planted_feet_are_shaded() -> None:
    known = walk(1.2)
    feet = known.paths("heel", "toe", "tip")
    plants = find_plants(feet)
    steps, _ = find_steps(known.clip, known.measures)
    pixels = plot_clip(feet, plants, steps, title="walk").pixels.astype(int)
    left, right = 62, 1200 - 24
    # Rows just inside the lower edges of the panels of heights, where no curve is.
    for foot, row in ((0, 246), (1, 246 + 2 * 154 + 8)):
        color = np.array(FOOT_COLORS[("left", "right")[foot]])
        blue = pixels[row, left:right]
        shaded = (np.abs(blue - 255).sum(axis=1) > 40) & ((blue - color) @ (255 - color) > 0)
        at = np.linspace(0, feet.times[-1], right - left)
        agree = shaded == plants.down(at)[:, foot]
        assert agree.mean() > 0.95


def test_every_mode_has_a_color_of_its_own() -> None:
    assert set(MODE_COLORS) == set(MODES)
    assert len(set(MODE_COLORS.values())) == len(MODES)


@pytest.mark.parametrize("parts", [("ankle",), ("heel", "toe")])
def test_whatever_is_known_is_drawn(parts: tuple[str, ...]) -> None:
    feet = walk(1.2).paths(*parts)
    assert plot_clip(feet, find_plants(feet)).size == (1200, 760)


def test_one_moment_is_drawn() -> None:
    place = {"heel": np.zeros((1, 3))}
    feet = FootPaths(rate=60.0, left=place, right=place)
    assert plot_clip(feet, find_plants(feet)).size == (1200, 760)


def test_ticks_are_round_numbers() -> None:
    assert even_ticks(0.0, 1.0, 5) == [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert even_ticks(-0.02, 0.34, 5) == [0.0, 0.1, 0.2, 0.3]
    assert even_ticks(0.0, 8.4, 16) == [float(k) for k in range(9)]
    assert even_ticks(2.0, 2.0, 3) == [2.0]


def test_panels_put_values_where_they_belong() -> None:
    panel = Panel(Chart((100, 100)), 10, 20, 90, 80, 0.0, 4.0, 0.0, 9.0, np.sqrt)
    assert panel.x(1.0) == 30.0
    assert panel.y(np.array([0.0, 2.25, 9.0, 100.0])).tolist() == [80.0, 50.0, 20.0, 20.0]
