"""Crowd scenes that come with surefoot: `scenes.load("bottleneck", seed=3, agents=20)`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from surefoot.agents.scenes.crossings import (
    antipodal_circle,
    crossing_groups,
    four_crossing,
    reduced_search,
    square,
)
from surefoot.agents.scenes.obstacles import (
    dragged_wall,
    station_platform,
    two_moving_obstacles,
)
from surefoot.agents.scenes.passages import bottleneck, corridor, door
from surefoot.agents.scenes.platforms import ferry, moving_walkways
from surefoot.agents.scenes.scene import CrowdScene, Walker
from surefoot.errors import InputError, one_of

__all__ = ["SCENES", "CrowdScene", "Walker", "load", "names"]

SCENES: Mapping[str, Callable[..., CrowdScene]] = MappingProxyType(
    {
        function.__name__.replace("_", " "): function
        for function in (
            four_crossing, two_moving_obstacles, dragged_wall, reduced_search, corridor,
            bottleneck, crossing_groups, antipodal_circle, door, station_platform, square,
            moving_walkways, ferry,
        )
    }
)  # fmt: skip
"""The functions that make them, by name."""


def names() -> list[str]:
    """The names of all scenes."""
    return list(SCENES)


def load(name: str, *, seed: int = 0, agents: int | None = None) -> CrowdScene:
    """The scene called `name`.

    Args:
        name: one of `names()`.
        seed: of what is drawn: starts, goals, people.
        agents: how many, > 0; as many as the scene has by itself when not given.
    """
    if name not in SCENES:
        raise InputError(one_of("crowd scene", name, SCENES))
    if agents is None:
        return SCENES[name](seed)
    if agents < 1:
        raise InputError(f"agents must be at least 1, got {agents}")
    return SCENES[name](seed, agents)
