"""Ways that characters are on, while they hold."""

import numpy as np

import surefoot as sf
from surefoot.planning.footsteps.footpath import state
from surefoot.planning.footsteps.ways import Ways
from surefoot.world.primitives import box, slab


def test_who_stepped_aside_behind_a_wall_goes_round_it():
    """Through the gap, and back behind the wall: less far off its way than who is astray."""
    floor = sf.Body(name="floor", mesh=slab((20.0, 20.0, 0.1)))
    walls = [
        sf.Body(name=f"wall {side}", mesh=box((0.3, 10.0, 2.0), (0.0, side * 5.8, 1.0)))
        for side in (-1, 1)
    ]
    world, adult = sf.World([floor, *walls]), sf.people.adult()
    ways = Ways(world, sf.FootstepSettings())
    goal = sf.Goal(sf.Place(None, (2.0, -7.0, 0.0)))

    def way(x: float, y: float) -> np.ndarray:
        found = ways.way(0, adult, state((x, y, 0.0), 0.0, 0.0), goal)
        assert found is not None
        return found.way[:, :2]

    assert len(way(-4.0, -4.0)) > 1
    for point in way(-4.0, -4.0)[:-1]:  # as if it walked there
        way(*point)
    assert len(way(0.6, -0.4)) == 1
    # Right behind the wall: the gap is the way again.
    behind = way(-0.6, -6.0)
    assert len(behind) > 1
    assert np.abs(behind[:-1]).max(axis=0)[1] < 1.5
    # Beside its way, with nothing in between, it keeps it.
    ways.forget(0)
    way(3.0, 3.0)
    kept = way(2.0, 0.0)
    assert kept.shape == (1, 2)
