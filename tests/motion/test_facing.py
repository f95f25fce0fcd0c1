"""Headings and travel frames of bodies that sway."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.character import Character
from surefoot.math import rotations
from surefoot.motion import Motion
from surefoot.motion.facing import facing, local_lines, travel


def test_straight_lines_stay_as_they_are_also_at_the_ends() -> None:
    line = np.stack([np.linspace(0.0, 3.0, 100), np.linspace(5.0, -1.0, 100)], axis=1)
    assert np.abs(local_lines(line, 20.5) - line).max() < 1e-9
    # Wider than there is of it, it is one line through everything.
    assert np.abs(local_lines(line[:5], 40.0) - line[:5]).max() < 1e-9
    assert np.array_equal(local_lines(line[:1], 20.0), line[:1])


def test_what_sways_is_smoothed() -> None:
    t = np.arange(240) / 60
    swayed = np.stack([1.2 * t + 0.05 * np.sin(2 * np.pi * t / 1.1)], axis=1)
    smooth = local_lines(swayed, 0.55 * 60)
    inside = slice(40, -40)
    assert np.abs(smooth[inside, 0] - 1.2 * t[inside]).max() < 0.004
    assert np.abs(smooth[:, 0] - 1.2 * t).max() < 0.05


def test_a_walk_along_x_faces_x(strolled: Motion, adult: Character) -> None:
    walking = slice(110, 220)
    headings = facing(adult.skeleton, strolled.rotations)
    pelvis = rotations.yaw(strolled.rotations[:, 0])
    assert np.abs(headings[walking]).max() < 0.6 * np.abs(pelvis[walking]).max()
    frames = travel(adult.skeleton, strolled.root, strolled.rotations, 60.0)
    assert np.abs(frames.heading).max() < 0.03
    assert np.abs(frames.position[walking, 1]).max() < 0.012
    speed = np.gradient(frames.position[walking, 0], 1 / 60)
    assert np.abs(speed / speed.mean() - 1).max() < 0.08


def test_headings_follow_a_turn_past_half_a_circle(strolled: Motion, adult: Character) -> None:
    turn = np.linspace(0.0, 7.0, len(strolled.times))
    turned = strolled.rotations.copy()
    turned[:, 0] = rotations.multiply(rotations.from_yaw(turn), turned[:, 0])
    gained = facing(adult.skeleton, turned) - facing(adult.skeleton, strolled.rotations)
    assert np.abs(gained - turn).max() < 1e-9


def test_leaning_forward_does_not_change_where_a_body_faces(adult: Character) -> None:
    local = np.tile(rotations.IDENTITY, (2, len(adult.skeleton), 1))
    lean = rotations.from_axis_angle([0.0, 1.0, 0.0], 1.9)
    local[:, 0] = rotations.multiply(rotations.from_yaw(0.7), lean)
    assert facing(adult.skeleton, local) == pytest.approx(0.7)
