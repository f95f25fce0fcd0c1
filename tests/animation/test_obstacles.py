"""Feet over what lies in a plan's way."""

from __future__ import annotations

import numpy as np
import pytest

import surefoot as sf
from surefoot.motion.quality import assess


@pytest.mark.parametrize("height", [0.12, 0.3, 0.34])
def test_soles_stay_out_of_boxes_as_high_as_a_step(height: float) -> None:
    adult = sf.people.adult()
    meshes = {
        "floor": sf.primitives.ground(12, 4),
        "box": sf.primitives.box((0.9, 4.0, height), (0.0, 0.0, height / 2)),
    }
    world = sf.World([sf.Body(name=name, mesh=mesh) for name, mesh in meshes.items()])
    problem = sf.Problem(
        world=world,
        character=adult,
        start=world.place((-3, 0, 0.1)),
        goal=sf.Goal(world.place((3, 0, 0.1))),
    )
    plan = sf.plan(problem, sf.Grid())
    assert plan
    assert np.max(plan.track(np.linspace(plan.start, plan.end, 400), world)[0][:, 2]) > 0.9 * height
    quality = assess(sf.animate(plan, world, adult).motion, adult.measures, world=world)
    assert quality.penetration < 0.01
    assert quality.slide < 1e-3


@pytest.mark.parametrize("far", [0.0, 0.2, 0.4, 0.6])
@pytest.mark.parametrize("width", [0.3, 3.0])
@pytest.mark.parametrize("hurries", [False, True])
def test_soles_stay_out_of_kerbs_wherever_strides_meet_them(
    hurries: bool, width: float, far: float
) -> None:
    """What rises right before toes or right behind heels needs feet to be raised at once."""
    adult = sf.people.adult()
    meshes = {
        "floor": sf.primitives.ground(14, 4),
        "kerb": sf.primitives.box((width, 4.0, 0.15), (far + width / 2, 0.0, 0.075)),
    }
    world = sf.World([sf.Body(name=name, mesh=mesh) for name, mesh in meshes.items()])
    cost = sf.costs.time() if hurries else sf.costs.time() + 3.0 * sf.costs.prefer("walk")
    problem = sf.Problem(
        world=world,
        character=adult,
        start=world.place((-4.5, 0.3, 0.1)),
        goal=sf.Goal(world.place((4.8, -0.2, 0.1)), tolerance=0.4),
        cost=cost,
    )
    plan = sf.plan(problem, sf.SpaceTime())
    assert plan
    quality = assess(sf.animate(plan, world, adult, rate=60.0).motion, adult.measures, world=world)
    assert quality.penetration < 0.02
    assert quality.slide < 1e-3
