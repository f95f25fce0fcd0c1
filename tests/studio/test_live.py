"""A page of a live world: what it holds is where it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("viser")

from surefoot.character import people
from surefoot.math import Pose
from surefoot.planning import Goal
from surefoot.planning.topology import Atlas, TopologySettings, Traveller
from surefoot.studio import LiveView
from surefoot.world import Body, Feed, Place, World
from surefoot.world.primitives import box, slab

LITTLE = people.little()
UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])


def test_bodies_come_move_and_go_and_somebody_walks() -> None:
    world = World([Body(name="floor", mesh=slab((8, 8, 0.2)))], name="live")
    feed = Feed(world)
    feed.add(Body(name="cart", mesh=box((0.4, 0.4, 0.4))), Pose((0.0, 2.0, 0.2)), 0.0)
    atlas = Atlas(world, LITTLE.capabilities, TopologySettings())
    atlas.update(0.0)
    floor = [Place("floor", np.array([x, 0.0, 0.0])) for x in (-2.0, 1.0)]
    traveller = Traveller(atlas, LITTLE, floor[0], Goal(floor[1]))
    with LiveView(world, [traveller], port=0, real_time=False) as view:
        bodies: dict[str, Any] = view._bodies
        bones = np.zeros((0, 3))
        t = 0.0
        while not traveller.done and t < 10.0:
            t += 1 / 60
            if "cart" in world:
                feed.push(t, np.array([[0.5 * t, 2.0, 0.2]]), UPRIGHT[None], ["cart"])
            if abs(t - 1.0) < 1e-6:
                feed.add(Body(name="crate", mesh=box((0.3, 0.3, 0.3))), Pose((2, 2, 0.15)), t)
            if abs(t - 2.0) < 1e-6:
                np.testing.assert_allclose(bodies["cart"].position[0], 0.5 * t, atol=0.02)
                assert "crate" in bodies
                feed.remove("cart")
            atlas.update(t)
            traveller.step(t)
            view.show(t)
            bones = np.array([bone.position for bone in view._people[0][0].bones])
        assert traveller.arrived
        assert "cart" not in bodies
        assert 0.4 * t * 60 < view.frames < 0.6 * t * 60
        # Whoever is shown is where the traveller is, with its feet on the ground.
        assert np.abs(bones[:, :2].mean(axis=0) - traveller.figure.point[:2]).max() < 0.15
        assert -0.05 < bones[:, 2].min() < bones[:, 2].max() < 0.6
        assert "arrived" in view._status.content
