"""Worlds and what they hold are freed when nobody needs them."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

from surefoot.math import Pose
from surefoot.world import (
    Attached,
    Body,
    Cylinder,
    Function,
    Keyframed,
    Observed,
    Static,
    Trajectory,
    World,
)
from surefoot.world.primitives import box

MOTIONS = {
    "static": lambda: Static(),
    "keyframed": lambda: Keyframed(np.array([0.0, 1.0]), np.array([[0.0, 0, 0], [1, 0, 0]])),
    "function": lambda: Function(lambda t: Pose.at(t), horizon=5.0, max_speed=1.0),
    "observed": lambda: Observed.first(0.0, Pose()),
    "attached": lambda: Attached(
        Function(lambda t: Pose.at(t), horizon=5.0, max_speed=1.0), Static()
    ),
}


@pytest.mark.parametrize("kind", MOTIONS)
def test_nothing_is_kept(kind: str) -> None:
    trajectory: Trajectory = MOTIONS[kind]()
    body = Body(name="box", mesh=box((1, 1, 1)), trajectory=trajectory)
    world = World([body])
    world.overlap([0, 0, 0], np.linspace(0, 4, 9), shape=Cylinder(0.3, 1.7))
    kept = [weakref.ref(thing) for thing in (trajectory, body, body.mesh, world)]
    del trajectory, body, world
    gc.collect()
    assert [ref() for ref in kept] == [None] * len(kept)


def test_a_removed_body_is_freed() -> None:
    body = Body(name="box", mesh=box((1, 1, 1)))
    world = World([body])
    mesh = weakref.ref(body.mesh)
    del body
    world.remove("box")
    gc.collect()
    assert mesh() is None
