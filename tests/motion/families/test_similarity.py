"""Dynamic similarity: a small body of adult proportions moves as an adult does, only sooner."""

from __future__ import annotations

from functools import cache
from math import radians, sqrt

import numpy as np
import pytest

from surefoot.character import Character, people
from surefoot.motion.default import default_families
from surefoot.motion.families import Family

LEGS = [f"{side}_{bone}" for side in ("left", "right") for bone in ("thigh", "shin", "foot")]

ALIKE = radians(5.0)
"""Clips of both have 60 frames a second, of which a small body's motion shows less."""


@cache
def small() -> tuple[Character, dict[str, Family]]:
    """The adult, 1.1 m tall: with a metre or a second in the gait model, it would differ."""
    character = people.person("small", 1.1)
    return character, default_families(character)


@pytest.mark.parametrize(
    ("name", "shares"),
    [
        ("walk", (0.9, 0.3, 0.5)), ("run", (0.9, 0.3)), ("stop", (0.5,)),
        ("stop running", (0.5,)), ("stop running", (0.9,)), ("stairs up", (0.2,)),
        ("stairs down", (0.2,)), ("landing", (0.2,)), ("crouched walk", (0.9, 0.3, 0.5)),
    ],
)  # fmt: skip
def test_the_same_angles_in_times_of_the_legs(
    families: dict[str, Family], adult: Character, name: str, shares: tuple[float, ...]
) -> None:
    other, others = small()
    slow = sqrt(other.measures.leg_length / adult.measures.leg_length)
    made = [
        family.made(
            **{
                one.name: one.low + share * (one.high - one.low)
                for one, share in zip(family.parameters, shares, strict=True)
            }
        )
        for family in (families[name], others[name])
    ]
    times = np.linspace(0.0, min(made[0].blending, made[1].blending / slow), 80)
    legs = adult.skeleton.indices(LEGS)
    first = made[0].clip.pose(times)[1][:, legs]
    second = made[1].clip.pose(slow * times)[1][:, legs]
    apart = 2 * np.arccos(np.clip(np.abs((first * second).sum(axis=-1)), 0.0, 1.0))
    assert apart.max() < ALIKE
