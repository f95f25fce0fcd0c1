"""Worlds made by code, ready to plan in: `load("yard")`."""

from surefoot.world.scenes import (
    disconnected,
    factory,
    highway,
    labyrinth,
    landing,
    living_room,
    platform_game,
    stair_house,
    staircase,
    supermarket,
    toll_booth,
    train_yard,
    yard,
)  # fmt: skip
from surefoot.world.scenes.registry import Scene, describe, load, names

__all__ = ["Scene", "describe", "load", "names"]

BUILT_IN = (
    disconnected, factory, highway, labyrinth, landing, living_room, platform_game, stair_house,

    staircase, supermarket, toll_booth, train_yard, yard,
)  # fmt: skip
"""The modules of the scenes; each registers its scene when imported."""
