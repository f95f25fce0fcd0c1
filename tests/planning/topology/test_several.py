"""Several people of different abilities in one live world (lopez2012, section 6)."""

from __future__ import annotations

import numpy as np

from surefoot.character import Character, people
from surefoot.math import Pose
from surefoot.planning import Goal
from surefoot.planning.topology import Atlas, TopologySettings, Traveller
from surefoot.world import Body, Feed, Place, World
from surefoot.world.primitives import box, slab
from surefoot.world.scenes.disconnected import slide

UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])
GAP = 1.4
"""[m] That an adult leaps and somebody small does not."""


def test_each_goes_the_way_that_it_can() -> None:
    """A gap, a ferry beside it, and a low beam: one leaps and goes around, the other does not."""
    far = 8.0 + GAP
    world = World([
        Body(name="near", mesh=slab((8.0, 10.0, 0.4))),
        Body(name="far", mesh=slab((8.0, 10.0, 0.4), (far, 0.0, 0.0))),
        # Somebody small walks under it.
        Body(name="beam", mesh=box((0.3, 6.0, 0.4), (far, -2.0, 0.9)), tags={"forbidden": True}),
    ])  # fmt: skip
    feed = Feed(world)
    way = slide(np.array([4.45, 4.2, 0.0]), np.array([4.95, 4.2, 0.0]), 0.2, 1.5, 0.2)
    feed.add(Body(name="ferry", mesh=slab((0.7, 0.9, 0.1))), Pose(way.pose(0.0).position), 0.0)
    people_here: list[Character] = [people.little(), people.adult(), people.child()]
    atlases = [Atlas(world, who.capabilities, TopologySettings()) for who in people_here]
    start, goal = np.array([-1.0, -1.0, 0.0]), np.array([far + 2.0, -1.0, 0.0])
    travellers: list[Traveller] = []
    ridden: dict[str, set[str]] = {who.name: set() for who in people_here}
    sides: dict[str, float] = dict.fromkeys(ridden, -np.inf)
    for k in range(60 * 90):
        t = (k + 1) / 60
        feed.push(t, way.pose(t).position[None], UPRIGHT[None], ["ferry"])
        for atlas in atlases:
            atlas.update(t)
        if k == 60 * 20:
            travellers = [
                Traveller(atlas, who, Place("near", start), Goal(Place("far", goal)))
                for atlas, who in zip(atlases, people_here, strict=True)
            ]
        for traveller in travellers:
            traveller.step(t)
            figure, name = traveller.figure, traveller.character.name
            ridden[name].add(str(figure.place.body))
            if abs(figure.point[0] - far) < 0.2:
                sides[name] = max(sides[name], float(figure.point[1]))
        if travellers and all(one.done for one in travellers):
            break
    assert [one.arrived for one in travellers] == [True] * 3, [one.why for one in travellers]
    assert "ferry" in ridden["little"]
    assert "ferry" not in ridden["adult"]
    # Under the beam, or around its end.
    assert sides["little"] < 1.0
    assert sides["adult"] > 1.0, sides
    assert all(one.figure.counts.falls == 0 for one in travellers)
