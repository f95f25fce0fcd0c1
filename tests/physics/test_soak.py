"""Half an hour of thrown objects: nobody hangs, crashes or grows."""

from __future__ import annotations

import resource

import numpy as np
import pytest

import surefoot as sf
from surefoot.math import Pose, rotations
from surefoot.planning.topology import Atlas, TopologySettings, Traveller
from surefoot.world import Body, Static
from surefoot.world.primitives import box, slab

pytest.importorskip("mujoco")

from surefoot.physics.world import MujocoWorld


@pytest.mark.slow
@pytest.mark.parametrize("minutes", [30.0])
def test_half_an_hour_of_thrown_objects_ends_with_bounded_memory(minutes: float) -> None:
    rng = np.random.default_rng(0)
    live = MujocoWorld([Body(name="floor", mesh=slab((8, 8, 0.4)))], timestep=1 / 120)
    atlas = Atlas(live.world, sf.people.little().capabilities, TopologySettings(forget=10.0))
    atlas.update(0.0)
    places = [live.world.place((x, y, 0.1)) for x, y in ((-3.5, -3.5), (3.5, 3.5))]
    traveller = Traveller(atlas, sf.people.little(), places[0], sf.Goal(places[1]))
    thrown, reached, sizes = 0, 0, []
    for frame in range(round(minutes * 60 * 20)):
        if frame % 20 == 0:
            at = Pose(
                (*rng.uniform(-3, 3, 2), 2.0), rotations.from_rotation_vector(rng.normal(size=3))
            )
            mesh = box(rng.uniform(0.15, 0.5, 3))
            live.drop(Body(name=f"thing {thrown}", mesh=mesh, trajectory=Static(at)),
                      velocity=rng.normal(0, 2, 3))  # fmt: skip
            thrown += 1
            if len(live.names) > 25:
                live.remove(live.names[0])
        live.step(1 / 20)
        atlas.update(live.time)
        traveller.step(live.time)
        assert np.isfinite(traveller.figure.point).all()
        if traveller.done:
            reached += traveller.arrived
            here = places[reached % 2]
            traveller = Traveller(atlas, sf.people.little(), here, sf.Goal(places[1 - reached % 2]))
        if frame % 1200 == 1199:
            sizes.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    assert reached > minutes / 3
    assert len(atlas.relations) < 5000
    # The second half of the time adds little.
    assert sizes[-1] < 1.3 * sizes[len(sizes) // 2]
