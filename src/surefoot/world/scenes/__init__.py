"""Worlds made by code, ready to plan in: `load("yard")`."""

from surefoot.world.scenes import stair_house, yard
from surefoot.world.scenes.registry import Scene, describe, load, names

__all__ = ["Scene", "describe", "load", "names"]

BUILT_IN = (stair_house, yard)
"""The modules of the scenes; each registers its scene when imported."""
