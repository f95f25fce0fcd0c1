"""Figures about clips."""

from __future__ import annotations

import numpy as np
import pytest

from references.known_steps import KnownSteps
from surefoot.motion.library import Library
from surefoot.motion.library.figures import clip_figures, usual_slide
from surefoot.motion.plants import find_plants


def test_a_walk(library: Library) -> None:
    figures = clip_figures(library, "walk")
    assert figures.name == "walk"
    assert figures.modes["walk"] == len(library.steps.of_clip("walk").of("walk"))
    assert figures.steps == len(library.steps.of_clip("walk"))
    assert figures.plants == len(library.plants[0])
    assert 0.7 < figures.speed < 1.3
    assert abs(figures.turn) < 0.2
    assert figures.slide < 0.01
    assert figures.floor < 0.01


def test_a_stand_goes_nowhere(library: Library) -> None:
    figures = clip_figures(library, "stand")
    assert np.isnan(figures.speed)
    assert figures.modes == {"stand": 1}


def test_an_arc_turns(library: Library) -> None:
    going = np.diff(library.clip("arc").root[200:-200], axis=0)
    ways = np.unwrap(np.arctan2(going[:, 1], going[:, 0]))
    assert clip_figures(library, "arc").turn > 0.5 * (ways[-1] - ways[0])


def test_slide_is_that_of_the_feet(strolls: list[KnownSteps]) -> None:
    known = strolls[0]
    assert usual_slide(known.paths("heel", "toe"), find_plants(known.paths("heel", "toe"))) < 1e-3
    skating = known.captured(0, noise=0.0, skate=0.05)
    feet = skating.paths("heel", "toe")
    assert usual_slide(feet, find_plants(feet)) == pytest.approx(0.05, rel=0.1)
