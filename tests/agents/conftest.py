"""Small crowds of walking discs on a floor."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from references.discs import Discs, gap
from surefoot.agents import Crowd, CrowdSettings, Entrant
from surefoot.character import people
from surefoot.math import Pose
from surefoot.world import Body, Static, World, primitives

DT = 0.1


@pytest.fixture
def floor() -> World:
    return World([Body(name="floor", mesh=primitives.slab((20.0, 20.0, 0.5)))], name="floor")


@pytest.fixture(scope="session")
def adult():
    return people.adult()


def wall(name: str, x: float, y: float, size=(0.3, 4.0, 2.0)) -> Body:
    return Body(name=name, mesh=primitives.box(size), trajectory=Static(Pose.at(x, y, 1.0)))


@pytest.fixture
def crossing(floor, adult) -> Callable[..., Crowd]:
    """Four who cross in the middle (beacco2013, figure 1), and some settings."""

    def make(**settings) -> Crowd:
        corners = [(4.0, 0.0), (0.0, 4.0), (-4.0, 0.0), (0.0, -4.0)]
        chosen = {
            "nodes": 40,
            "frame_nodes": 80,
            "horizon": 5,
            "least_nodes": 20,
            "asking": 0,
        } | settings
        return Crowd(
            floor,
            [Entrant(adult, (x, y, 0.0), goal=(-x, -y, 0.0)) for x, y in corners],
            planner=Discs,
            settings=CrowdSettings(**chosen),
        )

    return make


def clear_of_each_other(crowd: Crowd) -> bool:
    """Whether all published plans keep clear of each other, for ever."""
    plans = list(crowd.plans().values())
    return all(
        gap(one, two, crowd.t, np.inf) > 0.0 for i, one in enumerate(plans) for two in plans[:i]
    )


def run(crowd: Crowd, seconds: float) -> None:
    end = crowd.t + seconds
    while crowd.t < end and not crowd.done:
        crowd.step(DT)
