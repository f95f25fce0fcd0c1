"""When surfaces will be in reach of each other, and the soonest way over them."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.character import people
from surefoot.planning import Goal
from surefoot.planning.topology import Atlas, TopologySettings, Traveller
from surefoot.planning.topology.timetable import Timetable
from surefoot.world import Body, Place, World
from surefoot.world.primitives import slab
from surefoot.world.scenes import disconnected
from surefoot.world.scenes.disconnected import slide

LITTLE = people.little()


def _ferries(phases: tuple[float, ...]) -> World:
    """Two islands, and ferries between them that leave at different times."""
    bodies = [
        Body(name="near", mesh=slab((2.0, 8.0, 0.2))),
        Body(name="far", mesh=slab((2.0, 8.0, 0.2), (6.0, 0.0, 0.0))),
    ]
    for k, phase in enumerate(phases):
        first, last = np.array([1.8, 3.0 * k - 3.0, 0.0]), np.array([4.2, 3.0 * k - 3.0, 0.0])
        way = slide(first, last, 0.5, 2.0, phase)
        bodies.append(Body(name=f"ferry {k}", mesh=slab((1.0, 1.0, 0.2)), trajectory=way))
    return World(bodies)


@pytest.mark.parametrize("seed", range(6))
def test_the_ferry_that_is_soonest_over_is_taken(seed: int) -> None:
    rng = np.random.default_rng(seed)
    world = _ferries(tuple(rng.uniform(0, 1, 3)))
    start, goal = Place("near", np.array([-0.5, 0, 0])), Place("far", np.array([6.5, 0, 0]))
    table = Timetable(world, LITTLE.capabilities, TopologySettings(), 0.0)
    found = table.earliest(start, goal, 0.0, latest=60.0)
    assert found is not None
    assert [ride.target[0] for ride in found.rides][-1] == "far"
    alone: dict[str, float] = {}
    for k in range(3):
        # Each ferry by itself: nobody else goes sooner.
        only = World([b for b in world if not b.name.startswith("ferry") or b.name == f"ferry {k}"])
        table = Timetable(only, LITTLE.capabilities, TopologySettings(), 0.0)
        way = table.earliest(start, goal, 0.0, latest=60.0)
        assert way is not None
        alone[f"ferry {k}"] = way.arrive
    taken = found.rides[0].target[0]
    # Take-offs are found by chance, so each table differs a little from the next.
    assert alone[taken] < min(alone.values()) + 1.5
    assert found.arrive == pytest.approx(min(alone.values()), abs=1.5)


@pytest.mark.parametrize("seed", range(3))
def test_changes_are_possible_when_the_timetable_says_so(seed: int) -> None:
    """Direct simulation: somebody who waits at each take-off is over in time."""
    world, places = disconnected.made(seed)
    table = Timetable(world, LITTLE.capabilities, TopologySettings(), 0.0)
    found = table.earliest(places["start"], places["goal"], 0.0, latest=150.0)
    assert found is not None
    # It has seen all of it, but cannot see ahead.
    atlas = Atlas(world, LITTLE.capabilities, TopologySettings())
    frame = 1 / 60
    for k in range(3600):
        atlas.update((k - 3600) * frame)
    t = 0.0
    for ride in found.rides:
        while t < ride.arrive - 1.5:
            t += frame
            atlas.update(t)
        spot = Place(ride.source[0], ride.take_off)
        goal = Goal(Place(ride.target[0], ride.landing))
        traveller = Traveller(atlas, LITTLE, spot, goal, t=t)
        traveller.keep_to({(ride.source, ride.target)}, take_off=spot)
        while traveller.figure.busy or traveller.figure.place.body == ride.source[0]:
            t += frame
            atlas.update(t)
            traveller.step(t)
            assert t < ride.end + 1.0, f"seed {seed}: {ride} was not possible"
        assert traveller.figure.place.body == ride.target[0], f"seed {seed}: {ride}"
        assert traveller.figure.counts.falls == 0


def test_what_is_barred_is_not_taken() -> None:
    world = _ferries((0.1, 0.5, 0.9))
    start, goal = Place("near", np.array([-0.5, 0, 0])), Place("far", np.array([6.5, 0, 0]))
    table = Timetable(world, LITTLE.capabilities, TopologySettings(), 0.0)
    first = table.earliest(start, goal, 0.0, latest=60.0)
    assert first is not None
    other = table.earliest(start, goal, 0.0, latest=60.0, barred=first.pairs)
    assert other is not None
    assert not other.pairs & first.pairs
    assert other.arrive >= first.arrive


def test_where_nothing_leads_there_is_no_way() -> None:
    world = _ferries(())
    start, goal = Place("near", np.array([-0.5, 0, 0])), Place("far", np.array([6.5, 0, 0]))
    table = Timetable(world, LITTLE.capabilities, TopologySettings(), 0.0)
    assert table.earliest(start, goal, 0.0, latest=20.0) is None
